//===- ProgramAddresses.h - Arrays and functions of programs ----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a program of the executor consists of besides its table: arrays of
/// addresses, and functions that call a kernel for one dispatch. A model of
/// many layers has thousands of them, through which no pass needs to go. So
/// cpu-lower-dispatches leaves them as attributes of declarations.
///
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_CODEGEN_PROGRAMADDRESSES_H
#define MLIR_PROF_CODEGEN_PROGRAMADDRESSES_H

#include "mlir/IR/BuiltinOps.h"

namespace mlirprof::codegen {

/// On the declaration of an array: the symbols whose addresses it holds, "" for
/// null.
inline constexpr llvm::StringLiteral kAddresses = "mlirprof.addresses";
/// Next to them, if these are functions: the kernels that they call, "" for a
/// function that exists; and the locations of those that do not.
inline constexpr llvm::StringLiteral kThunkKernels = "mlirprof.thunk_kernels";
inline constexpr llvm::StringLiteral kThunkPlaces = "mlirprof.thunk_places";

/// Defines the arrays and the functions that `module`, of the LLVM dialect,
/// declares so. Fails with a diagnostic if the attributes do not fit.
mlir::LogicalResult defineProgramAddresses(mlir::ModuleOp module);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_CODEGEN_PROGRAMADDRESSES_H
