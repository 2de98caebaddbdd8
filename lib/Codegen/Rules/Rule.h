//===- Rule.h - How the default pipeline tiles ops ---------------*- C++
//-*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A rule takes one kind of structured op on tensors, and what belongs to it,
// and makes loops around vectors of it; Nest.h is what most use. Ops that no
// rule takes become loops over scalars, so a rule may refuse whatever it does
// not know.
//
// Adding one is a file here and a line in Rules.def, in the order in which
// rules are tried.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_RULES_RULE_H
#define MLIR_PROF_LIB_CODEGEN_RULES_RULE_H

#include "../Nest/Plan.h"
#include "mlir-prof/Codegen/Target.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace mlirprof::codegen {

struct Rule {
  llvm::StringRef name;
  llvm::StringRef description;
  /// The loops that the rule would make of `op`, by itself; none where it does
  /// not apply. Changes nothing.
  std::optional<NestPlan> (*plan)(mlir::linalg::LinalgOp op,
                                  const NestFacts &facts,
                                  const TargetModel &target);
  /// Tiles `op`, of the function, with its `facts`, that no rule has taken yet:
  /// every op that has facts is offered once to each rule, later ones of the
  /// function first, so that consumers come before their producers. Success:
  /// uses of the op (or of the consumer that it was fused into) were replaced.
  /// Failure: the rule does not apply, and nothing has changed. Ops that the
  /// rule makes are never offered; dead ops are erased afterward. Loops that a
  /// rule makes and that carry nothing but tensors are parallel: their
  /// iterations may run in any order and on several threads.
  mlir::LogicalResult (*apply)(mlir::RewriterBase &rewriter,
                               mlir::linalg::LinalgOp op,
                               const NestFacts &facts,
                               const TargetModel &target);
};

llvm::ArrayRef<Rule> getRules();

/// The parallel loop of a product to unroll into rows: one that the operand
/// which is contiguous along `vectorDim` does not depend on, the last and so
/// the fastest of the result.
std::optional<unsigned> getProductRowDim(mlir::linalg::LinalgOp op,
                                         const NestFacts &facts,
                                         unsigned vectorDim);

/// The parallel loops of a product: batches outermost; then the loops of the
/// operand that is read in vectors, so that a panel of it stays in the cache
/// while the rows pass.
mlir::SmallVector<unsigned> getProductOrder(mlir::linalg::LinalgOp op,
                                            const NestFacts &facts,
                                            unsigned vectorDim);

#define MLIRPROF_RULE(Name, Description)                                       \
  std::optional<NestPlan> plan##Name(mlir::linalg::LinalgOp op,                \
                                     const NestFacts &facts,                   \
                                     const TargetModel &target);               \
  mlir::LogicalResult apply##Name##Rule(                                       \
      mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op,                 \
      const NestFacts &facts, const TargetModel &target);
#include "Rules.def"

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_RULES_RULE_H
