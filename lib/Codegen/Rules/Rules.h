//===- Rules.h - How the default pipeline tiles ops -------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A rule turns one kind of structured op on tensors, with its epilogues, into
// loops around vectors, mostly by Nest.h. Ops without a rule become scalar
// loops, so a rule may reject whatever it does not know.
//
// To add a rule, add a file here and a line in Rules.def, which lists rules in
// the order in which they are tried.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_RULES_RULES_H
#define MLIR_PROF_LIB_CODEGEN_RULES_RULES_H

#include "../Nest/Plan.h"
#include "mlir-prof/Codegen/Target.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace mlirprof::codegen {

struct Rule {
  llvm::StringRef name;
  llvm::StringRef description;
  /// The loops that the rule would create for `op` by itself; none if it does
  /// not apply. Does not change the IR.
  std::optional<NestPlan> (*plan)(mlir::linalg::LinalgOp op,
                                  const NestFacts &facts,
                                  const TargetModel &target);
  /// Tiles `op`, with its `facts`, to which no rule has been applied yet: every
  /// op with facts is offered once to each rule, later ops of the function
  /// first, so that consumers come before their producers. On success, the uses
  /// of the op (or of the consumer that it was fused into) have been replaced.
  /// On failure, the rule does not apply, and the IR has not changed. Ops that
  /// the rule creates are never offered; dead ops are erased afterward. A
  /// rule marks loops whose iterations may run in any order and on several
  /// threads (kParallelLoop).
  mlir::LogicalResult (*apply)(mlir::RewriterBase &rewriter,
                               mlir::linalg::LinalgOp op,
                               const NestFacts &facts,
                               const TargetModel &target);
};

llvm::ArrayRef<Rule> getRules();

/// The parallel loop of a product to unroll into rows: the last (and thus
/// fastest) loop of the result on which the operand that is contiguous along
/// `vectorDim` does not depend.
std::optional<unsigned> getProductRowDim(mlir::linalg::LinalgOp op,
                                         const NestFacts &facts,
                                         unsigned vectorDim);

/// The parallel loops of a product in order: batches outermost, then the loops
/// of the operand that is read in vectors, so that a panel of it stays in the
/// cache while the rows pass.
mlir::SmallVector<unsigned> getProductOrder(mlir::linalg::LinalgOp op,
                                            const NestFacts &facts,
                                            unsigned vectorDim);

/// The rules of Rules.def.
namespace rule {
#define MLIRPROF_RULE(NAME) Rule NAME();
#include "Rules.def"
} // namespace rule

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_RULES_RULES_H
