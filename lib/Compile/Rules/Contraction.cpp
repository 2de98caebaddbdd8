//===- Contraction.cpp - Sums of products ---------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rule.h"
#include "Tiling.h"

using namespace mlir;
using namespace mlirprof;

LogicalResult mlirprof::applyContractionRule(RewriterBase &rewriter,
                                             Operation *root,
                                             const TargetModel &target) {
  return failure();
}
