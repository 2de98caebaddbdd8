//===- RulePlan.h - How the rules would tile an op --------------*- C++ -*-===//
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

/// The loops that the default pipeline creates for one structured op.
/// Dimensions are those of the op's iteration space.
struct RulePlan {
  /// The rule that takes the op, as in Rules.def.
  llvm::StringRef rule;
  /// The instruction that adds groups of products, if any.
  llvm::StringRef instruction;
  /// Sizes of the iteration space; kDynamic if unknown.
  llvm::SmallVector<int64_t> sizes;
  /// The loop whose iterations become vector lanes, and the number of lanes per
  /// step.
  unsigned vectorDim = 0;
  int64_t lanes = 1;
  int64_t vectorsPerStep = 1;
  /// A parallel loop that is unrolled.
  std::optional<unsigned> rowDim;
  int64_t rowsPerStep = 1;
  /// Outermost first. If vectorDim is a reduction, it comes last here.
  llvm::SmallVector<unsigned> parallelOrder;
  llvm::SmallVector<unsigned> reductionOrder;
};

/// The plan of the first rule that applies to `op`; none if no rule does and
/// the op becomes scalar loops. Does not change the IR.
std::optional<RulePlan> planByRules(mlir::linalg::LinalgOp op,
                                    const TargetModel &target);

/// The constant by which `expr` divides the loop `dim`, by `kind` (FloorDiv or
/// Mod): as the maps of constants in panels do. Else 0.
int64_t getDivisor(mlir::AffineExpr expr, mlir::AffineExprKind kind,
                   unsigned dim);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_CODEGEN_RULEPLAN_H
