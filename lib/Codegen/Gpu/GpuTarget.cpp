//===- GpuTarget.cpp - GPUs -----------------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Codegen/Target.h"
#include "mlir-prof/Support/Error.h"

using namespace mlirprof;
using namespace mlirprof::codegen;

/// The least processor, which has asynchronous copies and products of bf16.
static constexpr unsigned kLeastVersion = 80;

bool codegen::hasWarpgroups(const TargetModel &target) {
  return isGpu(target) && target.cpu == "sm_90a";
}

llvm::Expected<TargetModel> codegen::getGpuTarget(llvm::StringRef cpu) {
  TargetModel target;
  target.triple = kGpuTriple;
  target.cpu = cpu.empty() ? "sm_" + std::to_string(kLeastVersion) : cpu.str();
  unsigned version = 0;
  llvm::StringRef number = target.cpu;
  bool isNumbered = number.consume_front("sm_") &&
                    !number.consumeInteger(10, version) &&
                    (number.empty() || number == "a" || number == "f");
  if (!isNumbered)
    return usageError("'--device-target=" + cpu +
                      "' is not a processor of a GPU; sm_80 and sm_90, for "
                      "example, are");
  if (version < kLeastVersion)
    return usageError("'--device-target=" + cpu + "' is older than sm_" +
                      llvm::Twine(kLeastVersion) +
                      ", the least processor for which there is code");
  // The least version with all types of numbers; later processors need more.
  if (version < 100)
    target.features = hasWarpgroups(target) ? "+ptx80" : "+ptx78";
  target.hasHeap = false;
  target.isChecked = false;
  target.maxError = 0;
  return target;
}
