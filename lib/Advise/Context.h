//===- Context.h - Data shared by rules -------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_ADVISE_CONTEXT_H
#define MLIR_PROF_LIB_ADVISE_CONTEXT_H

#include "mlir-prof/Advise/Advise.h"
#include "mlir-prof/Profile/KeyTraits.h"
#include "mlir-prof/Report/OpNames.h"
#include "llvm/ADT/StringMap.h"

namespace mlirprof::advise {

/// Further subjects are counted, not listed: a screen is limited.
inline constexpr size_t kMaxSubjects = 5;
/// Further advice of one rule would hide that of others.
inline constexpr size_t kMaxAdvice = 5;
/// Further trials are only counted.
inline constexpr size_t kMaxTrials = 5;

/// The input of all rules, computed once.
class AdviseContext {
public:
  explicit AdviseContext(const AdviseInput &input);

  const AdviseInput &input;
  const profile::Profile &profile;
  /// mergeRuns(profile): index = op key.
  std::vector<profile::OpSummary> merged;
  /// Sum of OpSummary::getTimePs().
  int64_t opTimePs = 0;

  const profile::OpKey &getKey(const profile::OpSummary &op) const {
    return profile.opKeys[op.op];
  }
  profile::KeyTraits getTraits(const profile::OpSummary &op) const {
    return profile::getKeyTraits(getKey(op));
  }
  /// Kernel, type or opcode of a measured op; may be empty.
  llvm::StringRef getKernel(const profile::OpSummary &op) const;
  /// The op's time without stalls: getHabitPs() of its calls; none when it ran
  /// once in a recording of kLeastSteps steps or more.
  int64_t getTimePs(const profile::OpSummary &op) const;
  /// A measured op as a subject of advice, with that time.
  Subject getSubject(const profile::OpSummary &op) const;
  /// The HLO instruction of a measured op.
  profile::HloFinder::Found
  findInstruction(const profile::OpSummary &op) const {
    return names.findInstruction(op.op);
  }
  /// The table of `mlir-prof report --by=roofline`; null unless `mlir-prof
  /// record` made the profile.
  const report::Table *getRoofline() const;
  /// The table of `mlir-prof report --by=NAME`, of a report that does not need
  /// a module nor a program; empty without data.
  const report::Table &getReport(llvm::StringRef name) const;
  /// Whether `partPs` is at least `ppm` millionths of the time of all ops.
  bool isShareOfOps(int64_t partPs, int64_t ppm) const;
  /// An advice about ops; the caller fills in the rest.
  Advice makeAdvice(std::optional<int64_t> gainPs) const;

private:
  void addUsualTimes();

  mutable report::OpNames names;
  /// Whether recurring ops have run more than once.
  bool hasSteps = false;
  /// The longest usual time among calls of one op, kernel and shapes. Without
  /// steps, each call of a framework is a separate op.
  llvm::StringMap<int64_t> usualPs;
  /// Used by several rules.
  mutable std::optional<report::Table> roofline;
  mutable llvm::StringMap<report::Table> reports;
};

/// A cell by its column's name; none for null and for unknown columns.
std::optional<int64_t> getNumber(const report::Table &table, uint32_t row,
                                 llvm::StringRef column);
llvm::StringRef getText(const report::Table &table, uint32_t row,
                        llvm::StringRef column);

/// "COLUMN=VALUE", as parseFilter reads it.
std::string makeFilter(llvm::StringRef column, llvm::StringRef value);

void addCount(Advice &advice, llvm::StringRef name, uint64_t count);
void addTime(Advice &advice, llvm::StringRef name, int64_t ps);
void addPpm(Advice &advice, llvm::StringRef name, int64_t ppm);
void addPpmRatio(Advice &advice, llvm::StringRef name, int64_t ppm);
void addRate(Advice &advice, llvm::StringRef name, int64_t perSecond);
void addText(Advice &advice, llvm::StringRef name, llvm::StringRef text);
/// Sorts the subjects by time, sets "ops" to their number, and keeps
/// kMaxSubjects of them.
void keepHottest(Advice &advice);

/// part / whole in millionths, rounded down; 0 when `whole` is not positive.
int64_t getPpm(int64_t part, int64_t whole);
/// value * numerator / denominator without intermediate overflow.
int64_t scale(int64_t value, int64_t numerator, int64_t denominator);

/// sum / count, 0 without a count.
int64_t getMean(int64_t sum, uint64_t count);

/// The longest time that three values, and one in twenty, took or exceeded, as
/// exactly as the histogram tells; none for fewer than three, or if the
/// histogram is incomplete.
std::optional<int64_t> getUsualPs(const profile::Summary &summary);

/// Recurring time of all calls: the sum with each value counted at most as the
/// longest that three calls, and one in twenty, took or exceeded; for two
/// calls, as the shorter. A few values far above the others, such as a first
/// call or a stall, count as usual ones, as exactly as the histogram tells. A
/// single value does not tell the usual time and counts unchanged.
int64_t getHabitPs(const profile::Summary &summary);

/// Minimum for a meaningful median.
inline constexpr uint64_t kLeastSteps = 3;

/// Times of the loop over steps, of all runs that other tools recorded, each
/// the sum over runs of the number of steps times the run's median, so that a
/// first step or a stall counts as a usual one. (The steps of recordings by
/// `mlir-prof record` are calls without anything between them.)
struct StepTimes {
  uint64_t steps = 0;
  /// Steps, and the time between them.
  int64_t spanPs = 0;
  /// Between the end of a step and the begin of the next.
  int64_t betweenPs = 0;
  /// Within steps, while no op ran or was in flight.
  int64_t idlePs = 0;
  /// Within steps, while some op did.
  int64_t busyPs = 0;
};
/// Whether a run has them: one of another tool, with at least kLeastSteps
/// steps, with the ends of asynchronous ops.
bool hasStepTimes(const profile::Profile &profile, const profile::Run &run);
/// The sum over the runs that have them.
StepTimes getStepTimes(const profile::Profile &profile);
/// Whether mlir-prof record made it: only then a run has iterations.
bool isOwnRecording(const profile::Run &run);

} // namespace mlirprof::advise

#endif // MLIR_PROF_LIB_ADVISE_CONTEXT_H
