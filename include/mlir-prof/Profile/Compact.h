//===- Compact.h - Compacting a profile -------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_PROFILE_COMPACT_H
#define MLIR_PROF_PROFILE_COMPACT_H

#include "mlir-prof/Profile/Profile.h"
#include "llvm/Support/Error.h"

#include <optional>

namespace mlirprof::profile {

/// Replaces the measured ops that are not among the first K: the name and
/// kernel of the sum.
inline constexpr llvm::StringLiteral kOtherOps = "(other ops)";
inline constexpr llvm::StringLiteral kOtherOpsKernel = "other";
/// The name of their events.
inline constexpr llvm::StringLiteral kOtherEvents = "(other events)";

struct CompactOptions {
  /// Keeps this many ops and event names with the most time, and adds up the
  /// others. None keeps all.
  std::optional<uint64_t> top;
};

/// Folds the runs of `profile` with the same format, machine and sampling
/// period into one run each, which lists the hashes of its recordings. Runs to
/// which the stored module does not belong (StoredModule.h) are folded
/// separately.
///
/// Counts, sums, sums of squares, extremes and histograms of every op, every
/// event and every value add up exactly, and so does the time of the profile.
/// Data that a folded run cannot hold is counted as losses, "compacted: ...":
/// steps (their durations stay in Run::iterations), kept events, scopes, facts
/// and work that differ between its recordings, and sums that exceeded 64 bits.
/// Begins are relative to the earliest clock if all have an anchor, else to the
/// run in which they were measured.
///
/// The order of the runs does not matter; compacting again does not change
/// anything. Fails like ProfileMerger.
llvm::Expected<Profile> compactProfile(Profile profile,
                                       const CompactOptions &options = {});

} // namespace mlirprof::profile

#endif // MLIR_PROF_PROFILE_COMPACT_H
