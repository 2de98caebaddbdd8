//===- EmitGroups.cpp - Code that groups weights --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Nest/Loops.h"
#include "GroupWeights.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using linalg::LinalgOp;

namespace {

/// Builds loops over the rows of panels: one vector of each of the `group` rows
/// of the weights, interleaved, is a piece of a panel row.
class GroupEmitter {
public:
  GroupEmitter(RewriterBase &rewriter, const Grouping &grouping)
      : rewriter(rewriter), location(grouping.getOp().getLoc()),
        grouping(grouping), shape(grouping.getShape()),
        map(grouping.getOp().getMatchingIndexingMap(
            &grouping.getOp()->getOpOperand(grouping.dot.weights))),
        type(VectorType::get(
            {grouping.lanes},
            getElementTypeOrSelf(grouping.getWeights().getType()))) {}
  Value emit();

private:
  SmallVector<Value> emitLevel(size_t level, ValueRange tensor);
  Value emitRow(Value tensor, int64_t valid);
  Value loadRow(OpFoldResult column, int64_t row, Value mask);
  Value makeMask(OpFoldResult column);
  Value interleave(ArrayRef<Value> rows);
  OpFoldResult apply(AffineExpr expr, OpFoldResult operand);

  RewriterBase &rewriter;
  Location location;
  const Grouping &grouping;
  SmallVector<int64_t> shape;
  AffineMap map;
  VectorType type;
  /// The loops' position in the grouped weights.
  SmallVector<OpFoldResult> position;
};

} // namespace

OpFoldResult GroupEmitter::apply(AffineExpr expr, OpFoldResult operand) {
  return affine::makeComposedFoldedAffineApply(
      rewriter, location, AffineMap::get(1, 0, expr), {operand});
}

/// A mask of the columns that exist from `column` on; null if all lanes are
/// valid.
Value GroupEmitter::makeMask(OpFoldResult column) {
  int64_t columns = grouping.facts.sizes[grouping.vectorDim];
  if (columns % grouping.lanes == 0 && columns % grouping.panel == 0)
    return {};
  OpFoldResult left = apply(rewriter.getAffineConstantExpr(columns) -
                                rewriter.getAffineDimExpr(0),
                            column);
  return vector::CreateMaskOp::create(
      rewriter, location,
      VectorType::get({grouping.lanes}, rewriter.getI1Type()),
      getValueOrCreateConstantIndexOp(rewriter, location, left));
}

/// Row `row` of the group, from `column` on.
Value GroupEmitter::loadRow(OpFoldResult column, int64_t row, Value mask) {
  const GroupedLayout &layout = grouping.layout;
  SmallVector<OpFoldResult> loops(map.getNumDims(), rewriter.getIndexAttr(0));
  size_t at = 0;
  for (unsigned dim : layout.outerDims)
    loops[dim] = position[at++];
  ++at;
  for (unsigned dim : layout.innerDims)
    loops[dim] = position[at++];
  AffineExpr first = rewriter.getAffineDimExpr(0) * grouping.dot.group + row;
  loops[grouping.dot.groupDim] = apply(first, loops[grouping.dot.groupDim]);
  loops[grouping.vectorDim] = column;
  SmallVector<Value> indices;
  for (AffineExpr expr : map.getResults())
    indices.push_back(getValueOrCreateConstantIndexOp(
        rewriter, location, loops[cast<AffineDimExpr>(expr).getPosition()]));
  AffineMap lastDim =
      AffineMap::getMinorIdentityMap(indices.size(), 1, rewriter.getContext());
  Value zero = arith::ConstantOp::create(
      rewriter, location, rewriter.getZeroAttr(type.getElementType()));
  return vector::TransferReadOp::create(rewriter, location, type,
                                        grouping.getWeights(), indices,
                                        AffineMapAttr::get(lastDim), zero, mask,
                                        rewriter.getBoolArrayAttr({true}));
}

/// Element 0 of all rows, then element 1, and so on.
Value GroupEmitter::interleave(ArrayRef<Value> rows) {
  if (rows.size() == 1)
    return rows.front();
  SmallVector<Value> even, odd;
  for (auto [index, row] : llvm::enumerate(rows))
    (index % 2 ? odd : even).push_back(row);
  return vector::InterleaveOp::create(rewriter, location, interleave(even),
                                      interleave(odd));
}

