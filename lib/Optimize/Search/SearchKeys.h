//===- SearchKeys.h - Keys of what a search decides -------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_OPTIMIZE_SEARCH_SEARCHKEYS_H
#define MLIR_PROF_LIB_OPTIMIZE_SEARCH_SEARCHKEYS_H

#include "SearchSpace.h"
#include "mlir-prof/Optimize/Sites.h"

#include <string>

namespace mlirprof::optimize {

/// The keys under which a search files its decisions and observations.
class SearchKeys {
public:
  /// `sites`, which are not empty, outlive this; `machine` is as of
  /// getMachineKey.
  SearchKeys(const ModelSites &sites, std::string machine)
      : sites(sites), machine(std::move(machine)) {}

  const std::string &getMachine() const { return machine; }
  tuning::DecisionKey getKey(const tuning::OpSignature &signature,
                             llvm::StringRef technique) const;
  /// The key of decisions about the model as a whole.
  tuning::DecisionKey getModelKey(llvm::StringRef technique) const;
  tuning::DecisionKey getKey(const PlannedProposal &planned) const;
  /// The choice that an observation of `planned` is filed under: its own, or
  /// for several ops a hash of all.
  tuning::Choice getChoice(const PlannedProposal &planned) const;
  /// The sizes that `planned` is measured on.
  tuning::MeasuredSizes getSizes(const PlannedProposal &planned) const;
  /// Whether `choices` have all of `planned`.
  bool isApplied(const PlannedProposal &planned,
                 const ChoiceMap &choices) const;
  /// `choices` with those of `planned` in the place of others.
  ChoiceMap apply(const PlannedProposal &planned, ChoiceMap choices) const;

private:
  const ModelSites &sites;
  std::string machine;
};

} // namespace mlirprof::optimize

#endif // MLIR_PROF_LIB_OPTIMIZE_SEARCH_SEARCHKEYS_H
