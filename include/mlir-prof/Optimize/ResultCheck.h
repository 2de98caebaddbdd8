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
  /// The largest error of an element relative to the largest |expected| of its
  /// array, over all arrays of floats. If there is a `reason`, over the arrays
  /// up to the one that it names, as far as that one's error is known.
  double error = 0;
  /// The reason for rejecting the candidate, as text; empty if it is right.
  std::string reason;

  bool isRight() const { return reason.empty(); }
};

/// Compares the results of a candidate for each request (ModelServer::
/// getResults) with the expected ones. Rejects other numbers of arrays, other
/// types or shapes; an `error` above `maxError`; elements of which only the
/// actual or the expected one is finite; and integers that are not equal.
ResultCheck checkResults(const std::vector<std::vector<HostTensor>> &actual,
                         const std::vector<std::vector<HostTensor>> &expected,
                         double maxError);

/// Checks whether a machine with at most `peak` operations per second (0 if
/// unknown) can execute `operations` in `seconds`; code that seems faster did
/// not do its work. Returns the reason why not, or an empty text.
/// `operationsFactor` is the factor by which an algorithm may need fewer
/// operations than counted, or by which a type is faster than that of `peak`
/// (Winograd's convolution: 4).
std::string checkSpeed(double seconds, double operations, double peak,
                       double operationsFactor = 1);

} // namespace mlirprof::optimize

#endif // MLIR_PROF_OPTIMIZE_RESULTCHECK_H
