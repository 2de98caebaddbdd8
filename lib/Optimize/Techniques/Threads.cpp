//===- Threads.cpp - Threads of each op -----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Techniques.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <set>

using namespace mlirprof;
using namespace mlirprof::optimize;
using namespace mlirprof::tuning;

/// One run of an op below which threads may cost more than they save.
static constexpr double kShortSeconds[] = {100e-6, 40e-6, 15e-6};
/// One below which they cannot pay.
static constexpr double kShortestSeconds = 2e-6;

static bool isThreaded(const OpSite &site) {
  return llvm::isa<mlir::linalg::LinalgOp>(site.ops.front()) &&
         site.seconds > 0;
}

/// How long the work of one op takes on one thread, about. Times of a profile
/// add up what all threads spend.
static double getWork(const OpSite &site) {
  return site.seconds / double(site.ops.size());
}

/// All ops whose work `isWanted` use `threads` threads.
static Proposal
choose(const ModelSites &model, unsigned threads,
       llvm::function_ref<bool(const OpSite &, double work)> isWanted) {
  Proposal proposal;
  for (auto [index, site] : llvm::enumerate(model.sites))
    if (isThreaded(site) && isWanted(site, getWork(site)))
      proposal.choices.push_back({index, {{"count", std::to_string(threads)}}});
  return proposal;
}

static std::vector<Proposal> propose(const ModelSites &model) {
  std::vector<Proposal> proposals;
  if (model.target.threads < 2 || !model.hasProfile)
    return proposals;
  std::set<std::vector<std::pair<size_t, Choice>>> seen;
  auto add = [&](Proposal proposal, double closes) {
    proposal.closes = closes;
    if (!proposal.choices.empty() && seen.insert(proposal.choices).second)
      proposals.push_back(std::move(proposal));
  };
  // Ops that are short together: what starting threads costs depends on the
  // machine and not on the op.
  for (double limit : kShortSeconds)
    add(choose(model, 1,
               [&](const OpSite &, double work) { return work < limit; }),
        0.3);
  // The compiler leaves ops to one thread that it takes for small.
  for (double limit : {kShortSeconds[2], kShortestSeconds})
    add(choose(model, model.target.threads,
               [&](const OpSite &, double work) { return work >= limit; }),
        0.3);
  // Fewer than all: ops that memory bounds, and cores that share one.
  for (unsigned threads = model.target.threads / 2; threads > 1; threads /= 2)
    for (auto [index, site] : llvm::enumerate(model.sites))
      if (isThreaded(site) && getWork(site) >= kShortestSeconds) {
        Proposal proposal;
        proposal.choices = {{index, {{"count", std::to_string(threads)}}}};
        proposal.success = 0.1;
        add(std::move(proposal), 0.2);
      }
  return proposals;
}

/// One thread, all of them, or fewer. One of them is what the compiler does,
/// and makes the same code.
static std::vector<Choice> proposeInKernel(mlir::Operation *op,
                                           const codegen::TargetModel &target) {
  std::vector<Choice> choices;
  if (target.threads < 2 || !llvm::isa<mlir::linalg::LinalgOp>(op) ||
      llvm::isa<mlir::linalg::FillOp>(op))
    return choices;
  choices.push_back({{"count", "1"}});
  for (unsigned threads = target.threads; threads > 1; threads /= 2)
    choices.push_back({{"count", std::to_string(threads)}});
  return choices;
}

Technique technique::Threads() {
  return {codegen::choice::kThreads,
          "number of threads of each op",
          tuning::DecisionScope::Op,
          /*isTrusted=*/false,
          propose,
          proposeInKernel};
}
