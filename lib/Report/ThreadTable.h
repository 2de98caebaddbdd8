//===- ThreadTable.h - Activity of threads in recordings --------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_REPORT_THREADTABLE_H
#define MLIR_PROF_LIB_REPORT_THREADTABLE_H

#include "mlir-prof/Profile/Profile.h"

namespace mlirprof::report {

/// The classes of thread activity in a recording by mlir-prof. The last ones
/// are those of an executor of dispatches, which other models do not have.
inline constexpr llvm::StringLiteral kThreadClasses[] = {
    "work", "library", "kernel", "waiting", "outside", "stealing", "executor"};
inline constexpr uint32_t kClassesOfAll = 5;

/// Times and samples of a thread, by class.
struct ThreadTimes {
  const profile::TrackInfo *track = nullptr;
  /// Positions in Profile::runs and Run::tracks.
  uint32_t run = 0;
  uint32_t number = 0;
  int64_t timesPs[std::size(kThreadClasses)] = {};
  uint64_t samples[std::size(kThreadClasses)] = {};
};

/// The threads of recordings by mlir-prof with times of these classes.
std::vector<ThreadTimes> getThreads(const profile::Profile &profile);

} // namespace mlirprof::report

#endif // MLIR_PROF_LIB_REPORT_THREADTABLE_H
