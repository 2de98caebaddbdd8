//===- DeviceOptions.cpp - Options about devices --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceOptions.h"
#include "mlir-prof/Support/Error.h"

using namespace mlirprof;
using llvm::opt::InputArgList;

llvm::Expected<DeviceOptions>
mlirprof::getDeviceOptions(const InputArgList &arguments) {
  DeviceOptions options;
  llvm::StringRef text = arguments.getLastArgValue(OPT_device_EQ, "cpu");
  auto [kind, number] = text.split(':');
  options.isGpu = kind == "cuda";
  bool isNumbered = text.contains(':');
  if ((kind != "cpu" && kind != "cuda") || (isNumbered && !options.isGpu) ||
      (isNumbered && number.getAsInteger(10, options.number)))
    return usageError("'--device=" + text + "' must be cpu, cuda or cuda:N");
  options.target = arguments.getLastArgValue(OPT_device_target_EQ).str();
  if (!options.target.empty() && !options.isGpu)
    return usageError("'--device-target' needs --device=cuda");
  options.run = arguments.getLastArgValue(OPT_device_run_EQ).str();
  return std::move(options);
}

llvm::Error mlirprof::useGpu(const InputArgList &arguments,
                             llvm::StringRef target,
                             compile::CompileOptions &options) {
  for (OptionId id : {OPT_cpu_EQ, OPT_threads_EQ, OPT_pipeline_EQ,
                      OPT_decisions_EQ, OPT_math_EQ, OPT_max_error_EQ})
    if (arguments.hasArg(id))
      return usageError("'" + arguments.getLastArg(id)->getAsString(arguments) +
                        "' is for models on the processor, not for "
                        "--device=cuda");
  auto gpu = codegen::getGpuTarget(target);
  if (!gpu)
    return gpu.takeError();
  options.target = std::move(*gpu);
  options.recordValues = false;
  return llvm::Error::success();
}
