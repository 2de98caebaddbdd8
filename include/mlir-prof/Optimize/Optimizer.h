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

/// The progress of a search, for a user who waits.
struct OptimizerProgress {
  /// "baseline", "control", "trial", "final".
  llvm::StringRef phase;
  /// The subject: for a trial its technique, choice and op.
  std::string what;
  double usedSeconds = 0;
  double budgetSeconds = 0;
  unsigned trials = 0;
  unsigned kept = 0;
  /// The time of the incumbent relative to the original model, by the estimates
  /// of its trials: 0.97 is 3 % faster.
  double ratio = 1;
};

/// The budget was used up, so that nothing more is begun.
class BudgetError : public llvm::ErrorInfo<BudgetError> {
public:
  static char ID;

  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;
};

/// Whether `error` ends a search rather than a trial: there is no time left, or
/// the user interrupted it.
bool endsSearch(const llvm::Error &error);

/// A step, and the seconds of the budget that it took.
struct SpentTime {
  std::string what;
  double seconds = 0;
};

/// How candidates are tried.
enum class TrialMode : uint8_t {
  /// As builds of the whole model, in processes of their own.
  Whole,
  /// Choices within kernels are first tried kernel by kernel in one process
  /// that runs the model; the pipeline must form kernels
  /// (compile::formsKernels). All others are tried as with Whole.
  Local,
};

struct OptimizerOptions {
  /// How the model is built. Identities, probes and choices are ignored.
  compile::CompileOptions compile;
  /// The arguments for runs of the model; at least one request.
  std::vector<Arguments> requests;
  /// Other requests, for the check of the final result; may be empty.
  std::vector<Arguments> checkRequests;
  /// Requests of other shapes, for which the result must neither be slower than
  /// the original model nor wrong. May be empty.
  std::vector<Arguments> unseenRequests;
  /// Limit on the time for building, measuring and the final check together. 0:
  /// known decisions are applied without a measurement.
  double budgetSeconds = 120;
  TrialMode trials = TrialMode::Whole;
  /// Techniques to use; empty: all.
  std::vector<std::string> techniques;
  /// Largest error of the model's results against the unoptimized model,
  /// relative to the largest element of each result.
  double tolerance = 1e-5;
  /// Whether to repeat trials that the database has results for.
  bool isRepeated = false;
  /// Limits of one child: bytes that it may add, seconds to build.
  uint64_t memory = uint64_t(8) << 30;
  double buildSeconds = 120;
  /// The machine's peak; zeros if unknown.
  record::MachinePeak peak;
  /// Seconds of the budget that the caller has already used.
  double usedSeconds = 0;
  std::vector<SpentTime> spent;
  /// Seconds in which the caller built the model; 0: it did not.
  double earlierBuildSeconds = 0;
  tuning::ComparisonOptions comparison;
  std::function<bool()> isInterrupted;
  std::function<void(const OptimizerProgress &)> onProgress;
  /// Saves the database; called after each trial. Reports its own errors.
  std::function<void(tuning::DecisionDatabase &)> save;
};

/// The origin of a choice.
enum class ReceiptOrigin : uint8_t { Search, Database };

/// The record of one choice: the ops, the measurement, and whether the result
/// has it.
struct Receipt {
  ReceiptOrigin origin = ReceiptOrigin::Search;
  /// The confidence in a choice from the database.
  tuning::Confidence confidence = tuning::Confidence::Exact;
  std::string technique;
  /// Indices into ModelSites::sites.
  std::vector<size_t> sites;
  /// The choice of the first site; `choices` has those of all sites.
  tuning::Choice choice;
  std::vector<tuning::Choice> choices;
  tuning::Observation observation;
  /// The error of the op in isolation, if the choice changes its results and
  /// the op can be isolated.
  std::optional<double> opError;
  /// Seconds of the budget that were used when the trial ended.
  double atSeconds = 0;
  /// Whether the machine was too busy for a comparison; the trial may then be
  /// repeated.
  bool isDisturbed = false;
  /// Whether the result has it.
  bool isApplied = false;
};

