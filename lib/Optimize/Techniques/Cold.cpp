//===- Cold.cpp - Ops compiled for size -----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ops that together take next to no time, all at once: alone, none of them
// changes the time of the model by what can be measured.
//
// A profile by samples does not see such ops well: of N samples an op that
// takes 0.1 % gets N/1000, give or take the root of that, and one without any
// may still take 3/N (with a probability of 5 %). So a profile has to be long
// enough for the part asked for, and an op counts for at least what the machine
// needs for it. An op that is slower all the same shows when the proposal
// is measured.
//
//===----------------------------------------------------------------------===//

#include "Techniques.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <limits>

using namespace mlirprof;
using namespace mlirprof::optimize;

/// The parts of the model's time that may be cold.
static constexpr double kColdParts[] = {0.005, 0.001};
/// The number N of samples of which an op that takes 3/N of the time may lack
/// any.
static constexpr double kUnseenSamples = 3;

static double getSeconds(const OpSite &site) {
  return std::max(site.seconds, site.boundSeconds);
}

/// The samples that the profile has at least, about: no op can have less than
/// one, but for the parts of one that ops share.
static double countSamples(const ModelSites &model) {
  double least = std::numeric_limits<double>::infinity();
  for (const OpSite &site : model.sites)
    if (site.seconds > 0)
      least = std::min(least, site.seconds);
  return model.seconds / least;
}

/// The structured ops, those with the least time first.
static std::vector<size_t> sortSites(const ModelSites &model) {
  std::vector<size_t> order;
  for (size_t i = 0; i != model.sites.size(); ++i)
    if (llvm::isa<mlir::linalg::LinalgOp>(model.sites[i].ops.front()))
      order.push_back(i);
  llvm::sort(order, [&](size_t a, size_t b) {
    return std::pair(getSeconds(model.sites[a]), a) <
           std::pair(getSeconds(model.sites[b]), b);
  });
  return order;
}

/// As many sites as `part` of the model's time is enough for.
static Proposal choose(const ModelSites &model, double part) {
  Proposal proposal;
  proposal.isKeptWhenEqual = true;
  proposal.success = 0.5;
  proposal.closes = 0;
  double left = part * model.seconds;
  for (size_t index : sortSites(model)) {
    left -= getSeconds(model.sites[index]);
    if (left < 0)
      break;
    proposal.choices.push_back({index, {{"for", "size"}}});
  }
  return proposal;
}

static std::vector<Proposal> propose(const ModelSites &model) {
  std::vector<Proposal> proposals;
  if (!model.hasProfile || !(model.seconds > 0))
    return proposals;
  double samples = countSamples(model);
  for (double part : kColdParts) {
    if (samples * part < kUnseenSamples)
      break;
    Proposal proposal = choose(model, part);
    bool isNew = proposals.empty() ||
                 proposal.choices.size() < proposals.back().choices.size();
    if (!proposal.choices.empty() && isNew)
      proposals.push_back(std::move(proposal));
  }
  return proposals;
}

Technique technique::Cold() {
  return {codegen::choice::kCode, "code for size where no time is spent",
          tuning::DecisionScope::Op, /*isTrusted=*/true, propose};
}
