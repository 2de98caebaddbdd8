//===- Branches.cpp - Observations of branches ----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All branches and loops of the model at once: LLVM's gains by them are each
// too small to be measured, and it weighs one against the other.
//
//===----------------------------------------------------------------------===//

#include "Techniques.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <cmath>

using namespace mlirprof;
using namespace mlirprof::optimize;
using namespace mlirprof::profile;
using namespace mlirprof::tuning;

/// Observations of one number at a site.
namespace {
struct Numbers {
  uint64_t count = 0;
  double sum = 0;
  /// Whether all were the same.
  bool isSame = true;
  std::optional<int64_t> first;
};
} // namespace

static Numbers addUp(const OpSite &site, ValueKind kind) {
  Numbers numbers;
  for (const ObservedValues &values : site.values) {
    if (values.kind != kind)
      continue;
    uint64_t listed = 0;
    for (const ValueCount &entry : values.entries) {
      // Bounds of several loops in one: their trips are not told apart here.
      if (entry.tuple.size() != 1 || entry.tuple.front() < 0)
        continue;
      listed += entry.count;
      numbers.count += entry.count;
      numbers.sum += double(entry.tuple.front()) * double(entry.count);
      if (!numbers.first)
        numbers.first = entry.tuple.front();
      numbers.isSame &= *numbers.first == entry.tuple.front();
    }
    numbers.isSame &= listed == values.total;
  }
  return numbers;
}

/// The sum of the values of a branch is the number of times that it was taken.
static Choice describeBranch(const Numbers &taken) {
  auto times = uint64_t(std::llround(taken.sum));
  if (times > taken.count)
    return {};
  return {{"taken", std::to_string(times)},
          {"not-taken", std::to_string(taken.count - times)}};
}

static Choice describeLoop(const Numbers &trips) {
  double mean = trips.sum / double(trips.count);
  Choice choice = {{"trips", std::to_string(std::llround(mean))}};
  if (trips.isSame)
    choice["always"] = "true";
  return choice;
}

static Choice describe(const OpSite &site) {
  mlir::Operation *op = site.ops.front();
  bool isBranch = llvm::isa<mlir::scf::IfOp>(op);
  if (!isBranch && !llvm::isa<mlir::scf::ForOp, mlir::scf::WhileOp>(op))
    return {};
  Numbers numbers =
      addUp(site, isBranch ? ValueKind::Branch : ValueKind::Trips);
  if (numbers.count == 0)
    return {};
  return isBranch ? describeBranch(numbers) : describeLoop(numbers);
}

static std::vector<Proposal> propose(const ModelSites &model) {
  Proposal proposal;
  proposal.success = 0.2;
  proposal.closes = 0.05;
  for (size_t i = 0; i != model.sites.size(); ++i) {
    Choice choice = describe(model.sites[i]);
    if (!choice.empty())
      proposal.choices.push_back({i, std::move(choice)});
  }
  if (!model.hasProfile || proposal.choices.empty())
    return {};
  return {std::move(proposal)};
}

Technique technique::Branches() {
  return {codegen::choice::kBranches, "branch weights and trip counts",
          tuning::DecisionScope::Op, /*isTrusted=*/true, propose};
}
