//===- UnseenCheck.h - Candidates on shapes not recorded --------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A choice that is faster on the requests may be slower for other shapes. So it
// is kept only when, for each of some other shapes, it computes the same and a
// test excludes that it is slower than the model without choices, in processes
// that change: a test that cannot tell keeps nothing. Each shape is measured on
// its own: in a mean, a slower one would hide behind a faster one.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_OPTIMIZE_SEARCH_UNSEENCHECK_H
#define MLIR_PROF_LIB_OPTIMIZE_SEARCH_UNSEENCHECK_H

#include "Incumbent.h"
#include "ModelComparer.h"
#include "Reference.h"

namespace mlirprof::optimize {

/// How a candidate does for shapes that were not recorded.
struct UnseenOutcome {
  /// Why it is not to be kept: for a shape it computes something else, or is
  /// slower than the model without choices. Empty: it is as good for all.
  std::string fault;
  /// Whether the fault is that the budget ended before it could be told.
  bool hasNoTime = false;
  /// One for each shape where there is no fault.
  std::vector<UnseenResult> results;
};

/// Checks candidates on shapes that were not recorded.
class UnseenCheck {
public:
  /// All of them outlive this.
  UnseenCheck(const ModelBuilder &builder, const ModelComparer &comparer,
              const Incumbent &incumbent, const SearchProgress &progress,
              const TimeBudget &budget)
      : builder(builder), comparer(comparer), incumbent(incumbent),
        progress(progress), budget(budget) {}

  /// Begins with those of `all` that the model without choices computes right;
  /// sets what their results may be off, at least `tolerance`.
  llvm::Error setShapes(std::vector<UnseenShape> all, double tolerance);
  llvm::ArrayRef<UnseenShape> getShapes() const { return shapes; }
  /// The expected seconds of check().
  double getSeconds() const;
  /// Checks `candidate`, which has `choices`.
  llvm::Expected<UnseenOutcome> check(record::ModelServer &candidate,
                                      const ChoiceMap &choices) const;

private:
  /// `attempt`: 0, and 1 with more patience where the first found a fault.
  llvm::Expected<UnseenResult> measure(const UnseenShape &shape,
                                       record::ModelServer &candidate,
                                       const ChoiceMap &choices,
                                       unsigned attempt) const;

  const ModelBuilder &builder;
  const ModelComparer &comparer;
  const Incumbent &incumbent;
  const SearchProgress &progress;
  const TimeBudget &budget;
  std::vector<UnseenShape> shapes;
};

} // namespace mlirprof::optimize

#endif // MLIR_PROF_LIB_OPTIMIZE_SEARCH_UNSEENCHECK_H
