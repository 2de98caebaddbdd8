//===- Optimizer.h - Searching for what makes a model faster ----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_OPTIMIZE_OPTIMIZER_H
#define MLIR_PROF_OPTIMIZE_OPTIMIZER_H

#include "mlir-prof/Optimize/Sites.h"
#include "mlir-prof/Record/ModelServer.h"
#include "mlir-prof/Support/Clock.h"
#include "mlir-prof/Support/HostTensor.h"
#include "mlir-prof/Tuning/Comparison.h"
#include "mlir-prof/Tuning/DecisionDatabase.h"
#include "mlir-prof/Tuning/TrialPlanner.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mlirprof::optimize {

/// How far a search has come, for a user who waits.
struct OptimizerProgress {
  /// "baseline", "control", "trial", "final".
  llvm::StringRef phase;
  /// The subject: for a trial its technique, choice and op.
  std::string what;
  double usedSeconds = 0;
  double budgetSeconds = 0;
  unsigned trials = 0;
  unsigned kept = 0;
  /// The time of the best so far as part of that of the model as it was, by the
  /// estimates of its trials: 0.97 is 3 % faster.
  double ratio = 1;
};

struct OptimizerOptions {
  /// How the model is built. Identities, probes and choices are not looked at.
  compile::CompileOptions compile;
  /// The arguments that it is run on; at least one.
  std::vector<Arguments> requests;
  /// Others that the result is checked on, at the end; may be empty.
  std::vector<Arguments> checkRequests;
  /// Requests of other shapes: for none of them may the result be slower than
  /// the model as it was, or wrong. May be empty.
  std::vector<Arguments> unseenRequests;
  /// For everything: building, measuring, and the final check. 0: nothing is
  /// measured, known decisions are taken.
  double budgetSeconds = 120;
  /// Techniques to use; empty: all.
  std::vector<std::string> techniques;
  /// Largest error of the model's results, against the unoptimized model, as
  /// part of the largest element of each.
  double tolerance = 1e-5;
  /// Whether trials that the database knows are made again.
  bool isRepeated = false;
  /// Limits of one child: bytes that it may add, seconds to build.
  uint64_t memory = uint64_t(8) << 30;
  double buildSeconds = 120;
  /// The most that the machine does in a second; zeros: not known.
  record::MachinePeak peak;
  /// Seconds that the caller has used of the budget.
  double usedSeconds = 0;
  tuning::ComparisonOptions comparison;
  std::function<bool()> isInterrupted;
  std::function<void(const OptimizerProgress &)> onProgress;
  /// Saves the database, after each trial; it reports its errors itself.
  std::function<void(tuning::DecisionDatabase &)> save;
};

/// The origin of a choice.
enum class ReceiptOrigin : uint8_t { Search, Database };

/// The record of one choice: the ops, the measurement, and whether the result
/// has it.
struct Receipt {
  ReceiptOrigin origin = ReceiptOrigin::Search;
  /// How sure a choice from the database is.
  tuning::Confidence confidence = tuning::Confidence::Exact;
  std::string technique;
  /// Indices into ModelSites::sites.
  std::vector<size_t> sites;
  /// The choice of the first site; those of all are in `choices`.
  tuning::Choice choice;
  std::vector<tuning::Choice> choices;
  tuning::Observation observation;
  /// The error of the op alone, where its numbers change and it can stand
  /// alone.
  std::optional<double> opError;
  /// Seconds of the budget that were used when the trial ended.
  double atSeconds = 0;
  /// Whether the machine was too busy to compare; then it may be tried again.
  bool isDisturbed = false;
  /// Whether the result has it.
  bool isApplied = false;
};

/// How fast and exact a result is for shapes that were not recorded.
struct UnseenResult {
  /// "6x50, 50x10".
  std::string shapes;
  /// Against the model as it was.
  tuning::Comparison comparison;
  /// Against the unoptimized model.
  double error = 0;
  /// Why it is not good enough; empty: it is.
  std::string fault;
};

