//===- OpWork.cpp - Work of one op in one execution -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpWork.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::cost;

using Amount = std::optional<uint64_t>;

bool cost::isFloat(Value value) {
  return isa<FloatType, ComplexType>(getElementTypeOrSelf(value.getType()));
}

/// Bytes of an element in memory; 0 if that is not defined.
static uint64_t getElementBytes(Type type) {
  if (isa<IndexType>(type))
    return 8;
  if (auto complex = dyn_cast<ComplexType>(type))
    return 2 * getElementBytes(complex.getElementType());
  return type.isIntOrFloat() ? (type.getIntOrFloatBitWidth() + 7) / 8 : 0;
}

Amount cost::getElements(Value value, ShapeEvaluator &shapes) {
  std::optional<Extents> shape = shapes.getShape(value);
  if (!shape)
    return std::nullopt;
  uint64_t count = 1;
  for (int64_t size : *shape)
    count = llvm::SaturatingMultiply(count, uint64_t(size));
  return count;
}

Amount cost::getBytes(Value value, ShapeEvaluator &shapes) {
  auto type = dyn_cast<ShapedType>(value.getType());
  if (!type)
    return 0;
  uint64_t each = getElementBytes(type.getElementType());
  Amount count = getElements(value, shapes);
  if (!count || !each)
    return std::nullopt;
  return llvm::SaturatingMultiply(*count, each);
}

/// Bytes of the values, each once.
template <typename Range>
static Amount sumBytes(Range values, ShapeEvaluator &shapes) {
  uint64_t sum = 0;
  llvm::SmallDenseSet<Value> seen;
  for (Value value : values) {
    if (!seen.insert(value).second)
      continue;
    Amount bytes = getBytes(value, shapes);
    if (!bytes)
      return std::nullopt;
    sum = llvm::SaturatingAdd(sum, *bytes);
  }
  return sum;
}

Amount cost::getAllBytes(Operation *op, ShapeEvaluator &shapes) {
  Amount in = sumBytes(op->getOperands(), shapes);
  Amount out = sumBytes(op->getResults(), shapes);
  if (!in || !out)
    return std::nullopt;
  return llvm::SaturatingAdd(*in, *out);
}

/// Dialects whose ops, except those below, are not floating point operations.
static bool isListed(Operation *op) {
  return isa_and_nonnull<arith::ArithDialect, math::MathDialect,
                         affine::AffineDialect, index::IndexDialect,
                         linalg::LinalgDialect, memref::MemRefDialect,
                         tensor::TensorDialect>(op->getDialect());
}

/// Among the ops of complex, only those whose number of operations does not
/// depend on their lowering.
static Amount countComplexFlops(Operation *op) {
  if (isa<complex::AddOp, complex::SubOp>(op))
    return 2;
  if (isa<complex::MulOp>(op))
    return 6;
  if (isa<complex::ConstantOp, complex::CreateOp, complex::ReOp, complex::ImOp>(
          op))
    return 0;
  return std::nullopt;
}

/// Floating point operations per element of the result; none if unknown.
static Amount countFlops(Operation *op) {
  if (isa_and_nonnull<complex::ComplexDialect>(op->getDialect()))
    return countComplexFlops(op);
  if (!isListed(op))
    return std::nullopt;
  if (op->getNumResults() != 1 || !isFloat(op->getResult(0)))
    return 0;
  if (isa<math::FmaOp>(op))
    return 2;
  if (isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
          arith::RemFOp, arith::NegFOp, arith::MaximumFOp, arith::MinimumFOp,
          arith::MaxNumFOp, arith::MinNumFOp>(op))
    return 1;
  return isa_and_nonnull<math::MathDialect>(op->getDialect()) ? 1 : 0;
}

