//===- SkippedPlaces.h - Code that is not measured --------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_TRANSFORMS_INSTRUMENT_SKIPPEDPLACES_H
#define MLIR_PROF_LIB_TRANSFORMS_INSTRUMENT_SKIPPEDPLACES_H

#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlirprof::transforms {

/// A place that a pass does not measure, and why ("calls of nothing"), in the
/// plural.
struct SkippedPlace {
  mlir::Operation *op;
  llvm::StringLiteral reason;
};

/// Emits one remark for all `places` of `function`, with their number for each
/// reason: "`what`: 2 calls of nothing". Does nothing without places.
void emitSkipped(mlir::Operation *function, llvm::StringRef what,
                 llvm::ArrayRef<SkippedPlace> places);

/// The functions of `module` that are measured. A remark lists functions with a
/// body that are not: those of other dialects, and those in nested modules.
llvm::SmallVector<mlir::func::FuncOp>
getMeasuredFunctions(mlir::ModuleOp module, llvm::StringRef what,
                     uint64_t &skipped);

/// Calls `visit` with each region of `function` that has several blocks, and
/// the loops among them.
void visitBlockGraphs(
    mlir::func::FuncOp function,
    llvm::function_ref<void(mlir::Region &, mlir::CFGLoopInfo &)> visit);

} // namespace mlirprof::transforms

#endif // MLIR_PROF_LIB_TRANSFORMS_INSTRUMENT_SKIPPEDPLACES_H
