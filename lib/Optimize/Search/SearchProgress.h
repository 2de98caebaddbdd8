//===- SearchProgress.h - Reports of how far a search has come --*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_OPTIMIZE_SEARCH_SEARCHPROGRESS_H
#define MLIR_PROF_LIB_OPTIMIZE_SEARCH_SEARCHPROGRESS_H

#include "Incumbent.h"
#include "Journal.h"
#include "llvm/ADT/Twine.h"

namespace mlirprof::optimize {

/// Tells the caller of a search how far it has come.
class SearchProgress {
public:
  /// All of them outlive this.
  SearchProgress(const OptimizerOptions &options, const TimeBudget &budget,
                 const Journal &journal, const Incumbent &incumbent)
      : options(options), budget(budget), journal(journal),
        incumbent(incumbent) {}

  void report(llvm::StringRef phase, const llvm::Twine &what) const {
    if (options.onProgress)
      options.onProgress({phase, what.str(), budget.getUsed(),
                          budget.getTotal(), journal.countTrials(),
                          journal.countKept(), incumbent.getRatio()});
  }

private:
  const OptimizerOptions &options;
  const TimeBudget &budget;
  const Journal &journal;
  const Incumbent &incumbent;
};

} // namespace mlirprof::optimize

#endif // MLIR_PROF_LIB_OPTIMIZE_SEARCH_SEARCHPROGRESS_H
