//===- Clock.h - The clock for durations ------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SUPPORT_CLOCK_H
#define MLIR_PROF_SUPPORT_CLOCK_H

#include <cstdint>
#include <functional>

namespace mlirprof {

/// Seconds from an arbitrary origin, never decreasing.
using TimeSource = std::function<double()>;

/// CLOCK_MONOTONIC in seconds: the same in all processes of the machine.
double getMonotonicSeconds();
/// The same in nanoseconds.
int64_t getMonotonicNs();
/// Nanoseconds since the epoch (CLOCK_REALTIME).
int64_t getEpochNs();

} // namespace mlirprof

#endif // MLIR_PROF_SUPPORT_CLOCK_H
