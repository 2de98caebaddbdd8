//===- Device.h - Models on a device ----------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SESSION_DEVICE_H
#define MLIR_PROF_SESSION_DEVICE_H

#include "mlir-prof/Device/Measure.h"
#include "mlir-prof/Record/ProfileFromDevice.h"
#include "mlir-prof/Session/Model.h"

namespace mlirprof {

/// A program for a device, and the content hash of its file.
struct DeviceModel {
  device::Program program;
  std::string hash;
};

/// Reads the program in the file `path`; none if the file is something else.
llvm::Expected<std::optional<DeviceModel>>
openDeviceModel(llvm::StringRef path);

/// The program of `built`, which was compiled for a device, with the levels of
/// its ops in it.
llvm::Expected<DeviceModel> takeDeviceModel(BuiltModel &built);

/// Arguments and results as those of compiled models.
compile::Signature getSignature(const device::Program &program);

/// A run, and the results of its first iteration.
struct DeviceResult {
  device::DeviceRun run;
  std::vector<HostTensor> results;
};

/// Runs `program` on the device number `device` of this machine. If samples are
/// wanted and cannot be taken, it runs without, and `onNote` receives the
/// reason.
llvm::Expected<DeviceResult> runOnDevice(const device::Program &program,
                                         llvm::ArrayRef<HostTensor> arguments,
                                         const device::MeasureOptions &options,
                                         unsigned device,
                                         const NoteHandler &onNote = {});

/// The architecture of the device number `device` of this machine, with the
/// instructions that only it has if the code generator uses them: "sm_90a".
llvm::Expected<std::string> getDeviceTarget(unsigned device);

/// Reads the run of `model` that mlir-prof-gpu wrote to the file `path`.
llvm::Expected<device::DeviceRun> openDeviceRun(llvm::StringRef path,
                                                const DeviceModel &model);

/// The profile of a run of `model`, which was read from `path`.
llvm::Expected<profile::Profile>
makeDeviceProfile(llvm::StringRef path, const DeviceModel &model,
                  const device::DeviceRun &run,
                  record::KeepSamples keep = record::KeepSamples::No);

} // namespace mlirprof

#endif // MLIR_PROF_SESSION_DEVICE_H
