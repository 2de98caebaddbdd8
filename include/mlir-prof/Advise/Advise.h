//===- Advise.h - Advice about a profile ------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_ADVISE_ADVISE_H
#define MLIR_PROF_ADVISE_ADVISE_H

#include "mlir-prof/Advise/OpTrial.h"
#include "mlir-prof/Graph/Graph.h"
#include "mlir-prof/Profile/MatrixProduct.h"
#include "mlir-prof/Report/Report.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <string>
#include <vector>

namespace mlirprof::advise {

/// Input of rules. `graph` is the data flow between the ops of the module,
/// whose nodes have the indices in Ownership::ops as ids; null without one.
/// `products` are its matrix products.
struct AdviseInput {
  report::ReportInput report;
  const graph::Graph *graph = nullptr;
  llvm::ArrayRef<profile::MatrixProduct> products = {};
  /// Trials of searches at its ops.
  llvm::ArrayRef<OpTrial> trials = {};
};

enum class ParameterKind : uint8_t {
  Text,
  Count,
  /// Picoseconds; the name ends in "_ps".
  Time,
  /// A share in millionths; the name ends in "_ppm".
  Share,
  /// Millionths of another quantity; the name ends in "_ppm".
  Ratio,
  /// Operations or bytes per second; the name ends in "_per_second".
  Rate,
};

/// One figure on which advice is based. Names are the same in every language.
struct Parameter {
  llvm::StringRef name;
  ParameterKind kind = ParameterKind::Count;
  int64_t number = 0;
  std::string text;
};

/// The subject of an advice: an op, an event, a thread.
struct Subject {
  std::string name;
  /// Its place in the model, or the reason for not having one; empty if
  /// unknown.
  std::string location;
  int64_t timePs = 0;
};

/// Rows that an advice rests on: those of a report that pass filters
/// (report::parseFilter).
struct Evidence {
  /// ReportKind::name.
  llvm::StringRef report;
  std::vector<std::string> filters;
};

/// The time by which a gain is divided to get its share.
enum class GainBasis : uint8_t {
  /// Time of all measured ops (of threads, so that it may be more than the
  /// wall).
  OpTime,
  /// Wall time of the steps, from the first's begin to the last's end.
  StepTime,
  /// Wall time during which any op ran.
  BusyTime,
};
llvm::StringRef toString(GainBasis basis);

struct Advice {
  /// Name of the rule; see findAdviceRule().
  llvm::StringRef rule;
  /// Estimate of the time that following it saves, by the formula of the rule
  /// (see docs/advising.md); none if the profile does not tell.
  std::optional<int64_t> gainPs;
  GainBasis basis = GainBasis::OpTime;
  int64_t basisPs = 0;
  std::vector<Parameter> parameters;
  /// Those with the most time, in descending order.
  std::vector<Subject> subjects;
  /// May be empty; rules of recordings by other tools have it.
  std::vector<Evidence> evidence;
  /// The affected ops, as positions in the recorded module; none if the advice
  /// concerns the whole model, or ops of other tools.
  std::vector<uint32_t> ops;
  /// Trials by searches of its proposal at these ops (at any op, if it concerns
  /// the whole model), the fastest first.
  std::vector<OpTrial> trials;
  /// The predicted gain before all trials of it were refused; `gainPs` is then
  /// none.
  std::optional<int64_t> setAsidePs;

  /// Whether it was tried and no trial was kept.
  bool isRefuted() const;

  const Parameter *find(llvm::StringRef name) const;
};

/// None if the profile lacks the data for the rule.
using Findings = std::optional<std::vector<Advice>>;

class AdviseContext;

/// A rule. Adding one takes a file in lib/Advise/Rules and a line in Rules.def
/// there. In the texts, {name} stands for a parameter, {gain_ps} for the gain,
/// {PROFILE} and {MODEL} for the files.
struct AdviceRule {
  /// The value of --rule ("hot-op-far-from-roofline").
  llvm::StringRef name;
  llvm::StringRef description;
  /// The data that a profile must have for it.
  llvm::StringRef needs;
  /// The finding.
  llvm::StringRef text;
  /// The recommended step.
  llvm::StringRef nextStep;
  /// The statistic behind the figures, as a key for programs: "habit_sum" (a
  /// sum without times that do not recur), "step_medians" (medians times the
  /// number of steps), "sum", and others; see docs/advising.md.
  llvm::StringRef statisticKey;
  /// The same in words: the values and their aggregate ("the median call times
  /// the number of calls").
  llvm::StringRef statistic;
  /// A command that does or shows the step; may be empty.
  llvm::StringRef command;
  Findings (*find)(const AdviseContext &context);
  /// The techniques of `optimize` that try the proposal, each a name ("tiles")
  /// or a name with the intended choice ("fusion with=all").
  std::vector<llvm::StringRef> techniques = {};
  /// Replaces `command` for recordings of other tools, whose modules `mlir-prof
  /// optimize` may be unable to compile; empty if one command serves all.
  llvm::StringRef commandOfOthers = "";
};

/// All rules, in the order of Rules.def.
llvm::ArrayRef<AdviceRule> getAdviceRules();

/// Finds a rule by name; the error for an unknown name lists all.
llvm::Expected<const AdviceRule *> findAdviceRule(llvm::StringRef name);

struct AdviceReport {
  /// File names for commands; the model may be empty.
  std::string profile;
  std::string model;
  /// Whether the profile has programs, as recordings by `mlir-prof record` do.
  bool hasPrograms = false;
  /// Largest gain first, then those without a figure; refuted ones last.
  std::vector<Advice> advice;
  /// The rules without findings, and those without data.
  std::vector<const AdviceRule *> silent;
  std::vector<const AdviceRule *> withoutData;
};

/// Runs `rules`, or all if it is empty.
AdviceReport collectAdvice(const AdviseInput &input,
                           llvm::ArrayRef<const AdviceRule *> rules = {});

/// The finding and the recommended step in words, with the figures in them.
std::string getText(const Advice &advice);
std::string getNextStep(const Advice &advice);
/// The command that does or shows the step, with the files of the report and
/// "MODEL" for a model without a file; may be empty.
std::string getCommand(const Advice &advice, const AdviceReport &report);

/// A format. Adding one takes a file in lib/Advise/Writers and a line in
/// Writers.def there.
struct AdviceWriter {
  /// The value of --format.
  llvm::StringRef name;
  llvm::StringRef description;
  void (*write)(const AdviceReport &report, llvm::raw_ostream &os);
};

/// All formats, "text" first.
llvm::ArrayRef<AdviceWriter> getAdviceWriters();

/// Finds a format by name; the error for an unknown name lists all.
llvm::Expected<const AdviceWriter *> findAdviceWriter(llvm::StringRef name);

} // namespace mlirprof::advise

#endif // MLIR_PROF_ADVISE_ADVISE_H
