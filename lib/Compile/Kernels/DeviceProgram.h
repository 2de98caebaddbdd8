//===- DeviceProgram.h - A model as a program of a device -------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_COMPILE_KERNELS_DEVICEPROGRAM_H
#define MLIR_PROF_LIB_COMPILE_KERNELS_DEVICEPROGRAM_H

#include "TakeKernels.h"
#include "mlir-prof/Device/Program.h"

namespace mlirprof::compile {

/// The program of `model`, which has a host graph, whose constants move to the
/// program. `kernels` belong to `taken`, in its order. `nodes` are, by kernel,
/// the numbers in the model's program of the nodes of its own; debug lines of
/// the assembly become these, increased by 1. Without identities it is empty,
/// and so are the lines.
llvm::Expected<device::Program>
makeDeviceProgram(CompiledModel &model, llvm::ArrayRef<TakenKernel> taken,
                  llvm::ArrayRef<CompiledKernel> kernels,
                  llvm::ArrayRef<std::vector<uint32_t>> nodes);

} // namespace mlirprof::compile

#endif // MLIR_PROF_LIB_COMPILE_KERNELS_DEVICEPROGRAM_H
