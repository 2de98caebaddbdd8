//===- Journal.h - Receipts and decisions of a search -----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_OPTIMIZE_SEARCH_JOURNAL_H
#define MLIR_PROF_LIB_OPTIMIZE_SEARCH_JOURNAL_H

#include "SearchKeys.h"
#include "mlir-prof/Optimize/Optimizer.h"

#include <functional>
#include <string>
#include <vector>

namespace mlirprof::optimize {

/// Whether a fault is that of the choices, so that no other build is to make
/// them, or that of a limit or of the machine.
enum class Blame : uint8_t { Choices, Circumstances };

/// The technique of observations about a model as a whole.
inline constexpr llvm::StringLiteral kModelTechnique = "model";

/// The records of one search: receipts and notes for its caller, observations
/// and decisions for the database, which is saved after each change.
class Journal {
public:
  using Save = std::function<void(tuning::DecisionDatabase &)>;

  /// All of them outlive this; `save` may be empty.
  Journal(const ModelSites &sites, const SearchSpace &space,
          const SearchKeys &keys, tuning::DecisionDatabase &database,
          const Save &save)
      : sites(sites), space(space), keys(keys), database(database), save(save) {
  }

  /// Whether `planned` was tried before and is not to be tried again in a model
  /// with `applied` choices.
  bool wasTried(const PlannedProposal &planned, const ChoiceMap &applied) const;

  /// Adds receipts of choices that the database had.
  void addKnown(std::vector<Receipt> known);
  /// Adds the receipt of a trial, and files its observation and, where the
  /// candidate was kept, the decision. A kept one takes its sites off earlier
  /// receipts of its technique.
  void record(const PlannedProposal &planned, Receipt receipt);
  /// Takes back all choices that are applied: the result does not have them.
  void withdraw(Blame blame);
  /// Decides, for what `receipt` is about, that the rules choose best.
  void decideAgainst(const Receipt &receipt);
  /// Decides for each op that would be given a choice of a similar one, by now,
  /// that it has what `choices` say, or nothing: all that may help was tried,
  /// and the next build is to be the same.
  void settle(const ChoiceMap &choices);
  /// Files, under each of `markers`, that a search was completed, with the
  /// comparison of its result with the model without choices.
  void markComplete(llvm::ArrayRef<tuning::Choice> markers,
                    const std::optional<tuning::Comparison> &whole);
  void saveDatabase();

  void note(std::string text) { notes.push_back(std::move(text)); }
  std::vector<std::string> &getNotes() { return notes; }
  const std::vector<Receipt> &getReceipts() const { return receipts; }
  /// The trials of this search, and those whose candidate was kept.
  unsigned countTrials() const;
  unsigned countKept() const;

private:
  void decide(const Receipt &receipt, const tuning::Choice *choice);
  void add(tuning::Decision decision);

  const ModelSites &sites;
  const SearchSpace &space;
  const SearchKeys &keys;
  tuning::DecisionDatabase &database;
  const Save &save;
  std::vector<Receipt> receipts;
  std::vector<std::string> notes;
};

} // namespace mlirprof::optimize

#endif // MLIR_PROF_LIB_OPTIMIZE_SEARCH_JOURNAL_H
