//===- ModelChecks.h - Checks of a model before compilation -----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_COMPILE_MODELCHECKS_H
#define MLIR_PROF_LIB_COMPILE_MODELCHECKS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

namespace mlirprof::compile {

/// Fails if a constant of the model refers to a resource that is missing, or
/// whose size does not match its type.
llvm::Error checkResources(mlir::ModuleOp module);

/// Fails if `module`, which verifies, has a kernel without a body, or an
/// argument or result for a variable that does not exist.
llvm::Error checkSymbols(mlir::ModuleOp module);

/// Fails if `module` can reach memory or functions other than its own: it has
/// an op of a dialect with pointers, an access to memory that nothing checks, a
/// claim on which LLVM would rely, or a function without a body that is not one
/// of mathematics. `when` follows the op in the text.
llvm::Error checkContained(mlir::ModuleOp module, const llvm::Twine &when = "");

/// Replaces single-number resources of `module` by that number, after
/// checkResources: upstream does not lower resources of rank 0.
void inlineScalarResources(mlir::ModuleOp module);

/// Renames functions of `module` whose names are those of C library functions:
/// lowering, and LLVM, call these.
void renameLibraryClashes(mlir::ModuleOp module);

} // namespace mlirprof::compile

#endif // MLIR_PROF_LIB_COMPILE_MODELCHECKS_H
