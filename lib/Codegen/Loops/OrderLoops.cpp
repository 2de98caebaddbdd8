//===- OrderLoops.cpp - Scalar loops without long chains ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The scalar loops of a matrix product add to one element in memory in the
// innermost loop, because LLVM cannot prove that the factors do not alias it:
// each addition waits for the one before. If the loop along the result's rows
// is innermost, the additions are independent of each other, and factors are
// read in memory order. Each element is still summed in the same order.
//
//===----------------------------------------------------------------------===//

#include "OrderLoops.h"
#include "../Marks.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// The dimension along which `map` keeps neighbors adjacent, if there is one.
static std::optional<unsigned> getRowDim(AffineMap map) {
  if (map.getNumResults() == 0)
    return std::nullopt;
  auto dim = dyn_cast<AffineDimExpr>(map.getResults().back());
  return dim ? std::optional(dim.getPosition()) : std::nullopt;
}

/// Whether neighbors along `dim` read adjacent elements of the operand of
/// `map`, or the same element.
static bool isGoodAlong(AffineMap map, unsigned dim) {
  return !map.isFunctionOfDim(dim) ||
         (getRowDim(map) == dim &&
          llvm::none_of(map.getResults().drop_back(), [&](AffineExpr expr) {
            return expr.isFunctionOfDim(dim);
          }));
}

/// The dimension that is better as the innermost one than the current one; none
/// if there is none.
static std::optional<unsigned> findInnermost(linalg::LinalgOp op) {
  auto types = op.getIteratorTypesArray();
  if (op.getNumDpsInits() != 1 || types.size() < 2 ||
      types.back() != utils::IteratorType::reduction || op.hasIndexSemantics())
    return std::nullopt;
  std::optional<unsigned> row =
      getRowDim(op.getMatchingIndexingMap(op.getDpsInitOperand(0)));
  bool isBetter = row && types[*row] == utils::IteratorType::parallel &&
                  llvm::all_of(op.getIndexingMapsArray(), [&](AffineMap map) {
                    return isGoodAlong(map, *row);
                  });
  return isBetter ? row : std::nullopt;
}

void codegen::orderLoops(linalg::LinalgOp op) {
  std::optional<unsigned> innermost = findInnermost(op);
  if (!innermost)
    return;
  IRRewriter rewriter(op->getContext());
  rewriter.setInsertionPoint(op);
  DictionaryAttr attributes = op->getDiscardableAttrDictionary();
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic) {
    FailureOr<linalg::GenericOp> general =
        linalg::generalizeNamedOp(rewriter, op);
    if (failed(general))
      return;
    generic = *general;
    generic->setDiscardableAttrs(attributes);
  }
  SmallVector<unsigned> order;
  for (unsigned dim = 0, e = generic.getNumLoops(); dim != e; ++dim)
    if (dim != *innermost)
      order.push_back(dim);
  order.push_back(*innermost);
  FailureOr<linalg::GenericOp> ordered =
      linalg::interchangeGenericOp(rewriter, generic, order);
  if (failed(ordered))
    return;
  (*ordered)->setDiscardableAttrs(attributes);
  // They number the loops in their former order.
  removeSizeMarks(*ordered);
}
