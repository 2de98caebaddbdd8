//===- ShapeFit.cpp - Whether a model can have shapes ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Cost/ShapeFit.h"
#include "mlir-prof/Cost/ShapeEvaluator.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::cost;

namespace {

/// The fit of one op, with the sizes that contradict each other.
struct OpFit {
  ShapeFit fit = ShapeFit::Fits;
  std::string reason;

  /// Both are at most what is said of the whole.
  void add(ShapeFit other) { fit = std::max(fit, other); }
  bool misfits() const { return fit == ShapeFit::Misfits; }
};

} // namespace

template <typename... Values>
static OpFit misfit(const char *format, Values &&...values) {
  return {ShapeFit::Misfits,
          llvm::formatv(format, std::forward<Values>(values)...).str()};
}

//===----------------------------------------------------------------------===//
// Structured ops
//===----------------------------------------------------------------------===//

namespace {

/// The length of a loop, and the dimension that it was taken from.
struct Loop {
  std::optional<int64_t> length;
  unsigned operand = 0, dimension = 0;
};

} // namespace

/// Compares the operands' dimensions that are loops.
static OpFit findLoops(linalg::LinalgOp op, ShapeEvaluator &shapes,
                       SmallVectorImpl<Loop> &loops) {
  OpFit result;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<ShapedType>(operand.get().getType()))
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (unsigned i = 0; i != map.getNumResults(); ++i) {
      auto dim = dyn_cast<AffineDimExpr>(map.getResult(i));
      if (!dim)
        continue;
      auto size = shapes.getDimension(operand.get(), i);
      if (!size) {
        result.add(ShapeFit::Unknown);
        continue;
      }
      Loop &loop = loops[dim.getPosition()];
      if (loop.length && *loop.length != *size)
        return misfit("dimension {0} of operand {1} is {2}, and dimension {3} "
                      "of operand {4} is {5}, but both are one loop",
                      loop.dimension, loop.operand, *loop.length, i,
                      operand.getOperandNumber(), *size);
      if (!loop.length)
        loop = {size, operand.getOperandNumber(), i};
    }
  }
  return result;
}

/// Checks that the loops stay in dimensions whose index is computed from them,
/// such as those of a convolution's input.
static OpFit checkComputedIndices(linalg::LinalgOp op, ShapeEvaluator &shapes,
                                  ArrayRef<Loop> loops) {
  OpFit result;
  SmallVector<AffineExpr> first, last;
  for (const Loop &loop : loops) {
    if (!loop.length)
      return {ShapeFit::Unknown, ""};
    // Nothing is accessed.
    if (*loop.length == 0)
      return result;
    first.push_back(getAffineConstantExpr(0, op.getContext()));
    last.push_back(getAffineConstantExpr(*loop.length - 1, op.getContext()));
  }
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<ShapedType>(operand.get().getType()))
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [i, expression] : llvm::enumerate(map.getResults())) {
      if (isa<AffineDimExpr>(expression))
        continue;
      auto size = shapes.getDimension(operand.get(), i);
      auto begin = dyn_cast<AffineConstantExpr>(expression.replaceDims(first));
      auto end = dyn_cast<AffineConstantExpr>(expression.replaceDims(last));
      if (!size || !begin || !end) {
        result.add(ShapeFit::Unknown);
        continue;
      }
      for (int64_t index : {begin.getValue(), end.getValue()})
        if (index < 0 || index >= *size)
          return misfit("dimension {0} of operand {1} is {2}, but element {3} "
                        "of it is accessed",
                        i, operand.getOperandNumber(), *size, index);
    }
  }
  return result;
}

static OpFit checkLoops(linalg::LinalgOp op, ShapeEvaluator &shapes) {
  SmallVector<Loop> loops(op.getNumLoops());
  OpFit result = findLoops(op, shapes, loops);
  if (result.misfits())
    return result;
  OpFit computed = checkComputedIndices(op, shapes, loops);
  computed.add(result.fit);
  return computed;
}

//===----------------------------------------------------------------------===//
// Other ops
//===----------------------------------------------------------------------===//

/// A static dimension of the result is what the operand has.
static OpFit checkCast(tensor::CastOp op, ShapeEvaluator &shapes) {
  auto type = dyn_cast<RankedTensorType>(op.getType());
  auto source = dyn_cast<RankedTensorType>(op.getSource().getType());
  if (!type || !source)
    return {ShapeFit::Unknown, ""};
  OpFit result;
  for (int64_t i = 0; i != type.getRank(); ++i) {
    if (type.isDynamicDim(i) || !source.isDynamicDim(i))
      continue;
    auto size = shapes.getDimension(op.getSource(), i);
    if (size && *size != type.getDimSize(i))
      return misfit("dimension {0} is {1}, but the result's is {2}", i, *size,
                    type.getDimSize(i));
    result.add(size ? ShapeFit::Fits : ShapeFit::Unknown);
  }
  return result;
}

