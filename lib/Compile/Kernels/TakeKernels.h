//===- TakeKernels.h - The kernels of a model -------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_COMPILE_KERNELS_TAKEKERNELS_H
#define MLIR_PROF_LIB_COMPILE_KERNELS_TAKEKERNELS_H

#include "KernelCompiler.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlirprof::compile {

/// A kernel of a model and its place in the program.
struct TakenKernel {
  KernelSource source;
  /// The node of its function at level dispatch, which its ops follow; kNone
  /// without identities.
  uint32_t node = trace::kNone;
};

/// Takes the bodies of the kernels out of `module`, which keeps declarations
/// with the symbols of the compiled kernels. Probes need instances.
llvm::Expected<std::vector<TakenKernel>>
takeKernels(mlir::ModuleOp module, const CompileOptions &options,
            bool mayHaveProbes);

/// The kernel `name`, the only function of `module`, which loses its locations,
/// compiled by `options`.
llvm::Expected<KernelSource> makeKernelSource(llvm::StringRef name,
                                              mlir::ModuleOp module,
                                              const CompileOptions &options);

} // namespace mlirprof::compile

#endif // MLIR_PROF_LIB_COMPILE_KERNELS_TAKEKERNELS_H
