//===- Prefetch.cpp - Weights on their way before they are needed ---------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A layer's weights are in an outer cache when the layer begins, since other
// layers ran in between. The first block of rows would wait for each panel; the
// others find it in the inner caches. So all blocks of one panel fetch the next
// panel meanwhile, each an equal part, spread over its reduction.
//
//===----------------------------------------------------------------------===//

#include "Prefetch.h"
#include "../Buffers/BufferPlan.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

static constexpr int64_t kLineBytes = 64;
/// With fewer blocks of rows, a panel is read almost as fast as it can be
/// fetched.
static constexpr int64_t kFewestPoints = 4;
/// Fewer vector operations in an iteration do not hide the instructions.
static constexpr int64_t kFewestOps = 8;

PanelPrefetcher::PanelPrefetcher(const NestPlan &plan, ArrayRef<int64_t> sizes)
    : plan(plan), sizes(sizes) {
  const unsigned *panels = llvm::find(plan.parallelOrder, plan.vectorDim);
  if (panels == plan.parallelOrder.end() || plan.reductionOrder.empty() ||
      ShapedType::isDynamic(sizes[plan.reductionOrder.back()])) {
    points = 0;
    return;
  }
  for (unsigned dim : llvm::make_range(panels + 1, plan.parallelOrder.end()))
    points = ShapedType::isDynamic(sizes[dim])
                 ? 0
                 : points * llvm::divideCeil(sizes[dim], dim == plan.rowDim
                                                             ? plan.rowsPerStep
                                                             : 1);
}

bool PanelPrefetcher::isFor(const NestOperand &operand) const {
  int64_t panel = operand.alongVector.panel;
  return panel != 0 && points >= kFewestPoints && !plan.dot &&
         sizes[plan.vectorDim] > panel &&
         plan.rowsPerStep * plan.vectorsPerStep >= kFewestOps;
}

void PanelPrefetcher::fetch(OpBuilder &builder, Location location,
                            const NestOperand &operand,
                            const NestPosition &position) const {
  auto apply = [&](AffineExpr expr) {
    return affine::makeComposedFoldedAffineApply(
        builder, location, AffineMap::get(sizes.size(), 0, expr),
        position.indices);
  };
  // The number of this point among those of the panel.
  AffineExpr point = builder.getAffineConstantExpr(0);
  const unsigned *panels = llvm::find(plan.parallelOrder, plan.vectorDim);
  for (unsigned dim : llvm::make_range(panels + 1, plan.parallelOrder.end())) {
    int64_t step = dim == plan.rowDim ? plan.rowsPerStep : 1;
    point = point * llvm::divideCeil(sizes[dim], step) +
            builder.getAffineDimExpr(dim).floorDiv(step);
  }
  // Its part of the innermost loop of the reduction, at a pace that all parts
  // together cover.
  unsigned inner = plan.reductionOrder.back();
  NestPosition next = position;
  next.indices[inner] =
      apply((point * sizes[inner] + builder.getAffineDimExpr(inner))
                .floorDiv(points));
  // After the last panel, what is fetched does not matter.
  int64_t panel = operand.alongVector.panel;
  AffineMap ahead =
      AffineMap::get(sizes.size(), 0,
                     {builder.getAffineDimExpr(plan.vectorDim) + panel,
                      builder.getAffineConstantExpr(
                          (sizes[plan.vectorDim] - 1) / panel * panel)},
                     builder.getContext());
  next.indices[plan.vectorDim] = affine::makeComposedFoldedAffineMin(
      builder, location, ahead, position.indices);
  int64_t lineElements =
      kLineBytes / getNumberBytes(getElementTypeOrSelf(operand.value));
  OperandLoader loader(builder, location, plan, next);
  for (int64_t lane = 0; lane < panel; lane += lineElements)
    memref::PrefetchOp::create(builder, location, operand.value,
                               loader.getIndices(operand.map, 0, lane),
                               /*isWrite=*/false,
                               /*localityHint=*/3, /*isDataCache=*/true);
}
