//===- SearchMarker.h - Markers of completed searches -----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_OPTIMIZE_SEARCH_SEARCHMARKER_H
#define MLIR_PROF_LIB_OPTIMIZE_SEARCH_SEARCHMARKER_H

#include "Journal.h"

namespace mlirprof::optimize {

/// The evidence that a search would be the same as one before, apart from the
/// model, the options and the choices.
enum class MarkerBasis : uint8_t {
  /// The values that a profile saw, whatever the requests hold.
  Values,
  /// The contents of the requests: then values that were seen in them need not
  /// be known.
  Requests,
};

/// Marks completed searches, each by everything that its result depends on, so
/// that the same search is not repeated.
class SearchMarker {
public:
  /// All of them outlive this.
  SearchMarker(const ModelSites &sites, const OptimizerOptions &options,
               const SearchSpace &space, const SearchKeys &keys)
      : sites(sites), options(options), space(space), keys(keys) {}

  /// The markers of the search with the result `choices`, one for each basis: a
  /// search that shares one of them would find nothing new. Proposals are not
  /// part of a marker, as they depend on times, which are never the same twice.
  std::vector<tuning::Choice> get(const ChoiceMap &choices);
  /// Whether `database` has a marker of this search with the result `choices`.
  bool isComplete(const ChoiceMap &choices,
                  const tuning::DecisionDatabase &database);

private:
  tuning::Choice get(MarkerBasis basis, const ChoiceMap &choices);

  const ModelSites &sites;
  const OptimizerOptions &options;
  const SearchSpace &space;
  const SearchKeys &keys;
  /// The hash of the model's constants; empty: not computed yet.
  std::string constants;
};

} // namespace mlirprof::optimize

#endif // MLIR_PROF_LIB_OPTIMIZE_SEARCH_SEARCHMARKER_H