/// The speed and error of a result for shapes that were not recorded.
struct UnseenResult {
  /// "6x50, 50x10".
  std::string shapes;
  /// The comparison with the original model.
  tuning::Comparison comparison;
  /// The error against the unoptimized model.
  double error = 0;
  /// The reason why the result is not acceptable, or empty.
  std::string fault;
};

struct OptimizerResult {
  std::vector<Receipt> receipts;
  /// The choices that the result is built with, by OpSignature::exact.
  ChoiceMap choices;
  /// Time of one run of the unoptimized model, whose results are the reference,
  /// on one thread (0 if nothing was measured), and the pipeline that built it.
  double referenceSeconds = 0;
  std::string referencePipeline;
  /// The comparison of the incumbent with itself, if there were trials.
  std::optional<tuning::Comparison> control;
  /// The comparison of the result with the original model, if they differ and
  /// the budget sufficed.
  std::optional<tuning::Comparison> whole;
  /// Not 0: the result was chosen for the size of its code alone, and `whole`
  /// tests whether it takes no more than this part of the time longer.
  double sizeMargin = 0;
  /// The result for each of OptimizerOptions::unseenRequests that the model
  /// runs on.
  std::vector<UnseenResult> unseen;
  /// The reason for returning the previous version; empty if it was not.
  std::string whyPrevious;
  tuning::StopReason stop = tuning::StopReason::None;
  bool wasInterrupted = false;
  /// Whether the database already had all results, so that nothing was
  /// searched.
  bool wasKnown = false;
  /// Errors against the unoptimized model: of the original build, of the
  /// result, and the limit.
  double errorBefore = 0, errorAfter = 0, tolerance = 0;
  /// Size of the model's code in bytes, before and after.
  uint64_t textBefore = 0, textAfter = 0;
  double usedSeconds = 0;
  /// Seconds spent on building and measuring candidates.
  double searchSeconds = 0;
  std::vector<std::string> notes;
};

/// The functions by which a search builds and times candidates, and the
/// techniques that it tries. Tests replace processes and time.
struct SearchTools {
  /// Builds the model, without changing it, and serves runs of it.
  std::function<llvm::Expected<std::unique_ptr<record::ModelServer>>(
      mlir::ModuleOp, const compile::CompileOptions &,
      llvm::ArrayRef<Arguments>, const record::ServerOptions &)>
      serve;
  /// The clock for the budget and all measurements.
  TimeSource clock;
  llvm::ArrayRef<Technique> techniques;
};

/// Child processes, the machine's clock, all techniques.
SearchTools getSearchTools();

/// Searches for the choices with which the model runs fastest. Tries those in
/// `database`, then the proposals of techniques, the most promising first, each
/// in a child process against the incumbent. Observations are added to
/// `database`. `input` is the model as it was read; `sites` were collected from
/// it. Fails if the original model cannot be built or run; the failure of a
/// candidate is in its receipt.
llvm::Expected<OptimizerResult>
optimizeModel(mlir::ModuleOp input, const ModelSites &sites,
              tuning::DecisionDatabase &database,
              const OptimizerOptions &options,
              const SearchTools &tools = getSearchTools());

/// Whether `database` shows that a search has nothing left to try, so that
/// optimizeModel would not measure anything. This does not need times or bounds
/// of `sites`, or values observed by a run of the requests.
bool isSearchKnown(const ModelSites &sites, tuning::DecisionDatabase &database,
                   const OptimizerOptions &options);

/// The decisions that `database` has for the ops of a model on a machine, by
/// OpSignature::exact; for CompileOptions::choose. `onMatch` receives each
/// decision. `sizes` are the sizes of ops in this model, by OpSignature::exact.
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
