//===- UncheckedForms.h - Forms of ops that are not checked -----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_COMPILE_UNCHECKEDFORMS_H
#define MLIR_PROF_LIB_COMPILE_UNCHECKEDFORMS_H

#include "mlir/IR/Operation.h"

namespace mlirprof::compile {

/// Whether `op`, the accesses of which are checked in other forms, may reach
/// memory other than that of its operands in this one: by strides or a rank
/// that it claims, a buffer in a buffer, an index of a structured op that is
/// not linear in its loops, or memory of the stack that outlives its function.
bool isUncheckedForm(mlir::Operation *op);

} // namespace mlirprof::compile

#endif // MLIR_PROF_LIB_COMPILE_UNCHECKEDFORMS_H
