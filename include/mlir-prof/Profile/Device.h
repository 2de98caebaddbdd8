//===- Device.h - Devices on which a run was measured -----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_PROFILE_DEVICE_H
#define MLIR_PROF_PROFILE_DEVICE_H

#include "mlir-prof/Profile/Summary.h"

#include <string>
#include <vector>

namespace mlirprof::profile {

/// A limit of a device, as measured: "bf16" and other types of floating
/// point operations a second in products; "memory", "to device" and "to host"
/// bytes a second that are read or written, and copied.
struct DevicePeak {
  std::string name;
  uint64_t perSecond = 0;
};

/// Time in which a device waited for the host, by what the host did: the
/// innermost event on the thread that launched the work that ended the wait;
/// "" if nothing was recorded.
struct DeviceWait {
  std::string host;
  Summary time;
};

/// A device on which work of the run was measured. Empty and 0 mean unknown.
struct DeviceInfo {
  /// The producer's number for it.
  int64_t number = 0;
  std::string name;
  uint64_t memoryBytes = 0;
  uint32_t processors = 0;
  std::vector<DevicePeak> peaks;
  /// Unions over all streams: of all work, of kernels, and of copies and
  /// settings of memory.
  int64_t busyPs = 0;
  int64_t kernelBusyPs = 0;
  int64_t copyBusyPs = 0;
  /// The gaps between work, from the first of it to the last.
  Summary idle;
  /// Parts of `idle`: each gap adds what the host did in it. In order of names.
  std::vector<DeviceWait> waits;
};

} // namespace mlirprof::profile

#endif // MLIR_PROF_PROFILE_DEVICE_H
