//===- OrderLoops.cpp - Plain loops without long chains -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plain loops of a product add to one element in the innermost loop, in memory,
// since LLVM cannot tell that the factors stand elsewhere: each addition waits
// for the one before. With the loop along the result's rows inside, they are
// independent of each other, and factors are read in the order in which they
// stand. Each element is still summed up in the same order.
//
//===----------------------------------------------------------------------===//

#include "OrderLoops.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// The dimension whose neighbors `map` keeps side by side, if it is one.
static std::optional<unsigned> getRowDim(AffineMap map) {
  if (map.getNumResults() == 0)
    return std::nullopt;
  auto dim = dyn_cast<AffineDimExpr>(map.getResults().back());
  return dim ? std::optional(dim.getPosition()) : std::nullopt;
}

/// Whether the operand of `map` has elements that differ in `dim` side by side,
/// or the same one for all.
static bool isGoodAlong(AffineMap map, unsigned dim) {
  return !map.isFunctionOfDim(dim) ||
         (getRowDim(map) == dim &&
          llvm::none_of(map.getResults().drop_back(), [&](AffineExpr expr) {
            return expr.isFunctionOfDim(dim);
          }));
}

/// The dimension that is better innermost than the one that is.
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
  if (succeeded(ordered))
    (*ordered)->setDiscardableAttrs(attributes);
}
