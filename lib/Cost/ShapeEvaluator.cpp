//===- ShapeEvaluator.cpp - Shapes of a run -------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Cost/ShapeEvaluator.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::cost;

using Integer = std::optional<int64_t>;

/// Limit on the depth of tracing a size back; models need a few steps.
static constexpr unsigned kMaxDepth = 200;
static constexpr int64_t kIsInteger = -1;

void ShapeEvaluator::setShape(Value argument, ArrayRef<int64_t> shape) {
  for (size_t i = 0; i != shape.size(); ++i)
    if (shape[i] >= 0)
      known[{argument, int64_t(i)}] = shape[i];
}

void ShapeEvaluator::setInteger(Value argument, int64_t value) {
  known[{argument, kIsInteger}] = value;
}

/// Caches results, so that sizes that use each other often do not cost more
/// than their number.
template <typename Compute>
Integer ShapeEvaluator::remember(Key key, Compute compute) {
  if (auto it = known.find(key); it != known.end())
    return it->second;
  if (depth == kMaxDepth)
    return std::nullopt;
  ++depth;
  Integer result = compute();
  --depth;
  known[key] = result;
  return result;
}

std::optional<Extents> ShapeEvaluator::getShape(Value value) {
  auto type = dyn_cast<ShapedType>(value.getType());
  if (!type || !type.hasRank())
    return std::nullopt;
  Extents shape;
  for (unsigned i = 0, rank = unsigned(type.getRank()); i != rank; ++i) {
    Integer size = getDimension(value, i);
    if (!size)
      return std::nullopt;
    shape.push_back(*size);
  }
  return shape;
}

Integer ShapeEvaluator::getDimension(Value value, unsigned dimension) {
  auto type = dyn_cast<ShapedType>(value.getType());
  if (!type || !type.hasRank() || dimension >= type.getRank())
    return std::nullopt;
  if (!type.isDynamicDim(dimension))
    return type.getDimSize(dimension);
  return remember({value, dimension}, [&]() -> Integer {
    auto result = dyn_cast<OpResult>(value);
    Integer size = result ? computeDimension(result, dimension) : std::nullopt;
    return size && *size >= 0 ? size : std::nullopt;
  });
}

Integer ShapeEvaluator::getInteger(Value value) {
  return remember({value, kIsInteger}, [&]() -> Integer {
    auto result = dyn_cast<OpResult>(value);
    return result ? computeInteger(result) : std::nullopt;
  });
}

Integer ShapeEvaluator::getInteger(OpFoldResult value) {
  if (auto attribute = dyn_cast_or_null<Attribute>(value)) {
    auto integer = dyn_cast<IntegerAttr>(attribute);
    return integer ? Integer(integer.getInt()) : std::nullopt;
  }
  return getInteger(cast<Value>(value));
}

/// Position of the `dimension`-th remaining dimension before `dropped` ones
/// were removed.
static unsigned skipDropped(const llvm::SmallBitVector &dropped,
                            unsigned dimension) {
  unsigned full = 0;
  for (; full < dropped.size(); ++full)
    if (!dropped[full] && dimension-- == 0)
      break;
  return full;
}

/// Size of the result of an elementwise op: dimensions of size 1 are broadcast.
static Integer getBroadcastSize(ShapeEvaluator &evaluator, Operation *op,
                                unsigned dimension) {
  Integer size;
  auto rank = cast<ShapedType>(op->getResult(0).getType()).getRank();
  for (Value operand : op->getOperands()) {
    // tosa.mul has a shift whose rank may differ.
    auto type = dyn_cast<ShapedType>(operand.getType());
    if (!type || !type.hasRank() || type.getRank() != rank)
      continue;
    Integer other = evaluator.getDimension(operand, dimension);
    if (!other)
      return std::nullopt;
    if (!size || *size == 1)
      size = other;
  }
  return size;
}