/// `whole` is what the slice of `op` is taken from, or put into.
template <typename SliceOp>
static OpFit checkSlice(SliceOp op, Value whole, ShapeEvaluator &shapes) {
  OpFit result;
  for (auto [i, offset, size, stride] : llvm::enumerate(
           op.getMixedOffsets(), op.getMixedSizes(), op.getMixedStrides())) {
    auto from = shapes.getInteger(offset), count = shapes.getInteger(size);
    auto step = shapes.getInteger(stride);
    auto length = shapes.getDimension(whole, i);
    if (!from || !count || !step || !length)
      result.add(ShapeFit::Unknown);
    else if (*from < 0 || *count < 0 ||
             (*count > 0 && *from + (*count - 1) * *step >= *length))
      return misfit("a slice of {0} elements from element {1} on, {2} apart, "
                    "does not lie in dimension {3}, which is {4}",
                    *count, *from, *step, i, *length);
  }
  return result;
}

/// The parts of a dimension have as many elements as it has.
static OpFit checkParts(Value whole, Value parts,
                        ArrayRef<ReassociationIndices> groups,
                        ShapeEvaluator &shapes) {
  OpFit result;
  for (auto [i, group] : llvm::enumerate(groups)) {
    auto length = shapes.getDimension(whole, i);
    std::optional<int64_t> product = 1;
    for (int64_t part : group) {
      auto size = shapes.getDimension(parts, part);
      product =
          product && size ? std::optional(*product * *size) : std::nullopt;
    }
    if (length && product && *length != *product)
      return misfit("dimension {0} is {1}, but its parts have {2} elements", i,
                    *length, *product);
    result.add(length && product ? ShapeFit::Fits : ShapeFit::Unknown);
  }
  return result;
}

static OpFit checkOp(Operation *op, ShapeEvaluator &shapes) {
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
    return {!holds   ? ShapeFit::Unknown
            : *holds ? ShapeFit::Fits
                     : ShapeFit::Misfits,
            ""};
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

ShapeFit cost::checkShapes(FunctionOpInterface entry,
                           ArrayRef<ArrayRef<int64_t>> argumentShapes) {
  ShapeEvaluator shapes;
  for (auto [argument, shape] : llvm::zip(entry.getArguments(), argumentShapes))
    shapes.setShape(argument, shape);
  ShapeFit fit = ShapeFit::Fits;
  entry->walk([&](Operation *op) {
    fit = std::max(fit, checkOp(op, shapes).fit);
    return fit == ShapeFit::Misfits ? WalkResult::interrupt()
                                    : WalkResult::advance();
  });
  return fit;
}

/// Functions may call each other without end.
static constexpr unsigned kMostCalls = 1000;

static std::optional<ShapeMisfit>
findMisfitIn(FunctionOpInterface function, ShapeEvaluator &shapes,
             SymbolTableCollection &symbols, unsigned depth, unsigned &calls) {
  constexpr unsigned kMostDepth = 20;
  for (Operation &op : function.getFunctionBody().front()) {
    if (isa<cf::AssertOp>(op))
      continue;
    OpFit fit = checkOp(&op, shapes);
    if (fit.misfits())
      return ShapeMisfit{&op, std::move(fit.reason)};
    auto call = dyn_cast<CallOpInterface>(op);
    if (!call || depth == kMostDepth || calls == kMostCalls)
      continue;
    auto callee = dyn_cast_or_null<FunctionOpInterface>(
        call.resolveCallableInTable(&symbols));
    if (!callee || callee.isExternal())
      continue;
    ++calls;
    ShapeEvaluator inside;
    for (auto [operand, argument] :
         llvm::zip(call.getArgOperands(), callee.getArguments())) {
      if (auto shape = shapes.getShape(operand))
        inside.setShape(argument, *shape);
      if (auto value = shapes.getInteger(operand))
        inside.setInteger(argument, *value);
    }
    if (auto found = findMisfitIn(callee, inside, symbols, depth + 1, calls))
      return found;
  }
  return std::nullopt;
}

std::optional<ShapeMisfit>
cost::findMisfit(FunctionOpInterface entry,
                 ArrayRef<ArrayRef<int64_t>> argumentShapes) {
  if (entry.isExternal())
    return std::nullopt;
  ShapeEvaluator shapes;
  for (auto [argument, shape] : llvm::zip(entry.getArguments(), argumentShapes))
    shapes.setShape(argument, shape);
  SymbolTableCollection symbols;
  unsigned calls = 0;
  return findMisfitIn(entry, shapes, symbols, /*depth=*/0, calls);
}
