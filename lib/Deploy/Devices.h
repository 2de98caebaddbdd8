//===- Devices.h - Devices of a package -------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_DEPLOY_DEVICES_H
#define MLIR_PROF_LIB_DEPLOY_DEVICES_H

#include "mlir-prof/Deploy/Deploy.h"

namespace mlirprof::deploy {

/// Plans the memory of each device of `model`: what its dispatches and
/// transfers use of other memory has a place there. Bindings of its dispatches
/// become places in it, and transfers get theirs as the second binding, or as
/// the first one if they are from the device.
llvm::Error placeOnDevices(DeployedModel &model);

/// The needs of the model as tables of C, and the function that opens its
/// devices.
std::string declareDevices(const DeployedModel &model);

/// Which of the device's kernels `step` runs.
size_t getDeviceKernel(const DeployedModel &model,
                       const codegen::HostStep &step);

/// "PROF_MEMORY_READ | PROF_MEMORY_WRITE".
llvm::StringRef getPermissions(const codegen::HostPlace &place);

} // namespace mlirprof::deploy

#endif // MLIR_PROF_LIB_DEPLOY_DEVICES_H
