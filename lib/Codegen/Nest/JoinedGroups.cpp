//===- JoinedGroups.cpp - Grouped convolutions with one loop --------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JoinedGroups.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using linalg::LinalgOp;

/// The groups of `map`, of an image, if one of its results is
/// (v floordiv filters) * channels + c.
static std::optional<JoinedGroups> readImage(AffineMap map) {
  for (auto [position, expr] : llvm::enumerate(map.getResults())) {
    auto sum = dyn_cast<AffineBinaryOpExpr>(expr);
    if (!sum || sum.getKind() != AffineExprKind::Add)
      continue;
    auto channel = dyn_cast<AffineDimExpr>(sum.getRHS());
    auto base = dyn_cast<AffineBinaryOpExpr>(sum.getLHS());
    if (!channel || !base || base.getKind() != AffineExprKind::Mul)
      continue;
    auto channels = dyn_cast<AffineConstantExpr>(base.getRHS());
    auto group = dyn_cast<AffineBinaryOpExpr>(base.getLHS());
    if (!channels || !group || group.getKind() != AffineExprKind::FloorDiv)
      continue;
    auto filter = dyn_cast<AffineDimExpr>(group.getLHS());
    auto filters = dyn_cast<AffineConstantExpr>(group.getRHS());
    if (!filter || !filters || filters.getValue() < 1 ||
        channels.getValue() < 1)
      continue;
    return JoinedGroups{filter.getPosition(), channel.getPosition(),
                        unsigned(position), filters.getValue(),
                        channels.getValue()};
  }
  return std::nullopt;
}

std::optional<JoinedGroups> codegen::findJoinedGroups(LinalgOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 ||
      op.getNumReductionLoops() == 0 || !addsProducts(*op.getBlock()))
    return std::nullopt;
  std::optional<JoinedGroups> groups =
      readImage(op.getIndexingMapsArray().front());
  if (!groups)
    return std::nullopt;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  auto type = dyn_cast<ShapedType>(op.getDpsInputs().front().getType());
  int64_t all = sizes[groups->filterDim];
  if (!type || sizes[groups->channelDim] != groups->channels ||
      ShapedType::isDynamic(all) || all % groups->filters != 0 ||
      type.getDimSize(groups->position) !=
          all / groups->filters * groups->channels ||
      op.getIteratorTypesArray()[groups->filterDim] !=
          utils::IteratorType::parallel ||
      op.getIteratorTypesArray()[groups->channelDim] !=
          utils::IteratorType::reduction)
    return std::nullopt;
  return groups;
}

bool codegen::isConvolution(LinalgOp op) {
  return linalg::isaConvolutionOpInterface(op) || findJoinedGroups(op);
}

GroupVectors codegen::getGroupVectors(LinalgOp op, const JoinedGroups &groups,
                                      unsigned elementBits,
                                      const TargetModel &target) {
  /// Vectors of channels that one vector of filters reads: each takes a load
  /// and a shuffle.
  constexpr int64_t mostLoads = 2;
  int64_t size = op.getStaticLoopRanges()[groups.filterDim];
  int64_t lanes = getLanes(ShapedType::kDynamic, elementBits, target);
  // Half a vector for each group takes no longer where a processor executes two
  // of them at once, and does not need shuffles.
  for (; lanes > 2 * groups.filters; lanes /= 2)
    if (lanes % groups.filters == 0 && size % lanes == 0 &&
        groups.channels <= mostLoads * groups.filters)
      return {lanes, true};
  return {getLanes(groups.filters, elementBits, target), false};
}
