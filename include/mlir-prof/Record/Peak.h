//===- Peak.h - What this machine can do at most ----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_RECORD_PEAK_H
#define MLIR_PROF_RECORD_PEAK_H

#include "mlir-prof/Profile/Profile.h"
#include "llvm/Support/Error.h"

namespace mlirprof::record {

/// Measured floating point operations (f32; a fused multiply-add is two) and
/// bytes of memory a second.
struct MachinePeak {
  uint64_t flopsOneThread = 0;
  uint64_t flopsAllThreads = 0;
  /// Of data that no cache holds: the better of reading, and of copying, where
  /// what is read and what is written both count.
  uint64_t bytesOneThread = 0;
  uint64_t bytesAllThreads = 0;
  /// What "all" means: the threads that this process may use.
  unsigned threads = 1;
};

/// Measures this machine, in about `seconds` (and at most some hundred
/// milliseconds more; up to three times as long where all threads together seem
/// to be kept from their processors). Each figure is the best round of several
/// bursts, between which the others are measured, so that what else runs on the
/// machine lowers it little. Still it is what the machine can do at least.
/// Fails when the code for it cannot be made.
llvm::Expected<MachinePeak> measurePeak(double seconds = 0.5);

/// Writes what was measured into the description of a machine.
void setPeak(profile::Machine &machine, const MachinePeak &peak);

} // namespace mlirprof::record

#endif // MLIR_PROF_RECORD_PEAK_H
