//===- Peak.h - Peak rates of a device --------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_DEVICE_PEAK_H
#define MLIR_PROF_DEVICE_PEAK_H

#include "mlir-prof/Device/Driver.h"

namespace mlirprof::device {

/// Measured rates of a device; 0 if unknown.
struct DevicePeak {
  /// Floating point operations (f32, without tensor cores; a fused multiply-add
  /// is two) per second.
  uint64_t flops = 0;
  /// Bytes read and bytes written per second by a copy on the device, of more
  /// than a cache holds.
  uint64_t bytes = 0;
};

/// Measures the device of `driver`, which has `multiprocessors`, on `stream`.
/// Each figure is the best of several rounds of about a millisecond. Fails if
/// the device does not have half a gigabyte of memory left, or a call fails.
llvm::Expected<DevicePeak> measurePeak(Driver &driver, unsigned multiprocessors,
                                       Handle stream);

/// "60.1 TFLOP/s, 3950 GB/s".
std::string formatPeak(const DevicePeak &peak);

} // namespace mlirprof::device

#endif // MLIR_PROF_DEVICE_PEAK_H
