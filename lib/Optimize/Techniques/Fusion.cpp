//===- Fusion.cpp - Elementwise ops fused or not --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Techniques.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::optimize;
using linalg::LinalgOp;

/// Ops with less of the model's time than this are not worth a trial.
static constexpr double kLeastShare = 0.005;

static bool isElementwise(Operation *op) {
  auto structured = dyn_cast<LinalgOp>(op);
  return structured && structured.hasPureTensorSemantics() &&
         structured.getNumReductionLoops() == 0 && op->getNumResults() == 1 &&
         !isa<linalg::FillOp>(op);
}

static SmallPtrSet<Operation *, 4> getReaders(Operation *op) {
  SmallPtrSet<Operation *, 4> readers;
  for (Operation *user : op->getUsers())
    if (isa<LinalgOp>(user))
      readers.insert(user);
  return readers;
}

static std::vector<Proposal> propose(const ModelSites &model) {
  std::vector<Proposal> proposals;
  for (auto [index, site] : llvm::enumerate(model.sites)) {
    Operation *op = site.ops.front();
    auto structured = dyn_cast<LinalgOp>(op);
    if (!structured || isa<linalg::FillOp>(op) || op->getNumResults() != 1 ||
        !isWorthTrials(site, model, kLeastShare))
      continue;
    SmallPtrSet<Operation *, 4> readers = getReaders(op);
    Proposal proposal;
    // By the rules an op joins its only reader, and none of several.
    if (readers.size() == 1 && isElementwise(*readers.begin()))
      proposal.choices = {{index, {{"with", "none"}}}};
    else if (readers.size() > 1 && isElementwise(op) &&
             llvm::all_of(readers, isElementwise))
      proposal.choices = {{index, {{"with", "all"}}}};
    else
      continue;
    proposal.success = 0.15;
    proposals.push_back(std::move(proposal));
  }
  return proposals;
}

Technique technique::Fusion() {
  return {codegen::choice::kFusion, "elementwise ops fused or not",
          tuning::DecisionScope::Neighborhood, /*isTrusted=*/false, propose};
}
