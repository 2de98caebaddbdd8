//===- PaddleProfile.h - Files of Paddle's profilers ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SCOPE_PADDLEPROFILE_H
#define MLIR_PROF_SCOPE_PADDLEPROFILE_H

#include "mlir-prof/Scope/Table.h"

namespace mlirprof::scope {

/// Moments in nanoseconds since the epoch, for formats that have nothing finer
/// and nothing below 0. Without an anchor they count from 1 ns.
class EpochNs {
public:
  explicit EpochNs(const Recordings &recordings);

  uint64_t get(const Recording &recording, int64_t ps) const;

private:
  int64_t shiftNs = 0;
};

/// The number of the device of a timeline: as its name, "device 1 stream",
/// tells, or else among the recording's devices.
uint64_t getDeviceNumber(const Thread &thread);

/// Adds what the formats of Paddle cannot say about the scopes of `recording`,
/// except for parts of a nanosecond.
void addPaddleLosses(const Recording &recording, LossList &losses);

/// Recordings as the message that Paddle's first profiler writes in
/// stop_profiler(): each scope with the names of those around it, and the lives
/// of allocations. Threads are numbered over all recordings.
std::string writePaddleProfile(const Recordings &recordings, LossList &losses);

} // namespace mlirprof::scope

#endif // MLIR_PROF_SCOPE_PADDLEPROFILE_H
