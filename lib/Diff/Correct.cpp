//===- Correct.cpp - Correcting for many tests ----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Correct.h"
#include "llvm/ADT/STLExtras.h"

#include <tuple>

using namespace mlirprof;
using namespace mlirprof::diff;

/// Holm's procedure with weights, as p-values for the probability 1.
static void correctOps(llvm::MutableArrayRef<WeightedTest> ops, double others,
                       double part) {
  auto rank = [](const WeightedTest &test) {
    return std::make_tuple(test.row->pValue / test.weight, test.row);
  };
  llvm::sort(ops, [&](const WeightedTest &a, const WeightedTest &b) {
    return rank(a) < rank(b);
  });
  double left = others, largest = 0;
  for (const WeightedTest &test : ops)
    left += test.weight;
  for (const WeightedTest &test : ops) {
    largest = std::max(largest, test.row->pValue * left / test.weight / part);
    test.row->adjusted = std::min(1.0, largest);
    left -= test.weight;
  }
}

void diff::correct(llvm::ArrayRef<WeightedTest> whole,
                   llvm::MutableArrayRef<WeightedTest> ops, double others,
                   double alpha) {
  double part = kOpsWeight;
  for (const WeightedTest &test : whole) {
    test.row->adjusted = std::min(1.0, test.row->pValue / test.weight);
    if (test.row->adjusted < alpha)
      part += test.weight;
  }
  correctOps(ops, others, part);
}
