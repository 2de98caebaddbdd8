//===- Workspaces.h - Memory that the host gives to kernels -----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_COMPILE_KERNELS_WORKSPACES_H
#define MLIR_PROF_LIB_COMPILE_KERNELS_WORKSPACES_H

#include "TakeKernels.h"

namespace mlirprof::compile {

/// Passes each dispatch of `module` whose kernel needs a workspace a buffer as
/// its last operand, which lives as long as the dispatch. `compiled` are the
/// code of `kernels`.
void addWorkspaces(mlir::ModuleOp module, llvm::ArrayRef<TakenKernel> kernels,
                   llvm::ArrayRef<CompiledKernel> compiled);

} // namespace mlirprof::compile

#endif // MLIR_PROF_LIB_COMPILE_KERNELS_WORKSPACES_H
