//===- Diff.h - Comparing two profiles --------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_DIFF_DIFF_H
#define MLIR_PROF_DIFF_DIFF_H

#include "mlir-prof/Attribution/Ownership.h"
#include "mlir-prof/Profile/Merge.h"

#include <optional>

namespace mlirprof::diff {

/// The way in which an op was found on the other side.
enum class DiffMatch : uint8_t {
  /// By its name.
  Key,
  /// By its structure, after a rebuild.
  Structure,
  /// It is on one side only.
  Appeared,
  Disappeared,
};
llvm::StringRef toString(DiffMatch match);

/// The identity of a module's op on both sides.
struct AlignedOp {
  /// Equal for counterparts, and for ops that cannot be distinguished from
  /// them. kNone without a counterpart in the other module.
  uint32_t group = trace::kNone;
  DiffMatch match = DiffMatch::Key;
};

/// One of the two profiles; all of it must outlive the diff.
struct DiffSide {
  const profile::Profile &profile;
  /// Name in errors.
  std::string name;
  /// Ownership in the module that was run; null if measured ops are compared.
  const attribution::Ownership *ownership = nullptr;
  /// If the modules of both sides are known: the identity of each of
  /// ownership->ops, equal for counterparts. If empty, ops are compared by
  /// name.
  std::vector<AlignedOp> aligned = {};
};

/// The source of the variance of a difference, in addition to the iterations,
/// events or samples within the runs, which always count.
enum class DiffBasis : uint8_t {
  /// One measurement on each side, or sums alone.
  None,
  /// Differences between the runs of a side.
  Runs,
  /// Like Runs, for alternating runs: differences between pairs of them.
  Pairs,
  /// One run on each side: the single executions within it.
  Events,
  /// One run on each side: samples, which occur at random.
  Samples,
  /// One run on each side: its iterations.
  Iterations,
};
llvm::StringRef toString(DiffBasis basis);

enum class DiffVerdict : uint8_t {
  Slower,
  Faster,
  NotSignificant,
  /// The variance is unknown.
  Unknown,
  /// Less than DiffOptions::minSharePpm of the time on both sides.
  TooSmall,
};
llvm::StringRef toString(DiffVerdict verdict);

/// The times of a row that its test compares.
enum class DiffMeasure : uint8_t {
  /// Times of iterations.
  WallTime,
  /// Means over all executions, and over those that are not outliers.
  Mean,
  SteadyMean,
  /// Shares of the time of all ops, as a part of an undisturbed iteration; and
  /// the same without outliers.
  Share,
  SteadyShare,
  /// All executions, as if they had taken as long as the fastest.
  Fastest,
};
llvm::StringRef toString(DiffMeasure measure);

/// A compared quantity, all times for one unit (see ProfileDiff::unit).
struct DiffRow {
  /// "stablehlo.add", or the kernel of a measured op; may be empty.
  std::string op;
  std::string name;
  DiffMatch match = DiffMatch::Key;
  /// Number of ops that it represents: several if they cannot be distinguished.
  uint64_t beforeOps = 0;
  uint64_t afterOps = 0;
  /// Means over all executions, which add up to those of the total; of the wall
  /// time, what is tested.
  int64_t beforePs = 0;
  int64_t afterPs = 0;
  DiffBasis basis = DiffBasis::None;
  DiffVerdict verdict = DiffVerdict::Unknown;
  /// The kind of time that the deciding test compares. The fields down to
  /// detectablePs are such times: disturbances may change the means in the
  /// opposite direction.
  DiffMeasure measure = DiffMeasure::Mean;
  int64_t testedBeforePs = 0;
  /// The change from testedBeforePs.
  int64_t testedPs = 0;
  /// The time of which the change is a part: testedBeforePs, or that of all ops
  /// before if the row did not take time before.
  int64_t basePs = 0;
  /// Interval of testedPs, for this row alone; only with a basis.
  int64_t lowPs = 0;
  int64_t highPs = 0;
  /// Approximately the smallest change that would have been significant.
  int64_t detectablePs = 0;
  /// The probability that chance alone causes such a difference; and the same
  /// corrected for all tests. 1 without a basis.
  double pValue = 1;
  double adjusted = 1;

  /// The change of the means.
  int64_t changePs() const;
  int64_t testedAfterPs() const;
  /// `partPs` of basePs in millionths; none without a base.
  std::optional<int64_t> getPpm(int64_t partPs) const;
};

/// The unit by whose number all times are divided.
enum class DiffUnit : uint8_t { Iteration, Run };
llvm::StringRef toString(DiffUnit unit);

/// The summed quantity: time, or the first that a profile without times has.
/// Profiles that counted something in place of time (CountedUnit.h) have
/// counts.
enum class DiffQuantity : uint8_t { Time, Cycles, Samples, Counts };
llvm::StringRef toString(DiffQuantity quantity);

struct ProfileDiff {
  DiffUnit unit = DiffUnit::Run;
  /// The fields *Ps contain this quantity even if it is not time.
  DiffQuantity quantity = DiffQuantity::Time;
  /// The counted unit, a plural, if it is counts.
  std::string countedUnit;
  uint64_t beforeUnits = 0;
  uint64_t afterUnits = 0;
  uint64_t beforeRuns = 0;
  uint64_t afterRuns = 0;
  /// Time of all ops. total.changePs() is the sum of the changes of `rows` and
  /// `roundingPs`.
  DiffRow total;
  /// The difference between rounding each op to whole picoseconds per unit and
  /// rounding the total.
  int64_t roundingPs = 0;
  /// Wall time of an iteration, if both sides know it: the median.
  std::optional<DiffRow> wall;
  /// Wall time of undisturbed iterations: the lower quartile, if both sides
  /// list their iterations in order.
  std::optional<DiffRow> quiet;
  /// Only rows that changed, largest tested change first.
  std::vector<DiffRow> rows;
  /// Ops on both sides with equal means, and without a change by their tests.

  uint64_t unchanged = 0;
  /// Number of tested ops, including those that did not change.
  uint64_t tests = 0;
  /// Warnings to read before drawing conclusions.
  std::vector<std::string> notes;
};

/// The name of what `diff` sums: "time", or "instructions".
llvm::StringRef getQuantityName(const ProfileDiff &diff);

struct DiffOptions {
  profile::MachineRule machines = profile::MachineRule::Same;
  /// Limit on the probability, in millionths, that anything is called slower or
  /// faster although it is not.
  uint32_t alphaPpm = 10000;
  /// Ops with a smaller share of the time on both sides are not tested.
  uint32_t minSharePpm = 1000;
};

/// Compares two profiles, in total and op by op, as docs/comparing.md
/// describes. Fails if they come from different machines, do not share a
/// quantity, were sampled by different clocks, or do not share an op.
llvm::Expected<ProfileDiff> diffProfiles(const DiffSide &before,
                                         const DiffSide &after,
                                         const DiffOptions &options = {});

/// The rows of the run as a whole: quiet and wall time if known, and the total.
std::vector<const DiffRow *> getWhole(const ProfileDiff &diff);

/// Rows of `diff` (and of its whole) that are slower, significantly, and by at
/// least `limitPpm` millionths of DiffRow::basePs.
std::vector<const DiffRow *> findRegressions(const ProfileDiff &diff,
                                             uint64_t limitPpm);

/// The smallest slowdown of the total that `diff` can detect, in millionths;
/// none if it cannot detect any.
std::optional<uint64_t> getDetectablePpm(const ProfileDiff &diff);

} // namespace mlirprof::diff

#endif // MLIR_PROF_DIFF_DIFF_H
