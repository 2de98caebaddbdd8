//===- ModelChecks.h - What a model must hold -------------------*- C++ -*-===//
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

/// Fails when a constant of the model stands for a resource that is not there,
/// or has another size than its type.
llvm::Error checkResources(mlir::ModuleOp module);

/// Writes resources of `module` that are a single number as that number, after
/// checkResources: upstream lowers none of rank 0.
void inlineScalarResources(mlir::ModuleOp module);

/// Gives the functions of `module` that are called like one of the C library
/// another name: lowering, and LLVM, call those.
void renameLibraryClashes(mlir::ModuleOp module);

} // namespace mlirprof::compile

#endif // MLIR_PROF_LIB_COMPILE_MODELCHECKS_H
