//===- GroupConstants.cpp - Constants in groups ---------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GroupWeights.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using linalg::LinalgOp;

std::optional<Source> codegen::findSource(LinalgOp op, const DotProduct &dot,
                                          unsigned vectorDim) {
  OpOperand &operand = op->getOpOperand(dot.weights);
  std::optional<Weights> weights = findWeights(operand.get());
  if (!weights)
    return std::nullopt;
  Source source;
  source.strides.assign(op.getNumLoops(), 0);
  AffineMap map = op.getMatchingIndexingMap(&operand);
  source.panel = getAccess(map, vectorDim).panel;
  for (auto [expr, stride] :
       llvm::zip_equal(map.getResults(), weights->strides)) {
    auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      source.strides[dim.getPosition()] = stride;
    else if (binary && binary.getKind() == AffineExprKind::FloorDiv)
      source.panelStride = stride;
    else
      source.strides[vectorDim] = stride;
  }
  source.weights = std::move(*weights);
  return source;
}

SmallVector<int64_t> Grouping::getShape() const {
  ArrayRef<int64_t> sizes = facts.sizes;
  SmallVector<int64_t> shape;
  for (unsigned dim : layout.outerDims)
    shape.push_back(sizes[dim]);
  shape.push_back(llvm::divideCeil(sizes[vectorDim], panel));
  for (unsigned dim : ArrayRef(layout.innerDims).drop_back())
    shape.push_back(sizes[dim]);
  shape.push_back(llvm::divideCeil(sizes[dot.groupDim], dot.group));
  shape.push_back(panel * dot.group);
  return shape;
}

SmallVector<int64_t> Grouping::getStartShape() const {
  SmallVector<int64_t> shape;
  for (unsigned dim : layout.outerDims)
    shape.push_back(facts.sizes[dim]);
  shape.push_back(facts.sizes[vectorDim]);
  return shape;
}

namespace {

/// Copies elements into groups, and sums bytes per column.
class GroupCopier {
public:
  GroupCopier(const Grouping &grouping, char *target,
              MutableArrayRef<uint32_t> sums)
      : grouping(grouping), target(target), sums(sums),
        bytes(getElementTypeOrSelf(grouping.getWeights().getType())
                  .getIntOrFloatBitWidth() /
              8) {}
  /// Copies all rows of panels; `shape` is that of the weights.
  void copy(ArrayRef<int64_t> shape);

private:
  void copyRow(ArrayRef<int64_t> index);
  void copyElement(int64_t from, char *to, size_t sum);

  const Grouping &grouping;
  char *target;
  MutableArrayRef<uint32_t> sums;
  unsigned bytes;
};

} // namespace

void GroupCopier::copyElement(int64_t from, char *to, size_t sum) {
  const char *source = grouping.source->weights.bytes.data() + from * bytes;
  std::memcpy(to, source, bytes);
  if (sums.empty())
    return;
  sums[sum] += grouping.dot.areWeightsSigned
                   ? uint32_t(int32_t(static_cast<signed char>(*source)))
                   : uint32_t(static_cast<unsigned char>(*source));
}

/// Copies one row of a panel: its columns, and a group for each.
void GroupCopier::copyRow(ArrayRef<int64_t> index) {
  const DotProduct &dot = grouping.dot;
  ArrayRef<int64_t> sizes = grouping.facts.sizes;
  ArrayRef<int64_t> strides = grouping.source->strides;
  int64_t columns = sizes[grouping.vectorDim];
  int64_t offset = 0;
  size_t sum = 0, at = 0;
  for (unsigned dim : grouping.layout.outerDims) {
    sum = sum * sizes[dim] + index[at];
    offset += strides[dim] * index[at++];
  }
  int64_t firstColumn = index[at++] * grouping.panel;
  for (unsigned dim : ArrayRef(grouping.layout.innerDims).drop_back())
    offset += strides[dim] * index[at++];
  int64_t first = index[at] * dot.group;
  int64_t depth = std::min(dot.group, sizes[dot.groupDim] - first);
  int64_t end = std::min(columns, firstColumn + grouping.panel);
  for (int64_t column = firstColumn; column < end; ++column) {
    int64_t from = offset +
                   grouping.source->getColumn(column, grouping.vectorDim) +
                   first * strides[dot.groupDim];
    char *to = target + (column - firstColumn) * dot.group * bytes;
    for (int64_t k = 0; k < depth; ++k)
      copyElement(from + k * strides[dot.groupDim], to + k * bytes,
                  sum * columns + column);
  }
}

void GroupCopier::copy(ArrayRef<int64_t> shape) {
  forEachIndex(shape.drop_back(), [&](ArrayRef<int64_t> index) {
    copyRow(index);
    target += shape.back() * bytes;
  });
}

/// 128 times the column sums: subtracted if flipping signs adds 128 to each
/// number, added if it subtracts 128.
static DenseElementsAttr getStarts(const Grouping &grouping,
                                   MutableArrayRef<uint32_t> sums) {
  for (uint32_t &sum : sums)
    sum *= grouping.dot.isBroadcastSigned ? uint32_t(-128) : uint32_t(128);
  auto type = RankedTensorType::get(
      grouping.getStartShape(),
      IntegerType::get(grouping.getOp().getContext(), 32));
  return DenseElementsAttr::getFromRawBuffer(
      type, ArrayRef(reinterpret_cast<const char *>(sums.data()),
                     sums.size() * sizeof(uint32_t)));
}

GroupedConstant GroupedConstants::get(const Grouping &grouping) {
  SmallVector<int64_t> shape = grouping.getShape();
  const DotProduct &dot = grouping.dot;
  Attribute constant;
  if (!matchPattern(grouping.source->weights.constant, m_Constant(&constant)))
    return {};
  Key key(constant.getAsOpaquePointer(),
          {dot.needsFlip(), dot.areWeightsSigned,
           grouping.facts.sizes[grouping.vectorDim],
           grouping.facts.sizes[dot.groupDim], grouping.source->panelStride});
  llvm::append_range(key.second, shape);
  llvm::append_range(key.second, grouping.source->strides);
  GroupedConstant &grouped = known[key];
  if (grouped.weights)
    return grouped;
  Type element = getElementTypeOrSelf(grouping.getWeights().getType());
  auto type = RankedTensorType::get(shape, element);
  SmallVector<uint32_t> sums;
  if (dot.needsFlip())
    sums.assign(ShapedType::getNumElements(grouping.getStartShape()), 0);
  grouped.weights = makeConstant(type, "grouped", [&](char *target) {
    GroupCopier(grouping, target, sums).copy(shape);
  });
  if (dot.needsFlip()) {
    noteRead(grouping.source->weights.constant->getResult(0));
    grouped.starts = getStarts(grouping, sums);
  }
  return grouped;
}
