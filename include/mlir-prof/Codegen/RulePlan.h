//===- RulePlan.h - What the rules would make of an op ----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_CODEGEN_RULEPLAN_H
#define MLIR_PROF_CODEGEN_RULEPLAN_H

#include "mlir-prof/Codegen/Target.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>

namespace mlirprof::codegen {

/// The loops of one structured op, as the default pipeline makes them.
/// Dimensions are those of the op's iteration space.
struct RulePlan {
  /// The rule that takes the op, as in Rules.def.
  llvm::StringRef rule;
  /// The instruction that adds up groups of products, where one does.
  llvm::StringRef instruction;
  /// Of the iteration space; kDynamic where they are not known.
  llvm::SmallVector<int64_t> sizes;
  /// The loop whose iterations are the lanes of the vectors, and how many of
  /// these one step handles.
  unsigned vectorDim = 0;
  int64_t lanes = 1;
  int64_t vectorsPerStep = 1;
  /// A parallel loop that is unrolled.
  std::optional<unsigned> rowDim;
  int64_t rowsPerStep = 1;
  /// Outermost first. A vectorDim that is a reduction is the last of these.
  llvm::SmallVector<unsigned> parallelOrder;
  llvm::SmallVector<unsigned> reductionOrder;
};

/// The plan of the first rule that takes `op`; none when no rule does and the
/// op becomes loops over scalars. Nothing is changed.
std::optional<RulePlan> planByRules(mlir::linalg::LinalgOp op,
                                    const TargetModel &target);

/// The constant by which `expr` divides the loop `dim`, by `kind` (FloorDiv or
/// Mod): as the maps of constants in panels do. Else 0.
int64_t getDivisor(mlir::AffineExpr expr, mlir::AffineExprKind kind,
                   unsigned dim);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_CODEGEN_RULEPLAN_H
