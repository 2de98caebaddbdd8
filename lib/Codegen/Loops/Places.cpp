//===- Places.cpp - Elements that the body of an op reads -----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Places.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using linalg::GenericOp;

bool codegen::isLinear(AffineMap map) {
  bool isLinear = llvm::all_of(
      map.getResults(), [](AffineExpr expr) { return expr.isPureAffine(); });
  map.walkExprs([&](AffineExpr expr) {
    AffineExprKind kind = expr.getKind();
    isLinear &= kind != AffineExprKind::Mod &&
                kind != AffineExprKind::FloorDiv &&
                kind != AffineExprKind::CeilDiv;
  });
  return isLinear;
}

namespace {

/// Expresses indices in the body of an op in terms of its loops.
class PlaceFinder {
public:
  explicit PlaceFinder(Block *body) : body(body) {}

  /// Null if `index` is not a sum of loops and constants.
  AffineExpr find(Value index);

private:
  AffineExpr findSum(Operation *op);
  AffineExpr findApplied(affine::AffineApplyOp apply);

  Block *body;
  /// The number of paths doubles with each op whose operands are the same.
  unsigned opsLeft = 64;
};

} // namespace

AffineExpr PlaceFinder::find(Value index) {
  APInt constant;
  if (matchPattern(index, m_ConstantInt(&constant)))
    return getAffineConstantExpr(constant.getSExtValue(), index.getContext());
  Operation *op = index.getDefiningOp();
  if (!op || opsLeft == 0)
    return nullptr;
  --opsLeft;
  // (The index of a surrounding op belongs to another loop.)
  if (auto loop = dyn_cast<linalg::IndexOp>(op);
      loop && loop->getBlock() == body)
    return getAffineDimExpr(loop.getDim(), index.getContext());
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return findApplied(apply);
  bool isSum = isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op) &&
               index.getType().isIndex();
  return isSum ? findSum(op) : nullptr;
}

AffineExpr PlaceFinder::findApplied(affine::AffineApplyOp apply) {
  AffineMap map = apply.getAffineMap();
  if (!isLinear(map))
    return nullptr;
  SmallVector<AffineExpr> places;
  for (Value operand : apply.getMapOperands()) {
    AffineExpr place = find(operand);
    if (!place)
      return nullptr;
    places.push_back(place);
  }
  AffineExpr place = map.getResult(0).replaceDimsAndSymbols(
      ArrayRef(places).take_front(map.getNumDims()),
      ArrayRef(places).drop_front(map.getNumDims()));
  // (Without simplification, nested maps would grow at each level.)
  return simplifyAffineExpr(
      place, cast<GenericOp>(body->getParentOp()).getNumLoops(), 0);
}

/// `op` is a sum, a difference or a product.
AffineExpr PlaceFinder::findSum(Operation *op) {
  AffineExpr left = find(op->getOperand(0)), right = find(op->getOperand(1));
  if (!left || !right)
    return nullptr;
  if (isa<arith::AddIOp>(op))
    return left + right;
  if (isa<arith::SubIOp>(op))
    return left - right;
  bool isLinear = left.isSymbolicOrConstant() || right.isSymbolicOrConstant();
  return isLinear ? left * right : nullptr;
}

AffineExpr codegen::findPlace(Value index, GenericOp op) {
  return PlaceFinder(op.getBody()).find(index);
}

bool codegen::fits(AffineExpr place, ArrayRef<int64_t> sizes, int64_t size) {
  if (auto loop = dyn_cast<AffineDimExpr>(place))
    return sizes[loop.getPosition()] == size;
  AffineMap map = AffineMap::get(sizes.size(), 0, place);
  SmallVector<int64_t> point(sizes.size(), 0);
  int64_t start = map.compose(point).front(), least = start, most = start;
  // (Numbers that wrap here wrap at run time too.)
  for (size_t dim = 0; dim < sizes.size(); ++dim) {
    point[dim] = 1;
    int64_t step = 0, moved = 0;
    bool overflows = llvm::SubOverflow(map.compose(point).front(), start, step);
    overflows |= llvm::MulOverflow(step, sizes[dim] - 1, moved);
    int64_t &end = moved < 0 ? least : most;
    overflows |= llvm::AddOverflow(end, moved, end) != 0;
    if (overflows)
      return false;
    point[dim] = 0;
  }
  return least >= 0 && most < size;
}

std::optional<int64_t> codegen::countElements(ArrayRef<int64_t> shape,
                                              int64_t most) {
  int64_t count = 1;
  for (int64_t size : shape)
    if (ShapedType::isDynamic(size) || llvm::MulOverflow(count, size, count) ||
        count > most)
      return std::nullopt;
  return count;
}

llvm::SmallBitVector codegen::findLoops(GenericOp op, Value value) {
  llvm::SmallBitVector loops(op.getNumLoops());
  SmallVector<Value> left = {value};
  DenseSet<Value> seen;
  while (!left.empty()) {
    Value next = left.pop_back_val();
    if (next.getParentBlock() != op.getBody() || !seen.insert(next).second)
      continue;
    if (auto argument = dyn_cast<BlockArgument>(next)) {
      AffineMap map =
          op.getMatchingIndexingMap(op.getMatchingOpOperand(argument));
      for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
        if (map.isFunctionOfDim(loop))
          loops.set(loop);
      continue;
    }
    Operation *inner = next.getDefiningOp();
    if (inner->getNumRegions() != 0)
      return llvm::SmallBitVector(op.getNumLoops(), true);
    if (auto index = dyn_cast<linalg::IndexOp>(inner))
      loops.set(index.getDim());
    llvm::append_range(left, inner->getOperands());
  }
  return loops;
}

AffineMap codegen::findReadLoops(tensor::ExtractOp extract) {
  auto op = dyn_cast<GenericOp>(extract->getParentOp());
  if (!op || !op.hasPureTensorSemantics() ||
      op->isAncestor(extract.getTensor().getParentBlock()->getParentOp()))
    return AffineMap();
  MLIRContext *context = op.getContext();
  SmallVector<AffineExpr> results;
  for (Value index : extract.getIndices()) {
    AffineExpr sum = getAffineConstantExpr(0, context);
    for (unsigned loop : findLoops(op, index).set_bits())
      sum = sum + getAffineDimExpr(loop, context);
    results.push_back(sum);
  }
  return AffineMap::get(op.getNumLoops(), 0, results, context);
}
