//===- DeviceOptions.h - Options about devices ------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TOOLS_DEVICEOPTIONS_H
#define MLIR_PROF_TOOLS_DEVICEOPTIONS_H

#include "Options.h"
#include "mlir-prof/Compile/Compiler.h"

namespace mlirprof {

/// The device that --device and --device-target name.
struct DeviceOptions {
  bool isGpu = false;
  unsigned number = 0;
  /// "sm_90"; empty for the default.
  std::string target;
  /// A run on another machine; empty for none.
  std::string run;
};

/// Reads the options about devices.
llvm::Expected<DeviceOptions>
getDeviceOptions(const llvm::opt::InputArgList &arguments);

/// Makes `options` those of code for a GPU. Fails on options of the command
/// line that are about the processor.
llvm::Error useGpu(const llvm::opt::InputArgList &arguments,
                   llvm::StringRef target, compile::CompileOptions &options);

} // namespace mlirprof

#endif // MLIR_PROF_TOOLS_DEVICEOPTIONS_H
