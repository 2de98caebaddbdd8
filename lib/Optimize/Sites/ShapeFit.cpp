//===- ShapeFit.cpp - Whether a model can have shapes ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShapeFit.h"
#include "mlir-prof/Cost/ShapeEvaluator.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <algorithm>

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::cost;
using namespace mlirprof::optimize;

/// Both are at most what is said of the whole.
static ShapeFit worse(ShapeFit a, ShapeFit b) { return std::max(a, b); }

static ShapeFit fitsIf(bool condition) {
  return condition ? ShapeFit::Fits : ShapeFit::Misfits;
}

/// Loops that an operand's dimension is, rather than computed from.
static ShapeFit checkLoops(linalg::LinalgOp op, ShapeEvaluator &shapes) {
  ShapeFit fit = ShapeFit::Fits;
  SmallVector<std::optional<int64_t>> lengths(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<ShapedType>(operand.get().getType()))
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (unsigned i = 0; i != map.getNumResults(); ++i) {
      auto loop = dyn_cast<AffineDimExpr>(map.getResult(i));
      if (!loop)
        continue;
      auto size = shapes.getDimension(operand.get(), i);
      if (!size) {
        fit = worse(fit, ShapeFit::Unknown);
        continue;
      }
      auto &length = lengths[loop.getPosition()];
      if (length && *length != *size)
        return ShapeFit::Misfits;
      length = size;
    }
  }
  return fit;
}

/// A static dimension of the result is what the operand has.
static ShapeFit checkCast(tensor::CastOp op, ShapeEvaluator &shapes) {
  auto type = dyn_cast<RankedTensorType>(op.getType());
  auto source = dyn_cast<RankedTensorType>(op.getSource().getType());
  if (!type || !source)
    return ShapeFit::Unknown;
  ShapeFit fit = ShapeFit::Fits;
  for (int64_t i = 0; i != type.getRank(); ++i) {
    if (type.isDynamicDim(i) || !source.isDynamicDim(i))
      continue;
    auto size = shapes.getDimension(op.getSource(), i);
    fit = worse(fit, !size ? ShapeFit::Unknown
                           : fitsIf(*size == type.getDimSize(i)));
  }
  return fit;
}

/// `whole` is what the slice of `op` is taken from, or put into.
template <typename SliceOp>
static ShapeFit checkSlice(SliceOp op, Value whole, ShapeEvaluator &shapes) {
  ShapeFit fit = ShapeFit::Fits;
  for (auto [i, offset, size, stride] : llvm::enumerate(
           op.getMixedOffsets(), op.getMixedSizes(), op.getMixedStrides())) {
    auto from = shapes.getInteger(offset), count = shapes.getInteger(size);
    auto step = shapes.getInteger(stride);
    auto length = shapes.getDimension(whole, i);
    if (!from || !count || !step || !length)
      fit = worse(fit, ShapeFit::Unknown);
    else if (*from < 0 || *count < 0 ||
             (*count > 0 && *from + (*count - 1) * *step >= *length))
      return ShapeFit::Misfits;
  }
  return fit;
}

/// The parts of a dimension have as many elements as it has.
static ShapeFit checkParts(Value whole, Value parts,
                           ArrayRef<ReassociationIndices> groups,
                           ShapeEvaluator &shapes) {
  ShapeFit fit = ShapeFit::Fits;
  for (auto [i, group] : llvm::enumerate(groups)) {
    auto length = shapes.getDimension(whole, i);
    std::optional<int64_t> product = 1;
    for (int64_t part : group) {
      auto size = shapes.getDimension(parts, part);
      product =
          product && size ? std::optional(*product * *size) : std::nullopt;
    }
    fit = worse(fit, !length || !product ? ShapeFit::Unknown
                                         : fitsIf(*length == *product));
  }
  return fit;
}

static ShapeFit checkOp(Operation *op, ShapeEvaluator &shapes) {
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return checkLoops(structured, shapes);
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    return checkCast(cast, shapes);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return checkSlice(slice, slice.getSource(), shapes);
  if (auto slice = dyn_cast<tensor::InsertSliceOp>(op))
    return checkSlice(slice, slice.getDest(), shapes);
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return checkParts(expand.getSrc(), expand.getResult(),
                      expand.getReassociationIndices(), shapes);
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    return checkParts(collapse.getResult(), collapse.getSrc(),
                      collapse.getReassociationIndices(), shapes);
  if (auto assertion = dyn_cast<cf::AssertOp>(op)) {
    auto holds = shapes.getInteger(assertion.getArg());
    return holds ? fitsIf(*holds != 0) : ShapeFit::Unknown;
  }
  return ShapeFit::Fits;
}

ShapeFit optimize::checkShapes(FunctionOpInterface entry,
                               const ArgumentShapes &argumentShapes) {
  ShapeEvaluator shapes;
  for (auto [argument, shape] : llvm::zip(entry.getArguments(), argumentShapes))
    shapes.setShape(argument, shape);
  ShapeFit fit = ShapeFit::Fits;
  entry->walk([&](Operation *op) {
    fit = worse(fit, checkOp(op, shapes));
    return fit == ShapeFit::Misfits ? WalkResult::interrupt()
                                    : WalkResult::advance();
  });
  return fit;
}
