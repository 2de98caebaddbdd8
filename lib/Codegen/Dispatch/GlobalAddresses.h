//===- GlobalAddresses.h - Globals that hold addresses ----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_DISPATCH_GLOBALADDRESSES_H
#define MLIR_PROF_LIB_CODEGEN_DISPATCH_GLOBALADDRESSES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlirprof::codegen {

/// Lets `global`, which is a declaration, hold the addresses of `symbols`, null
/// for an empty name. It is a pointer, a struct of pointers or an array of
/// them, with one for each symbol; without symbols it holds zeros. A long array
/// becomes one of arrays, of the same bytes or with nulls behind them: each
/// insertion of an address copies the array around it.
void defineAddresses(mlir::LLVM::GlobalOp global,
                     llvm::ArrayRef<llvm::StringRef> symbols);

/// Leaves that to defineProgramAddresses().
void defineAddressesLater(mlir::LLVM::GlobalOp global,
                          llvm::ArrayRef<llvm::StringRef> symbols);

/// The type of a kernel's code, and of the functions that programs have
/// instead.
mlir::LLVM::LLVMFunctionType getKernelType(mlir::MLIRContext *context);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_DISPATCH_GLOBALADDRESSES_H
