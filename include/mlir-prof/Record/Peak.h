//===- Peak.h - Peak rates of this machine ----------------------*- C++ -*-===//
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
/// bytes of memory per second.
struct MachinePeak {
  uint64_t flopsOneThread = 0;
  uint64_t flopsAllThreads = 0;
  /// For data that does not fit into a cache: the better of reading, and of
  /// copying, where bytes read and bytes written both count.
  uint64_t bytesOneThread = 0;
  uint64_t bytesAllThreads = 0;
  /// The threads that this process may use, the meaning of "all".
  unsigned threads = 1;
};

/// Measures this machine, in about `seconds` (and at most some hundred
/// milliseconds more; up to three times as long if the threads together do not
/// seem to get their processors). Each figure is the best round of several
/// bursts, between which the others are measured, so that other programs lower
/// it little. It remains a lower bound of the machine's rate. Fails if the code
/// for it cannot be generated.
llvm::Expected<MachinePeak> measurePeak(double seconds = 0.5);

/// Stores the measured rates in the description of a machine.
void setPeak(profile::Machine &machine, const MachinePeak &peak);

} // namespace mlirprof::record

#endif // MLIR_PROF_RECORD_PEAK_H
