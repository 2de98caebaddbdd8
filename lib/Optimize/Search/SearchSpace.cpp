//===- SearchSpace.cpp - Techniques and what they propose -----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SearchSpace.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::optimize;

SearchSpace::SearchSpace(llvm::ArrayRef<Technique> all,
                         llvm::ArrayRef<std::string> names) {
  for (const Technique &technique : all)
    if (names.empty() || llvm::is_contained(names, technique.name))
      techniques.push_back(&technique);
}

const Technique *SearchSpace::find(llvm::StringRef name) const {
  for (const Technique *technique : techniques)
    if (technique->name == name)
      return technique;
  return nullptr;
}

std::vector<PlannedProposal>
SearchSpace::propose(const ModelSites &sites) const {
  std::vector<PlannedProposal> proposals;
  for (const Technique *technique : techniques)
    for (Proposal &proposal : technique->propose(sites))
      if (!proposal.choices.empty())
        proposals.push_back({technique, std::move(proposal)});
  return proposals;
}

Receipt optimize::makeReceipt(const PlannedProposal &planned) {
  Receipt receipt;
  receipt.technique = planned.technique->name.str();
  for (const auto &[site, choice] : planned.proposal.choices) {
    receipt.sites.push_back(site);
    receipt.choices.push_back(choice);
  }
  receipt.choice = receipt.choices.front();
  return receipt;
}
