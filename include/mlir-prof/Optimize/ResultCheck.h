//===- ResultCheck.h - Is a candidate right? --------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_OPTIMIZE_RESULTCHECK_H
#define MLIR_PROF_OPTIMIZE_RESULTCHECK_H

#include "mlir-prof/Support/HostTensor.h"

#include <string>
#include <vector>

namespace mlirprof::optimize {

struct ResultCheck {
  /// The largest error of an element by the largest |expected| of its array,
  /// the worst over all arrays of floats; of those before the one that `reason`
  /// is about, and that one if its error is known.
  double error = 0;
  /// Why the candidate is refused, for people; empty: it is right.
  std::string reason;

  bool isRight() const { return reason.empty(); }
};

/// Compares the results of a candidate for each request (ModelServer::
/// getResults) with the expected ones. Refuses other numbers of arrays, other
/// types or shapes; an `error` above `maxError`; an element that is not finite
/// where the expected one is, and in reverse; integers that are not equal.
ResultCheck checkResults(const std::vector<std::vector<HostTensor>> &actual,
                         const std::vector<std::vector<HostTensor>> &expected,
                         double maxError);

/// Checks that `operations` can take `seconds` on a machine that does `peak` a
/// second at most (0: not known). Returns why not, or empty: code that seems
/// faster did not do its work. Where an algorithm may need fewer operations
/// than are counted, or a type is faster than the one of `peak`,
/// `operationsFactor` says how many times (Winograd's convolution: 4).
std::string checkSpeed(double seconds, double operations, double peak,
                       double operationsFactor = 1);

} // namespace mlirprof::optimize

#endif // MLIR_PROF_OPTIMIZE_RESULTCHECK_H
