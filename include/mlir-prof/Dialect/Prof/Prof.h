//===- Prof.h - The prof dialect and its attributes -------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_DIALECT_PROF_PROF_H
#define MLIR_PROF_DIALECT_PROF_PROF_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectRegistry.h"

#include "mlir-prof/Dialect/Prof/ProfDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "mlir-prof/Dialect/Prof/ProfAttributes.h.inc"

namespace mlirprof::prof {

/// Registers the dialect, and attaches ProfiledOpInterface to the ops of every
/// dialect that a context with this registry loads.
void registerProfDialect(mlir::DialectRegistry &registry);

} // namespace mlirprof::prof

#endif // MLIR_PROF_DIALECT_PROF_PROF_H
