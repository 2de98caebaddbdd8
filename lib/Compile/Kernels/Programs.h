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
#include "mlir-prof/Codegen/DispatchTable.h"

namespace mlirprof::compile {

/// A program of the host side in which each dispatch is one call.
struct HostProgram {
  /// The symbols that the host side refers to.
  std::string tableSymbol, workspaceSymbol;
  codegen::DispatchTable table;
  /// By dispatch: the symbol of its kernel.
  std::vector<std::string> kernels;
};

/// A program of phases.
struct PhasedProgram {
  codegen::DispatchTable table;
  uint64_t workspaceBytes = 0;
};

/// Takes the descriptions of the programs from the declarations of their tables
/// in `module`.
std::vector<HostProgram> takePrograms(mlir::ModuleOp module);

/// Divides each dispatch of `program` into the phases of its kernel, by symbol.
/// The last address of the program is that of its workspace, of which a
/// dispatch uses a part. A kernel that is not among `kernels` is one call.
PhasedProgram
dividePhases(const HostProgram &program,
             const llvm::StringMap<const KernelPhases *> &kernels);

/// An object with the tables of `programs`, empty if there are none. `kernels`
/// belong to `taken`, in its order.
llvm::Expected<std::string> emitTables(llvm::ArrayRef<HostProgram> programs,
                                       llvm::ArrayRef<TakenKernel> taken,
                                       llvm::ArrayRef<CompiledKernel> kernels,
                                       const CompileOptions &options);

} // namespace mlirprof::compile

#endif // MLIR_PROF_LIB_COMPILE_KERNELS_PROGRAMS_H
