//===- FinalCheck.h - Whether the result holds as a whole -------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_OPTIMIZE_SEARCH_FINALCHECK_H
#define MLIR_PROF_LIB_OPTIMIZE_SEARCH_FINALCHECK_H

#include "Incumbent.h"
#include "Journal.h"
#include "ModelComparer.h"
#include "Reference.h"

namespace mlirprof::optimize {

/// Why the result of a search is not returned.
struct Refusal {
  std::string why;
  Blame blame = Blame::Choices;
};

/// The checks of a result as a whole: its time in new processes, and its
/// results on other arguments.
class FinalCheck {
public:
  /// All of them outlive this.
  FinalCheck(const OptimizerOptions &options, const TimeBudget &budget,
             const ModelBuilder &builder, const Reference &reference)
      : options(options), budget(budget), builder(builder),
        reference(reference) {}

  /// Compares the incumbent with the baseline; why it is not faster, or none.
  /// An incumbent with choices for size alone need not be faster: the test
  /// excludes that it loses more than getSizeMargin().
  llvm::Expected<std::optional<Refusal>>
  compareTimes(ModelComparer &comparer, const Incumbent &incumbent);
  /// Compares the results of the incumbent with those of the unoptimized model
  /// on OptimizerOptions::checkRequests, and notes their error; why they are
  /// wrong, or none.
  llvm::Expected<std::optional<Refusal>>
  checkOtherRequests(Incumbent &incumbent, Journal &journal) const;

  /// The incumbent against the baseline, once compareTimes() has measured it.
  const std::optional<tuning::Comparison> &getComparison() const {
    return comparison;
  }
  /// Not 0 where compareTimes() tested a loss; see OptimizerResult::sizeMargin.
  double getSizeMargin() const { return sizeMargin; }

private:
  const OptimizerOptions &options;
  const TimeBudget &budget;
  const ModelBuilder &builder;
  const Reference &reference;
  std::optional<tuning::Comparison> comparison;
  double sizeMargin = 0;
};

} // namespace mlirprof::optimize

#endif // MLIR_PROF_LIB_OPTIMIZE_SEARCH_FINALCHECK_H
