//===- KeepKernels.h - Kernels apart from the host side ---------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_COMPILE_KERNELS_KEEPKERNELS_H
#define MLIR_PROF_LIB_COMPILE_KERNELS_KEEPKERNELS_H

#include "TakeKernels.h"
#include "llvm/ADT/StringMap.h"

namespace mlirprof::compile {

/// By the name of a kernel, for each of its arguments: whether every dispatch
/// passes a constant.
using ConstantArguments = llvm::StringMap<std::vector<bool>>;

/// The constants that the dispatches of `module`, at level dispatch, pass.
ConstantArguments findConstantArguments(mlir::ModuleOp module);

/// Adds the code of `kernels`, which belong to `taken`, in its order, to
/// `model`, the host side.
void keepKernels(llvm::ArrayRef<TakenKernel> taken,
                 std::vector<CompiledKernel> kernels,
                 const ConstantArguments &constants, CompiledModel &model);

} // namespace mlirprof::compile

#endif // MLIR_PROF_LIB_COMPILE_KERNELS_KEEPKERNELS_H
