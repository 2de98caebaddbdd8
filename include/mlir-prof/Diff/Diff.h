//===- Diff.h - What changed between two profiles ---------------*- C++ -*-===//
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

/// How an op was found on the other side.
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

/// What an op of a module is in both.
struct AlignedOp {
  /// Equal for ops that are counterparts, or cannot be told apart from them.
  /// kNone where the other module has none.
  uint32_t group = trace::kNone;
  DiffMatch match = DiffMatch::Key;
};

/// One of the two profiles; everything must outlive the diff.
struct DiffSide {
  const profile::Profile &profile;
  /// Names it in errors.
  std::string name;
  /// Of the module that was run; null where measured ops are compared.
  const attribution::Ownership *ownership = nullptr;
  /// Where the modules of both sides are known: for each of ownership->ops what
  /// it is, equal for counterparts. Empty, they are compared by name.
  std::vector<AlignedOp> aligned = {};
};

/// What the scatter of a difference is known from, beside the iterations,
/// events or samples within the runs, which always count.
enum class DiffBasis : uint8_t {
  /// One measurement on each side, or sums alone.
  None,
  /// How the runs of a side differ from each other.
  Runs,
  /// As Runs, of runs that were taken in turns: how pairs of them differ.
  Pairs,
  /// One run on each side: the single executions within it.
  Events,
  /// One run on each side: samples, which come at random.
  Samples,
  /// One run on each side: its iterations.
  Iterations,
};
llvm::StringRef toString(DiffBasis basis);

enum class DiffVerdict : uint8_t {
  Slower,
  Faster,
  NotSignificant,
  /// Nothing is known of the scatter.
  Unknown,
  /// Less than DiffOptions::minSharePpm of the time on both sides.
  TooSmall,
};
llvm::StringRef toString(DiffVerdict verdict);

/// What is compared, all times for one unit (see ProfileDiff::unit).
struct DiffRow {
  /// "stablehlo.add", or the kernel of a measured op; may be empty.
  std::string op;
  std::string name;
  DiffMatch match = DiffMatch::Key;
  /// How many ops it stands for: several where nothing tells them apart.
  uint64_t beforeOps = 0;
  uint64_t afterOps = 0;
  int64_t beforePs = 0;
  int64_t afterPs = 0;
  DiffBasis basis = DiffBasis::None;
  DiffVerdict verdict = DiffVerdict::Unknown;
  /// The change that was tested: without stalls, where these hide it.
  int64_t testedPs = 0;
  /// Interval of testedPs, for this row alone; only with a basis.
  int64_t lowPs = 0;
  int64_t highPs = 0;
  /// About the smallest change that would have been called one.
  int64_t detectablePs = 0;
  /// That chance alone makes such a difference; and corrected for all tests.
  /// 1 without a basis.
  double pValue = 1;
  double adjusted = 1;

  int64_t changePs() const;
};

/// Of what a unit is, by which all times are divided.
enum class DiffUnit : uint8_t { Iteration, Run };
llvm::StringRef toString(DiffUnit unit);

/// What is summed up: time, or where a profile has none, what it has.
enum class DiffQuantity : uint8_t { Time, Cycles, Samples };
llvm::StringRef toString(DiffQuantity quantity);

struct ProfileDiff {
  DiffUnit unit = DiffUnit::Run;
  /// Other quantities than time stand in the fields *Ps.
  DiffQuantity quantity = DiffQuantity::Time;
  uint64_t beforeUnits = 0;
  uint64_t afterUnits = 0;
  uint64_t beforeRuns = 0;
  uint64_t afterRuns = 0;
  /// Time of all ops. total.changePs() is the sum of the changes of `rows` and
  /// `roundingPs`.
  DiffRow total;
  /// By what rounding each op to whole picoseconds a unit differs from rounding
  /// the total.
  int64_t roundingPs = 0;
  /// Wall time of an iteration, where both sides know it: the median.
  std::optional<DiffRow> wall;
  /// Of iterations that nothing disturbed: the lower quartile, where both sides
  /// list their iterations in order.
  std::optional<DiffRow> quiet;
  /// What changed, largest change first; nothing else.
  std::vector<DiffRow> rows;
  /// Ops on both sides that took exactly as long.
  uint64_t unchanged = 0;
  /// Ops that were tested, those included that did not change.
  uint64_t tests = 0;
  /// What should be known before anything is concluded.
  std::vector<std::string> notes;
};

struct DiffOptions {
  profile::MachineRule machines = profile::MachineRule::Same;
  /// Largest chance, in millionths, that anything is called slower or faster
  /// and is not.
  uint32_t alphaPpm = 10000;
  /// Ops with less of the time on both sides are not tested.
  uint32_t minSharePpm = 1000;
};

/// Compares two profiles, the whole and op by op; docs/comparing.md tells how.
/// Fails when they are of different machines, have no quantity in common,
/// were sampled by different clocks, or share no op.
llvm::Expected<ProfileDiff> diffProfiles(const DiffSide &before,
                                         const DiffSide &after,
                                         const DiffOptions &options = {});

/// What is compared of the whole: quiet and wall time where they are known, and
/// the total.
std::vector<const DiffRow *> getWhole(const ProfileDiff &diff);

/// Rows of `diff` (and of its whole) that are slower, significantly, and by at
/// least `limitPpm` millionths of what they took before; what took nothing
/// counts by its part of the total.
std::vector<const DiffRow *> findRegressions(const ProfileDiff &diff,
                                             uint64_t limitPpm);

/// The smallest slowdown of the whole that `diff` can tell, in millionths;
/// none where it can tell nothing.
std::optional<uint64_t> getDetectablePpm(const ProfileDiff &diff);

} // namespace mlirprof::diff

#endif // MLIR_PROF_DIFF_DIFF_H
