//===- SearchSpace.h - Techniques and what they propose ---------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_OPTIMIZE_SEARCH_SEARCHSPACE_H
#define MLIR_PROF_LIB_OPTIMIZE_SEARCH_SEARCHSPACE_H

#include "mlir-prof/Optimize/Optimizer.h"
#include "mlir-prof/Optimize/Technique.h"

#include <vector>

namespace mlirprof::optimize {

/// Choices that are tried together, and the technique that proposed them.
struct PlannedProposal {
  const Technique *technique = nullptr;
  Proposal proposal;
};

/// A receipt of `planned` without an outcome.
Receipt makeReceipt(const PlannedProposal &planned);

/// The techniques of one search.
class SearchSpace {
public:
  /// Those of `all` that `names` has, or all of them without names; `all`
  /// outlives this.
  SearchSpace(llvm::ArrayRef<Technique> all, llvm::ArrayRef<std::string> names);

  /// In the order of `all`.
  llvm::ArrayRef<const Technique *> getTechniques() const { return techniques; }
  /// The technique called `name`, or null where the search does not use it.
  const Technique *find(llvm::StringRef name) const;
  /// All that the techniques propose for `sites`, technique by technique.
  std::vector<PlannedProposal> propose(const ModelSites &sites) const;

private:
  std::vector<const Technique *> techniques;
};

} // namespace mlirprof::optimize

#endif // MLIR_PROF_LIB_OPTIMIZE_SEARCH_SEARCHSPACE_H
