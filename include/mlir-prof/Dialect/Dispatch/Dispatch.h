//===- Dispatch.h - The dispatch dialect ------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_DIALECT_DISPATCH_DISPATCH_H
#define MLIR_PROF_DIALECT_DISPATCH_DISPATCH_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "mlir-prof/Dialect/Dispatch/DispatchDialect.h.inc"

#define GET_OP_CLASSES
#include "mlir-prof/Dialect/Dispatch/DispatchOps.h.inc"

namespace mlirprof::dispatch {

/// Registers the dialect, and the bufferization of its ops.
void registerDispatchDialect(mlir::DialectRegistry &registry);

/// Whether `op` is a kernel.
bool isKernel(mlir::Operation *op);

} // namespace mlirprof::dispatch

#endif // MLIR_PROF_DIALECT_DISPATCH_DISPATCH_H