/// One row of a panel, in whose groups the first `valid` elements are valid.
Value GroupEmitter::emitRow(Value tensor, int64_t valid) {
  OpFoldResult panel = position[grouping.layout.outerDims.size()];
  AffineMap lastDim =
      AffineMap::getMinorIdentityMap(shape.size(), 1, rewriter.getContext());
  SmallVector<Value> indices;
  for (OpFoldResult index : position)
    indices.push_back(
        getValueOrCreateConstantIndexOp(rewriter, location, index));
  for (int64_t at = 0; at < grouping.panel; at += grouping.lanes) {
    OpFoldResult column =
        apply(rewriter.getAffineDimExpr(0) * grouping.panel + at, panel);
    Value mask = makeMask(column);
    SmallVector<Value> rows;
    for (int64_t row = 0; row < grouping.dot.group; ++row)
      rows.push_back(
          row < valid ? loadRow(column, row, mask)
                      : Value(arith::ConstantOp::create(
                            rewriter, location, rewriter.getZeroAttr(type))));
    SmallVector<Value> to = indices;
    to.push_back(arith::ConstantIndexOp::create(rewriter, location,
                                                at * grouping.dot.group));
    tensor = vector::TransferWriteOp::create(
                 rewriter, location, interleave(rows), tensor, to,
                 AffineMapAttr::get(lastDim), Value(),
                 rewriter.getBoolArrayAttr({true}))
                 .getResult();
  }
  return tensor;
}

SmallVector<Value> GroupEmitter::emitLevel(size_t level, ValueRange tensor) {
  bool isLast = level + 2 == shape.size();
  int64_t rest =
      isLast ? grouping.facts.sizes[grouping.dot.groupDim] % grouping.dot.group
             : 0;
  int64_t whole = shape[level] - (rest != 0);
  Segment segment{rewriter.getIndexAttr(0), rewriter.getIndexAttr(whole), 1, 1,
                  false};
  position.push_back({});
  SmallVector<Value> result = buildLoop(
      rewriter, location, segment, tensor,
      [&](OpFoldResult index, ValueRange carried) -> SmallVector<Value> {
        position.back() = index;
        return isLast
                   ? SmallVector<Value>{emitRow(carried[0], grouping.dot.group)}
                   : emitLevel(level + 1, carried);
      });
  if (rest != 0) {
    position.back() = rewriter.getIndexAttr(whole);
    result = {emitRow(result[0], rest)};
  }
  position.pop_back();
  return result;
}

Value GroupEmitter::emit() {
  Value empty =
      tensor::EmptyOp::create(rewriter, location, shape, type.getElementType());
  return emitLevel(0, empty).front();
}

Value codegen::emitGroups(RewriterBase &rewriter, const Grouping &grouping) {
  return GroupEmitter(rewriter, grouping).emit();
}

Value codegen::emitStarts(RewriterBase &rewriter, const Grouping &grouping) {
  LinalgOp op = grouping.op;
  const DotProduct &dot = grouping.dot;
  Location location = op.getLoc();
  AffineMap map = op.getMatchingIndexingMap(&op->getOpOperand(dot.weights));
  // The loops of the weights: those of the sums in order, then the others.
  SmallVector<unsigned> order = grouping.layout.outerDims;
  order.push_back(grouping.vectorDim);
  unsigned rank = order.size();
  llvm::append_range(order, grouping.layout.innerDims);
  SmallVector<AffineExpr> loops(op.getNumLoops(),
                                rewriter.getAffineConstantExpr(0));
  for (auto [index, dim] : llvm::enumerate(order))
    loops[dim] = rewriter.getAffineDimExpr(index);
  // One linalg.generic reads all weights, and sums them per column.
  AffineMap read = map.replaceDimsAndSymbols(loops, {}, order.size(), 0);
  AffineMap stored =
      AffineMap::getMultiDimIdentityMap(order.size(), rewriter.getContext())
          .getMajorSubMap(rank);
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  iterators.append(order.size() - rank, utils::IteratorType::reduction);
  // The sums begin with zeros, and add each weight times +-128.
  Type wide = rewriter.getI32Type();
  Value empty = tensor::EmptyOp::create(rewriter, location,
                                        grouping.getStartShape(), wide);
  Value zero =
      arith::ConstantOp::create(rewriter, location, rewriter.getZeroAttr(wide));
  Value filled =
      linalg::FillOp::create(rewriter, location, zero, empty).getResult(0);
  auto makeBody = [&](OpBuilder &builder, Location where, ValueRange values) {
    Value number =
        dot.areWeightsSigned
            ? Value(arith::ExtSIOp::create(builder, where, wide, values[0]))
            : Value(arith::ExtUIOp::create(builder, where, wide, values[0]));
    Value factor = arith::ConstantOp::create(
        builder, where,
        builder.getI32IntegerAttr(dot.isBroadcastSigned ? -128 : 128));
    Value product = arith::MulIOp::create(builder, where, number, factor);
    Value sum = arith::AddIOp::create(builder, where, values[1], product);
    linalg::YieldOp::create(builder, where, sum);
  };
  return linalg::GenericOp::create(
             rewriter, location, TypeRange{filled.getType()},
             ValueRange{grouping.getWeights()}, ValueRange{filled},
             ArrayRef<AffineMap>{read, stored}, iterators, makeBody)
      .getResult(0);
}
