//===- WarmStart.h - Choices that the database knows ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_OPTIMIZE_SEARCH_WARMSTART_H
#define MLIR_PROF_LIB_OPTIMIZE_SEARCH_WARMSTART_H

#include "Incumbent.h"
#include "Journal.h"
#include "ModelComparer.h"
#include "Reference.h"
#include "UnseenCheck.h"

namespace mlirprof::optimize {

/// The choices that the database has for the ops of a model, which a search
/// begins with when they hold here.
class WarmStart {
public:
  /// All of them outlive this.
  WarmStart(const ModelSites &sites, const SearchSpace &space,
            const SearchKeys &keys)
      : sites(sites), space(space), keys(keys) {}

  /// Finds the choices of `database`, but those of techniques that the search
  /// does not use.
  void find(const tuning::DecisionDatabase &database);
  /// Builds the model with the choices and makes it the incumbent where its
  /// results are right. Else it takes back, also in the database, first the
  /// choices of similar ops, then all.
  llvm::Error build(const ModelBuilder &builder, const Reference &reference,
                    const SearchProgress &progress, Incumbent &incumbent,
                    Journal &journal);
  /// Compares the incumbent, if it has known choices, with the baseline, and
  /// takes them back where it is slower: similar ops may differ in their
  /// fastest choice.
  llvm::Error compare(const ModelComparer &comparer, const UnseenCheck &unseen,
                      const TimeBudget &budget, Incumbent &incumbent,
                      Journal &journal);
  /// Takes the choices back where they are not in the incumbent, as the search
  /// ended before they were checked: nothing is known of them here. `why` says
  /// what ended it.
  void dropUnchecked(const Incumbent &incumbent, Journal &journal,
                     llvm::StringRef why);

  const ChoiceMap &getChoices() const { return choices; }
  const std::vector<Receipt> &getReceipts() const { return receipts; }
  std::vector<Receipt> takeReceipts() { return std::move(receipts); }

private:
  /// Which choices are taken back.
  enum class Extent : uint8_t { SimilarOps, All };
  struct Fault {
    /// Empty: there is none.
    std::string why;
    Blame blame = Blame::Choices;
  };
  llvm::Expected<Fault> tryBuild(const ModelBuilder &builder,
                                 const Reference &reference,
                                 Incumbent &incumbent);
  /// Takes choices back, also in the database, so that no other build makes the
  /// same mistake. Whether there were any.
  bool dismiss(Extent extent, const Fault &fault, Journal &journal);

  const ModelSites &sites;
  const SearchSpace &space;
  const SearchKeys &keys;
  ChoiceMap choices;
  std::vector<Receipt> receipts;
};

} // namespace mlirprof::optimize

#endif // MLIR_PROF_LIB_OPTIMIZE_SEARCH_WARMSTART_H
