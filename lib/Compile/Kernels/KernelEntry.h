//===- KernelEntry.h - The interface of a kernel's code ---------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_COMPILE_KERNELS_KERNELENTRY_H
#define MLIR_PROF_LIB_COMPILE_KERNELS_KERNELENTRY_H

#include "KernelCompiler.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlirprof::compile {

/// The bytes to which each buffer of a kernel of a GPU is aligned.
inline constexpr uint64_t kGpuAlignment = 16;

/// Gives `kernel`, a function of tensors that returns the last of its arguments
/// with new elements, arguments of buffers and no results.
void openKernel(mlir::func::FuncOp kernel);

/// Makes the only public function of `module` a kernel for the passes that
/// divide kernels.
void markKernel(mlir::ModuleOp module);

/// Adds the function `symbol` (KernelCompiler.h), which calls the kernel, the
/// only public function of `module`, or one of its phases, with buffers at the
/// addresses it is given. Returns the phases.
KernelPhases addKernelEntry(mlir::ModuleOp module, llvm::StringRef symbol);

/// Makes the kernel of `module` the entry `symbol` of a GPU, with the addresses
/// of its arguments, of which numbers lie in memory too. Returns its phase.
KernelPhases addGpuEntry(mlir::ModuleOp module, llvm::StringRef symbol);

} // namespace mlirprof::compile

#endif // MLIR_PROF_LIB_COMPILE_KERNELS_KERNELENTRY_H
