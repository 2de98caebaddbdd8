//===- Programs.h - Programs of the host side -------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_COMPILE_KERNELS_PROGRAMS_H
#define MLIR_PROF_LIB_COMPILE_KERNELS_PROGRAMS_H

#include "TakeKernels.h"
#include "mlir-prof/Compile/HostPrograms.h"

namespace mlirprof::compile {

/// Takes the descriptions of the programs from the declarations of their tables
/// in `module`.
std::vector<HostProgram> takePrograms(mlir::ModuleOp module);

/// An object with the tables of `programs`, empty if there are none. `kernels`
/// belong to `taken`, in its order.
llvm::Expected<std::string> emitTables(llvm::ArrayRef<HostProgram> programs,
                                       llvm::ArrayRef<TakenKernel> taken,
                                       llvm::ArrayRef<CompiledKernel> kernels,
                                       const CompileOptions &options);

} // namespace mlirprof::compile

#endif // MLIR_PROF_LIB_COMPILE_KERNELS_PROGRAMS_H
