//===- TrialQueue.cpp - The trials of a search in their order -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TrialQueue.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::optimize;
using namespace mlirprof::tuning;

/// The site of a proposal for the planner: what it is about, in the seconds of
/// the model as it was measured here.
EffortSite TrialQueue::getEffortSite(const PlannedProposal &planned) const {
  EffortSite effort;
  bool isWhole = false;
  for (const auto &[index, choice] : planned.proposal.choices) {
    const OpSite &site = sites.sites[index];
    effort.seconds += site.seconds * scale;
    effort.boundSeconds += site.boundSeconds;
    isWhole |= llvm::is_contained(site.ops, sites.entry);
    if (effort.name.empty())
      effort.name = site.label;
  }
  // A decision about the function that is run is about all that it does,
  // whatever of the time is its own.
  if (effort.seconds != 0 && !isWhole)
    return effort;
  effort.seconds = sites.seconds * scale;
  effort.boundSeconds = 0;
  for (const OpSite &site : sites.sites)
    effort.boundSeconds += site.boundSeconds;
  return effort;
}

void TrialQueue::add(const PlannedProposal &planned, double costSeconds) {
  std::vector<size_t> key;
  for (const auto &[site, choice] : planned.proposal.choices)
    key.push_back(site);
  auto [place, isNew] = siteOf.try_emplace(key);
  if (isNew)
    place->second = planner.addSite(getEffortSite(planned));
  size_t trial = planner.addTrial(
      place->second, {planned.technique->name.str(), planned.proposal.success,
                      planned.proposal.closes, costSeconds});
  proposals.resize(std::max(proposals.size(), trial + 1));
  proposals[trial] = &planned;
}

const PlannedProposal *TrialQueue::next(double usedSeconds) {
  std::optional<PlannedTrial> next = planner.next(usedSeconds);
  if (!next)
    return nullptr;
  current = *next;
  return proposals[current.trial];
}

void TrialQueue::report(const Observation &observation, double costSeconds) {
  double gain = double(observation.oldPs - observation.newPs) * 1e-12;
  planner.report(current.trial,
                 {observation.outcome,
                  std::max(0.0, planner.getSite(current.site).seconds - gain),
                  costSeconds});
}
