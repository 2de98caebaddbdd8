//===- Algorithm.cpp - Ways to compute a convolution ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Techniques.h"
#include "mlir-prof/Codegen/Algorithms.h"

using namespace mlirprof;
using namespace mlirprof::optimize;

/// Ops with less of the model's time than this are not worth a trial.
static constexpr double kLeastShare = 0.005;

static std::vector<Proposal> propose(const ModelSites &model) {
  std::vector<Proposal> proposals;
  for (auto [index, site] : llvm::enumerate(model.sites)) {
    if (!isWorthTrials(site, model, kLeastShare))
      continue;
    auto names = codegen::getAlgorithms(site.ops.front(), model.target);
    for (llvm::StringRef name :
         llvm::ArrayRef(names).drop_front(names.empty() ? 0 : 1)) {
      Proposal proposal;
      proposal.choices = {{index, {{"name", name.str()}}}};
      proposal.success = 0.3;
      proposal.closes = 0.4;
      proposal.changesNumbers = true;
      proposals.push_back(std::move(proposal));
    }
  }
  return proposals;
}

Technique technique::Algorithm() {
  return {codegen::choice::kAlgorithm,
          "convolutions direct, as matrix products, or by Winograd's algorithm",
          tuning::DecisionScope::Op, /*isTrusted=*/false, propose};
}
