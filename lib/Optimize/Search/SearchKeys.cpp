//===- SearchKeys.cpp - Keys of what a search decides ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SearchKeys.h"
#include "../Sites/ChoiceText.h"
#include "mlir-prof/Support/File.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::optimize;
using namespace mlirprof::tuning;

DecisionKey SearchKeys::getKey(const OpSignature &signature,
                               llvm::StringRef technique) const {
  return {signature, machine, technique.str()};
}

DecisionKey SearchKeys::getModelKey(llvm::StringRef technique) const {
  for (const OpSite &site : sites.sites)
    if (llvm::is_contained(site.ops, sites.entry))
      return getKey(site.signature, technique);
  return getKey(sites.sites.front().signature, technique);
}

DecisionKey SearchKeys::getKey(const PlannedProposal &planned) const {
  const auto &choices = planned.proposal.choices;
  return choices.size() == 1
             ? getKey(sites.sites[choices.front().first].signature,
                      planned.technique->name)
             : getModelKey(planned.technique->name);
}

Choice SearchKeys::getChoice(const PlannedProposal &planned) const {
  const auto &choices = planned.proposal.choices;
  if (choices.size() == 1)
    return choices.front().second;
  return {{"ops", std::to_string(choices.size())},
          {"group", contentHash(describe(apply(planned, {})))}};
}

MeasuredSizes SearchKeys::getSizes(const PlannedProposal &planned) const {
  const auto &choices = planned.proposal.choices;
  // For several ops, those of the model's arguments.
  for (const OpSite &site : sites.sites)
    if (choices.size() == 1 ? &site == &sites.sites[choices.front().first]
                            : llvm::is_contained(site.ops, sites.entry))
      return site.sizes;
  return {};
}

bool SearchKeys::isApplied(const PlannedProposal &planned,
                           const ChoiceMap &choices) const {
  llvm::StringRef technique = planned.technique->name;
  return llvm::all_of(planned.proposal.choices, [&](const auto &entry) {
    auto op = choices.find(sites.sites[entry.first].signature.exact);
    if (op == choices.end())
      return false;
    auto chosen = op->second.find(technique.str());
    return chosen != op->second.end() && chosen->second == entry.second;
  });
}

ChoiceMap SearchKeys::apply(const PlannedProposal &planned,
                            ChoiceMap choices) const {
  for (const auto &[site, choice] : planned.proposal.choices)
    choices[sites.sites[site].signature.exact][planned.technique->name.str()] =
        choice;
  return choices;
}
