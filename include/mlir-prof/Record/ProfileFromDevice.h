//===- ProfileFromDevice.h - A run on a device as a profile -----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_RECORD_PROFILEFROMDEVICE_H
#define MLIR_PROF_RECORD_PROFILEFROMDEVICE_H

#include "mlir-prof/Device/Measure.h"
#include "mlir-prof/Record/ProfileFromRun.h"

namespace mlirprof::record {

/// The profile without runs of a model whose kernels are those of `program`:
/// the model's program, with a probe at the function of each kernel, and the
/// modules of its levels.
llvm::Expected<profile::Profile>
makeDeviceLevels(const compile::CompiledModel &model,
                 const device::Program &program);

/// Adds the measurements of `program` in `result` to `profile`, as one run.
/// `profile` has what makeDeviceLevels() returned, or nothing for a program
/// whose ops do not have identities. A launch is measured by the probe of its
/// kernel, in its dispatch: the quantities Execute and Self without the cost of
/// events, RawExecute and RawSelf with it. A step that is not a launch of a
/// kernel with an identity is outside of the model. If program counters were
/// sampled, the instructions of each sampled kernel become those of the
/// program, and have the times of its launches in proportion to their samples,
/// so that the times of a launch add up to that between its events. Tracks are
/// those of the device's stream, of the copies to and from the device, and of
/// the host. An iteration whose steps were timed is a step of the run; its
/// times on the device are placed such that they end when the host had waited
/// for them.
void addDeviceRun(const device::Program &program,
                  const device::DeviceRun &result, profile::Profile &profile,
                  KeepSamples keep = KeepSamples::No);

} // namespace mlirprof::record

#endif // MLIR_PROF_RECORD_PROFILEFROMDEVICE_H
