//===- Advise.h - What to do about a profile --------------------*- C++ -*-===//
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

/// What rules read. `graph` is the data flow between the ops of the module,
/// whose nodes have the indices in Ownership::ops as ids; null without one.
/// `products` are those of its ops that multiply matrices.
struct AdviseInput {
  report::ReportInput report;
  const graph::Graph *graph = nullptr;
  llvm::ArrayRef<profile::MatrixProduct> products = {};
  /// What searches tried at its ops.
  llvm::ArrayRef<OpTrial> trials = {};
};

enum class ParameterKind : uint8_t {
  Text,
  Count,
  /// Picoseconds; the name ends in "_ps".
  Time,
  /// A share in millionths; the name ends in "_ppm".
  Share,
  /// Millionths of something else; the name ends in "_ppm".
  Ratio,
  /// Operations or bytes a second; the name ends in "_per_second".
  Rate,
};

/// One figure that advice rests on. Names are the same in every language.
struct Parameter {
  llvm::StringRef name;
  ParameterKind kind = ParameterKind::Count;
  int64_t number = 0;
  std::string text;
};

/// What an advice is about: an op, an event, a thread.
struct Subject {
  std::string name;
  /// Where it is in the model, or why it is nowhere; empty where that is not
  /// known.
  std::string location;
  int64_t timePs = 0;
};

/// The time that a gain is a share of.
enum class GainBasis : uint8_t {
  /// Of all measured ops (of threads, so that it may be more than the wall).
  OpTime,
  /// Wall time of the steps, from the first's begin to the last's end.
  StepTime,
  /// Wall time in which any op ran.
  BusyTime,
};
llvm::StringRef toString(GainBasis basis);

struct Advice {
  /// Name of the rule; see findAdviceRule().
  llvm::StringRef rule;
  /// Time that following it saves at a guess, by the formula of the rule (see
  /// docs/advising.md); none where the profile does not tell.
  std::optional<int64_t> gainPs;
  GainBasis basis = GainBasis::OpTime;
  int64_t basisPs = 0;
  std::vector<Parameter> parameters;
  /// The ones with most time, that first.
  std::vector<Subject> subjects;
  /// The ops that it is about, as positions in the module that was recorded;
  /// none where it is about the whole model, or about ops of other tools.
  std::vector<uint32_t> ops;
  /// What searches tried of what it says at these ops (of the whole model: at
  /// any), the fastest first.
  std::vector<OpTrial> trials;
  /// Time that was promised before all trials of it were refused; `gainPs` is
  /// none then.
  std::optional<int64_t> setAsidePs;

  /// Whether it was tried and nothing of it was kept.
  bool isRefuted() const;

  const Parameter *find(llvm::StringRef name) const;
};

/// No value: the profile has nothing that the rule could look at.
using Findings = std::optional<std::vector<Advice>>;

class AdviseContext;

/// One rule. Adding one is a file in lib/Advise/Rules and a line in Rules.def
/// there. In the texts, {name} stands for a parameter, {gain_ps} for the gain,
/// {PROFILE} and {MODEL} for the files.
struct AdviceRule {
  /// For --rule ("hot-op-far-from-roofline").
  llvm::StringRef name;
  llvm::StringRef description;
  /// What a profile must have for it.
  llvm::StringRef needs;
  /// What was found.
  llvm::StringRef text;
  /// What to do.
  llvm::StringRef nextStep;
  /// The statistic that the figures are, as a key for programs: "habit_sum" (a
  /// sum without what does not come back), "step_medians" (medians times the
  /// number of steps), "sum", and others; see docs/advising.md.
  llvm::StringRef statisticKey;
  /// The same in words: of how many of what, and what of them stands for all
  /// ("the median call times the number of calls").
  llvm::StringRef statistic;
  /// A command that does or shows it; may be empty.
  llvm::StringRef command;
  Findings (*find)(const AdviseContext &context);
  /// The techniques of `optimize` that try what it says, each a name ("tiles")
  /// or a name and the choice that is meant ("fusion with=all").
  std::vector<llvm::StringRef> techniques = {};
  /// Instead of `command` for recordings of other tools, whose modules
  /// `mlir-prof optimize` need not be able to compile; empty where it serves
  /// all.
  llvm::StringRef commandOfOthers = "";
};

/// All rules, in the order of Rules.def.
llvm::ArrayRef<AdviceRule> getAdviceRules();

/// Finds a rule by name; an unknown one is an error that names all.
llvm::Expected<const AdviceRule *> findAdviceRule(llvm::StringRef name);

struct AdviceReport {
  /// The files, for commands; the model may be empty.
  std::string profile;
  std::string model;
  /// Whether `mlir-prof record` made the profile.
  bool isOwnRecording = false;
  /// Most gain first, then those without a figure; refuted ones last.
  std::vector<Advice> advice;
  /// The rules that found nothing, and those that had nothing to look at.
  std::vector<const AdviceRule *> silent;
  std::vector<const AdviceRule *> withoutData;
};

/// Asks `rules`; all when it is empty.
AdviceReport collectAdvice(const AdviseInput &input,
                           llvm::ArrayRef<const AdviceRule *> rules = {});

/// One format. Adding one is a file in lib/Advise/Writers and a line in
/// Writers.def there.
struct AdviceWriter {
  /// For --format.
  llvm::StringRef name;
  llvm::StringRef description;
  void (*write)(const AdviceReport &report, llvm::raw_ostream &os);
};

/// All formats, "text" first.
llvm::ArrayRef<AdviceWriter> getAdviceWriters();

/// Finds a format by name; an unknown one is an error that names all.
llvm::Expected<const AdviceWriter *> findAdviceWriter(llvm::StringRef name);

} // namespace mlirprof::advise

#endif // MLIR_PROF_ADVISE_ADVISE_H
