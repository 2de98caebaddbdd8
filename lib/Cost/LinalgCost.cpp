//===- LinalgCost.cpp - Static cost of structured ops of linalg -----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Cost/OpKinds.h"
#include "mlir-prof/Cost/StaticCost.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::cost;

/// Cost of one iteration of an elementwise body: its values are loaded and
/// stored once, regardless of the computation in between.
static uint64_t getBodyCost(linalg::LinalgOp op) {
  uint64_t result = 0;
  for (Operation &inner : op.getBlock()->without_terminator()) {
    OpKind kind = getKind(&inner);
    if (kind == OpKind::Transcendental)
      result += cost::kTranscendental;
    else if (kind != OpKind::Free)
      result = std::max(result, cost::kElement) + 1;
  }
  return std::max<uint64_t>(result, 1);
}

static uint64_t getIterationCost(linalg::LinalgOp op) {
  switch (getKind(op)) {
  case OpKind::Contraction:
  case OpKind::Convolution:
    return 2;
  case OpKind::Broadcast:
    return cost::kBroadcast;
  case OpKind::Movement:
    return cost::kMoved;
  case OpKind::Reduction:
  case OpKind::Window:
    return cost::kReduced;
  default:
    return getBodyCost(op);
  }
}

std::optional<uint64_t> cost::getLinalgCost(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp)
    return std::nullopt;
  uint64_t iterations = 1;
  for (int64_t range : linalgOp.getStaticLoopRanges())
    iterations = llvm::SaturatingMultiply(
        iterations, ShapedType::isDynamic(range) ? uint64_t(cost::kDynamicSize)
                                                 : uint64_t(range));
  return llvm::SaturatingMultiply(iterations, getIterationCost(linalgOp));
}
