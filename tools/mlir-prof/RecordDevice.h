//===- RecordDevice.h - Recording a model on a device -----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TOOLS_RECORDDEVICE_H
#define MLIR_PROF_TOOLS_RECORDDEVICE_H

#include "RecordOptions.h"
#include "mlir-prof/Session/Device.h"

namespace mlirprof {

/// Runs `program`, which the file options.model is, or else the module there,
/// on a device, and writes what `options` name.
llvm::Error recordDevice(const llvm::opt::InputArgList &arguments,
                         RecordOptions &options,
                         std::optional<DeviceModel> program);

} // namespace mlirprof

#endif // MLIR_PROF_TOOLS_RECORDDEVICE_H
