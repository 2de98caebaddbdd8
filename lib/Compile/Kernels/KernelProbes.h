//===- KernelProbes.h - Probes inside of kernels ----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel is compiled without knowing who runs it. Each dispatch passes the
// address of the record of its probes (prof.part) as the last input.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_COMPILE_KERNELS_KERNELPROBES_H
#define MLIR_PROF_LIB_COMPILE_KERNELS_KERNELPROBES_H

#include "TakeKernels.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlirprof::compile {

/// Whether `kernel` gets probes, or places that record values, according to
/// `options`. Kernels of constant sizes without branches do not have values.
bool needsProbes(mlir::func::FuncOp kernel, const CompileOptions &options);

/// Makes the dispatches of `module`, on buffers, pass their records to the
/// kernels that need them.
void passParts(mlir::ModuleOp module, llvm::ArrayRef<TakenKernel> kernels);

/// Adds the argument to the kernel, the only public function of `module`, or to
/// its phases, and to the functions that they call. The last `outputs`
/// arguments of the kernel, which only places in the workspace follow, are its
/// destinations.
void takePart(mlir::ModuleOp module, unsigned outputs);

/// Lists the probes of `compiled` on `module`, the host side, for each of
/// `instances`, before probes are lowered.
void listKernelProbes(mlir::ModuleOp module,
                      llvm::ArrayRef<TakenKernel> kernels,
                      llvm::ArrayRef<CompiledKernel> compiled,
                      llvm::ArrayRef<profile::ProgramInstance> instances);

} // namespace mlirprof::compile

#endif // MLIR_PROF_LIB_COMPILE_KERNELS_KERNELPROBES_H