struct OptimizerResult {
  std::vector<Receipt> receipts;
  /// The choices that the result is built with, by OpSignature::exact.
  ChoiceMap choices;
  /// One run of the unoptimized model, which results are compared with, on one
  /// thread, and the pipeline that built it; 0 when nothing was measured.
  double referenceSeconds = 0;
  std::string referencePipeline;
  /// The incumbent against itself, when something was tried.
  std::optional<tuning::Comparison> control;
  /// The result against the model as it was before, when they differ and there
  /// was time.
  std::optional<tuning::Comparison> whole;
  /// The result for each of OptimizerOptions::unseenRequests that the model
  /// runs on.
  std::vector<UnseenResult> unseen;
  /// Whether the previous version was returned, and why; else empty.
  std::string whyPrevious;
  tuning::StopReason stop = tuning::StopReason::None;
  bool wasInterrupted = false;
  /// Whether nothing had to be searched: all was known.
  bool wasKnown = false;
  /// Errors against the unoptimized model: of the build before, of the result,
  /// and the one that was allowed.
  double errorBefore = 0, errorAfter = 0, tolerance = 0;
  /// Code of the model, in bytes.
  uint64_t textBefore = 0, textAfter = 0;
  double usedSeconds = 0;
  /// Seconds that building and measuring of candidates took.
  double searchSeconds = 0;
  std::vector<std::string> notes;
};

/// The means of a search to build and time candidates, and the techniques that
/// it tries. Tests put something in the place of processes and of time.
struct SearchTools {
  /// Builds the model, which stays as it is, and keeps it for being run.
  std::function<llvm::Expected<std::unique_ptr<record::ModelServer>>(
      mlir::ModuleOp, const compile::CompileOptions &,
      llvm::ArrayRef<Arguments>, const record::ServerOptions &)>
      serve;
  /// That of the budget and of all measurements.
  TimeSource clock;
  llvm::ArrayRef<Technique> techniques;
};

/// Child processes, the machine's clock, all techniques.
SearchTools getSearchTools();

/// Searches for the choices with which the model runs fastest: those that
/// `database` has, then what techniques propose, the most promising first, each
/// in a child process against the best so far. Observations go into `database`.
/// `input` is the model as it was read; `sites` were collected from it. An
/// error is something that keeps the model from being built or run as it is;
/// the failure of a candidate is in its receipt.
llvm::Expected<OptimizerResult>
optimizeModel(mlir::ModuleOp input, const ModelSites &sites,
              tuning::DecisionDatabase &database,
              const OptimizerOptions &options,
              const SearchTools &tools = getSearchTools());

/// Whether `database` knows that a search has nothing left to try, so that
/// optimizeModel would measure nothing. For this neither times nor bounds of
/// `sites` are needed, nor values that a run on the requests would show.
bool isSearchKnown(const ModelSites &sites, tuning::DecisionDatabase &database,
                   const OptimizerOptions &options);

/// The decisions that `database` has for the ops of a model on a machine, by
/// OpSignature::exact; for CompileOptions::choose. `onMatch` gets each. `sizes`
/// are those that ops have here, by OpSignature::exact.
ChoiceMap
findChoices(mlir::ModuleOp canonical, const tuning::DecisionDatabase &database,
            llvm::StringRef machine,
            llvm::function_ref<void(const tuning::OpSignature &,
                                    const tuning::DecisionMatch &)>
                onMatch = nullptr,
            const std::map<std::string, tuning::MeasuredSizes> &sizes = {});

/// A CompileOptions::choose that sets `choices`.
std::function<llvm::Error(mlir::ModuleOp)> chooseBy(ChoiceMap choices);

} // namespace mlirprof::optimize

#endif // MLIR_PROF_OPTIMIZE_OPTIMIZER_H
