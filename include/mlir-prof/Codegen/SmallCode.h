//===- SmallCode.h - Code that shapes share ---------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The least code is that of one kernel for all layers of a kind. Kernels that
// compute one number at a time do not depend on the sizes of a layer, which
// become arguments (share-sizes), as its integers do.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_CODEGEN_SMALLCODE_H
#define MLIR_PROF_CODEGEN_SMALLCODE_H

#include "mlir-prof/Codegen/Target.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlirprof::codegen {

/// On a function whose code should be small, until its dispatches are formed:
/// its ops get the forms of which most kernels are alike.
inline constexpr llvm::StringLiteral kSmallCode = "mlirprof.small_code";

/// Whether kernels for `target` should be alike rather than fast: those of
/// machines with vectors are small enough without.
inline bool isForSmallCode(const TargetModel &target) {
  return target.goal == CodeGoal::Size && !hasVectors(target);
}

/// Chooses the smallest tile for all structured ops of `function` for which
/// none is chosen yet.
void chooseSmallestTiles(mlir::func::FuncOp function);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_CODEGEN_SMALLCODE_H