/// Iterations of the loops of a structured op.
static Amount getIterations(linalg::LinalgOp op, ShapeEvaluator &shapes) {
  SmallVector<int64_t> sizes;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<ShapedType>(operand.get().getType()))
      continue;
    std::optional<Extents> shape = shapes.getShape(operand.get());
    if (!shape)
      return std::nullopt;
    llvm::append_range(sizes, *shape);
  }
  AffineMap toLoops = op.getShapesToLoopsMap();
  if (!toLoops || toLoops.getNumInputs() != sizes.size())
    return std::nullopt;
  uint64_t iterations = 1;
  for (int64_t size : toLoops.compose(sizes)) {
    if (size < 0)
      return std::nullopt;
    iterations = llvm::SaturatingMultiply(iterations, uint64_t(size));
  }
  return iterations;
}

/// Reads are operands that the body uses, so neither the window of a pooling
/// nor the array that a fill overwrites. Writes are the destinations.
static Amount getLinalgBytes(linalg::LinalgOp op, ShapeEvaluator &shapes) {
  SmallVector<Value> read, written;
  for (OpOperand &operand : op->getOpOperands())
    if (op.payloadUsesValueFromOperand(&operand))
      read.push_back(operand.get());
  for (OpOperand &init : op.getDpsInitsMutable())
    written.push_back(init.get());
  Amount in = sumBytes(read, shapes), out = sumBytes(written, shapes);
  if (!in || !out)
    return std::nullopt;
  return llvm::SaturatingAdd(*in, *out);
}

static std::optional<OpWork> getLinalgWork(linalg::LinalgOp op,
                                           ShapeEvaluator &shapes) {
  Amount iterations = getIterations(op, shapes);
  Amount bytes = getLinalgBytes(op, shapes);
  if (!iterations || !bytes)
    return std::nullopt;
  uint64_t each = 0;
  for (Operation &inner : op.getBlock()->without_terminator()) {
    // It is unknown how often the regions of an op in the body run.
    if (inner.getNumRegions())
      return std::nullopt;
    Amount flops = countFlops(&inner);
    if (!flops)
      return std::nullopt;
    each += *flops;
  }
  return OpWork{llvm::SaturatingMultiply(*iterations, each), *bytes};
}

/// A copy reads and writes the bytes of `value`.
static std::optional<OpWork> getCopyWork(Value value, ShapeEvaluator &shapes) {
  Amount bytes = getBytes(value, shapes);
  if (!bytes)
    return std::nullopt;
  return OpWork{0, llvm::SaturatingMultiply<uint64_t>(*bytes, 2)};
}

/// Ops of arith and math on whole tensors.
static std::optional<OpWork> getTensorWork(Operation *op,
                                           ShapeEvaluator &shapes) {
  if (!OpTrait::hasElementwiseMappableTraits(op) || op->getNumResults() != 1 ||
      !isa<TensorType>(op->getResult(0).getType()))
    return std::nullopt;
  Amount elements = getElements(op->getResult(0), shapes);
  Amount bytes = getAllBytes(op, shapes), each = countFlops(op);
  if (!elements || !bytes || !each)
    return std::nullopt;
  return OpWork{llvm::SaturatingMultiply(*elements, *each), *bytes};
}

std::optional<OpWork> cost::getOpWork(Operation *op, ShapeEvaluator &shapes) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return getLinalgWork(linalgOp, shapes);
  if (isa_and_nonnull<tosa::TosaDialect>(op->getDialect()))
    return getTosaWork(op, shapes);
  return llvm::TypeSwitch<Operation *, std::optional<OpWork>>(op)
      .Case([&](tensor::ExtractSliceOp slice) {
        return getCopyWork(slice.getResult(), shapes);
      })
      .Case([&](tensor::InsertSliceOp insert) {
        return getCopyWork(insert.getSource(), shapes);
      })
      .Case([&](memref::CopyOp copy) {
        return getCopyWork(copy.getSource(), shapes);
      })
      .Case<tensor::PadOp, tensor::ConcatOp>(
          [&](Operation *copy) -> std::optional<OpWork> {
            Amount bytes = getAllBytes(copy, shapes);
            return bytes ? std::optional(OpWork{0, *bytes}) : std::nullopt;
          })
      .Default([&](Operation *other) { return getTensorWork(other, shapes); });
}
