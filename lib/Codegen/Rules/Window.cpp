//===- Window.cpp - Pixels that neighbors have in common ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Window.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// How much `expr` of `map` grows when the loop `dim` advances by one; 0 if
/// that is not constant.
static int64_t getStep(AffineMap map, AffineExpr expr, unsigned dim) {
  AffineExpr loop = getAffineDimExpr(dim, map.getContext());
  auto step = dyn_cast<AffineConstantExpr>(
      simplifyAffineExpr(expr.replace(loop, loop + 1) - expr, map.getNumDims(),
                         map.getNumSymbols()));
  return step ? step.getValue() : 0;
}

std::optional<Window> codegen::findWindow(linalg::LinalgOp op,
                                          const NestFacts &facts,
                                          std::optional<unsigned> rowDim,
                                          unsigned image) {
  if (!rowDim)
    return std::nullopt;
  AffineMap map = op.getMatchingIndexingMap(&op->getOpOperand(image));
  for (AffineExpr expr : map.getResults()) {
    if (!expr.isFunctionOfDim(*rowDim))
      continue;
    for (unsigned dim : facts.reductionDims) {
      if (!expr.isFunctionOfDim(dim))
        continue;
      Window window{dim, getStep(map, expr, *rowDim), getStep(map, expr, dim),
                    facts.sizes[dim]};
      bool isKnown = window.step > 0 && window.slide > 0 &&
                     !ShapedType::isDynamic(window.taps);
      return isKnown ? std::optional(window) : std::nullopt;
    }
  }
  return std::nullopt;
}

int64_t codegen::getRowBlock(int64_t size, int64_t most) {
  for (int64_t rows = most; !ShapedType::isDynamic(size) && 3 * rows > 2 * most;
       --rows)
    if (size % rows == 0)
      return rows;
  return getBalancedBlock(size, most);
}
