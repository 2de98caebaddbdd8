//===- RulePlan.cpp - How the rules would tile an op ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Codegen/RulePlan.h"
#include "Rules.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

std::optional<RulePlan> codegen::planByRules(linalg::LinalgOp op,
                                             const TargetModel &target) {
  std::optional<NestFacts> facts = getNestFacts(op);
  if (!facts || isForSize(op))
    return std::nullopt;
  for (const Rule &rule : getRules()) {
    std::optional<NestPlan> plan = rule.plan(op, *facts, target);
    if (!plan)
      continue;
    RulePlan result;
    result.rule = rule.name;
    if (plan->dot)
      result.instruction = getDotInstruction(plan->dot->kind);
    result.sizes = std::move(facts->sizes);
    result.vectorDim = plan->vectorDim;
    result.lanes = plan->lanes;
    result.vectorsPerStep = plan->vectorsPerStep;
    result.rowDim = plan->rowDim;
    result.rowsPerStep = plan->rowsPerStep;
    result.parallelOrder = std::move(plan->parallelOrder);
    result.reductionOrder = std::move(plan->reductionOrder);
    return result;
  }
  return std::nullopt;
}