Integer ShapeEvaluator::computeDimension(OpResult value, unsigned dimension) {
  Operation *op = value.getOwner();
  // The result of a destination-style op has the shape of its destination.
  if (auto destination = dyn_cast<DestinationStyleOpInterface>(op))
    if (OpOperand *init = destination.getTiedOpOperand(value))
      return getDimension(init->get(), dimension);
  auto dynamicSize = [&](auto allocation, ValueRange sizes) -> Integer {
    unsigned index = allocation.getType().getDynamicDimIndex(dimension);
    return index < sizes.size() ? getInteger(sizes[index]) : std::nullopt;
  };
  return llvm::TypeSwitch<Operation *, Integer>(op)
      // Allocations list their dynamic sizes.
      .Case([&](tensor::EmptyOp empty) {
        return dynamicSize(empty, empty.getDynamicSizes());
      })
      .Case([&](tensor::GenerateOp generate) {
        return dynamicSize(generate, generate.getDynamicExtents());
      })
      .Case<memref::AllocOp, memref::AllocaOp>([&](auto alloc) {
        return dynamicSize(alloc, alloc.getDynamicSizes());
      })
      // Views derive the size from their source.
      .Case<tensor::CastOp, memref::CastOp>(
          [&](auto cast) { return getDimension(cast.getSource(), dimension); })
      .Case<tensor::ExtractSliceOp, memref::SubViewOp>([&](auto slice) {
        unsigned full = skipDropped(slice.getDroppedDims(), dimension);
        auto sizes = slice.getMixedSizes();
        return full < sizes.size() ? getInteger(sizes[full]) : std::nullopt;
      })
      .Case([&](tensor::InsertSliceOp insert) {
        return getDimension(insert.getDest(), dimension);
      })
      .Case<tensor::ExpandShapeOp, memref::ExpandShapeOp>([&](auto expand) {
        return getInteger(expand.getMixedOutputShape()[dimension]);
      })
      .Case<tensor::CollapseShapeOp, memref::CollapseShapeOp>(
          [&](auto collapse) -> Integer {
            int64_t size = 1;
            for (int64_t i : collapse.getReassociationIndices()[dimension]) {
              Integer part = getDimension(collapse.getSrc(), unsigned(i));
              if (!part || llvm::MulOverflow(size, *part, size))
                return std::nullopt;
            }
            return size;
          })
      .Case([&](tensor::PadOp pad) -> Integer {
        Integer low = getInteger(pad.getMixedLowPad()[dimension]);
        Integer high = getInteger(pad.getMixedHighPad()[dimension]);
        Integer size = getDimension(pad.getSource(), dimension);
        int64_t sum = 0;
        if (!low || !high || !size || llvm::AddOverflow(*low, *high, sum) ||
            llvm::AddOverflow(sum, *size, sum))
          return std::nullopt;
        return sum;
      })
      // Loops, and tosa ops whose types may leave a size open.
      .Case([&](scf::ForOp loop) {
        // A loop may change the shape of a carried value; in models, loops do
        // not.
        return getDimension(loop.getInitArgs()[value.getResultNumber()],
                            dimension);
      })
      .Case([&](tosa::TransposeOp transpose) -> Integer {
        ArrayRef<int32_t> perms = transpose.getPerms();
        return dimension < perms.size() && perms[dimension] >= 0
                   ? getDimension(transpose.getInput1(),
                                  unsigned(perms[dimension]))
                   : std::nullopt;
      })
      .Case([&](tosa::MatMulOp matmul) {
        return dimension == 2 ? getDimension(matmul.getB(), 2)
                              : getDimension(matmul.getA(), dimension);
      })
      .Default([&](Operation *other) -> Integer {
        if (other->hasTrait<OpTrait::Elementwise>() ||
            other->hasTrait<OpTrait::tosa::TosaElementwiseOperator>())
          return getBroadcastSize(*this, other, dimension);
        return std::nullopt;
      });
}

Integer ShapeEvaluator::evaluateMap(AffineMap map, ValueRange operands,
                                    Extreme extreme) {
  SmallVector<Attribute> constants;
  Builder builder(map.getContext());
  for (Value operand : operands) {
    Integer value = getInteger(operand);
    if (!value)
      return std::nullopt;
    constants.push_back(builder.getIndexAttr(*value));
  }
  SmallVector<Attribute> results;
  if (failed(map.constantFold(constants, results)) || results.empty())
    return std::nullopt;
  int64_t value = cast<IntegerAttr>(results.front()).getInt();
  for (Attribute result : results) {
    int64_t other = cast<IntegerAttr>(result).getInt();
    value = extreme == Extreme::Greatest ? std::max(value, other)
                                         : std::min(value, other);
  }
  return value;
}

/// Arithmetic of two integers; none if the result is not defined.
static Integer compute(Operation *op, int64_t a, int64_t b) {
  int64_t result = 0;
  if (isa<arith::AddIOp>(op))
    return llvm::AddOverflow(a, b, result) ? std::nullopt : Integer(result);
  if (isa<arith::SubIOp>(op))
    return llvm::SubOverflow(a, b, result) ? std::nullopt : Integer(result);
  if (isa<arith::MulIOp>(op))
    return llvm::MulOverflow(a, b, result) ? std::nullopt : Integer(result);
  if (isa<arith::MinSIOp>(op))
    return std::min(a, b);
  if (isa<arith::MaxSIOp>(op))
    return std::max(a, b);
  // Sizes are not negative, so that signed and unsigned are the same.
  if (a < 0 || b <= 0)
    return std::nullopt;
  if (isa<arith::MinUIOp>(op))
    return std::min(a, b);
  if (isa<arith::MaxUIOp>(op))
    return std::max(a, b);
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp>(op))
    return a / b;
  if (isa<arith::CeilDivSIOp, arith::CeilDivUIOp>(op))
    return a / b + (a % b != 0);
  if (isa<arith::RemSIOp, arith::RemUIOp>(op))
    return a % b;
  return std::nullopt;
}

Integer ShapeEvaluator::computeInteger(OpResult value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.trySExtValue();
  Operation *op = value.getOwner();
  return llvm::TypeSwitch<Operation *, Integer>(op)
      .Case<tensor::DimOp, memref::DimOp>([&](auto dim) -> Integer {
        Integer index = getInteger(dim.getIndex());
        if (!index || *index < 0 || *index > UINT32_MAX)
          return std::nullopt;
        return getDimension(dim.getSource(), unsigned(*index));
      })
      .Case<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp>(
          [&](auto cast) { return getInteger(cast.getIn()); })
      .Case([&](affine::AffineApplyOp apply) {
        return evaluateMap(apply.getAffineMap(), apply.getMapOperands(),
                           Extreme::Least);
      })
      .Case([&](affine::AffineMinOp min) {
        return evaluateMap(min.getAffineMap(), min.getOperands(),
                           Extreme::Least);
      })
      .Case([&](affine::AffineMaxOp max) {
        return evaluateMap(max.getAffineMap(), max.getOperands(),
                           Extreme::Greatest);
      })
      .Default([&](Operation *other) -> Integer {
        if (other->getNumOperands() != 2 ||
            !isa_and_nonnull<arith::ArithDialect>(other->getDialect()))
          return std::nullopt;
        Integer a = getInteger(other->getOperand(0));
        Integer b = getInteger(other->getOperand(1));
        return a && b ? compute(other, *a, *b) : std::nullopt;
      });
}
