//===- WrittenArguments.h - Arguments that a model writes -------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_COMPILE_WRITTENARGUMENTS_H
#define MLIR_PROF_LIB_COMPILE_WRITTENARGUMENTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlirprof::compile {

/// Whether a call of `entry` may write the memory of its argument `index`: a
/// memref that an op stores to, directly, through a view or a pointer, or in a
/// function that is called, or a tensor that is marked as writable. An array
/// that cannot be followed counts as written.
bool isWritten(mlir::func::FuncOp entry, unsigned index);

} // namespace mlirprof::compile

#endif // MLIR_PROF_LIB_COMPILE_WRITTENARGUMENTS_H
