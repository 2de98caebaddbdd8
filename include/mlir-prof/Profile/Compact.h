//===- Compact.h - A profile made small -------------------------*- C++ -*-===//
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

/// What the measured ops that are not among the first K become: ops of this
/// name and kernel.
inline constexpr llvm::StringLiteral kOtherOps = "(other ops)";
inline constexpr llvm::StringLiteral kOtherOpsKernel = "other";
/// What their events are called.
inline constexpr llvm::StringLiteral kOtherEvents = "(other events)";

struct CompactOptions {
  /// Keeps the ops and the names of events with most time, so many of each, and
  /// adds up the others. None: all are kept.
  std::optional<uint64_t> top;
};

/// Folds the runs of `profile` that one format, one machine and one sampling
/// period have into one run each, which lists the hashes of its recordings.
/// Runs that the stored module is not of (StoredModule.h) stay apart.
///
/// Counts, sums, sums of squares, extremes and histograms of every op, every
/// event and every value add up exactly, and so does the time of the profile.
/// What a folded run cannot hold is counted as its losses, "compacted: ...":
/// steps (their durations stay in Run::iterations), kept events, facts and work
/// that differ between its recordings, and sums that passed 64 bits. Begins are
/// relative to the earliest clock, where all have an anchor, else to the run
/// that they were measured in.
///
/// The order of the runs does not matter; compacting again changes nothing.
/// Fails as ProfileMerger does.
llvm::Expected<Profile> compactProfile(Profile profile,
                                       const CompactOptions &options = {});

} // namespace mlirprof::profile

#endif // MLIR_PROF_PROFILE_COMPACT_H
