//===- Tiny.h - A dialect whose ops have profiles ---------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TINY_H
#define TINY_H

#include "mlir-prof/Dialect/Prof/ProfInterfaces.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"

#include "TinyDialect.h.inc"

#define GET_OP_CLASSES
#include "TinyOps.h.inc"

namespace tiny {
/// Registers the pass `tiny-print-total`.
void registerPasses();
} // namespace tiny

#endif // TINY_H
