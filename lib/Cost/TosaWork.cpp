//===- TosaWork.cpp - Work of one op of tosa in one execution -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpWork.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::cost;

using Amount = std::optional<uint64_t>;

/// `value` times sizes.
static uint64_t multiply(uint64_t value, ArrayRef<int64_t> sizes) {
  for (int64_t size : sizes)
    value = llvm::SaturatingMultiply(value, uint64_t(size));
  return value;
}

/// Multiplications and additions for one element of the result.
static Amount getSumLength(Operation *op, ShapeEvaluator &shapes) {
  if (auto matmul = dyn_cast<tosa::MatMulOp>(op)) {
    auto size = shapes.getDimension(matmul.getA(), 2);
    return size ? Amount(uint64_t(*size)) : std::nullopt;
  }
  std::optional<Extents> weight = shapes.getShape(op->getOperand(1));
  if (!weight)
    return std::nullopt;
  // OHWI, ODHWI; HWIM for a depthwise convolution. The bias is the initial
  // value of the sum.
  if (isa<tosa::DepthwiseConv2DOp>(op))
    return multiply(1, ArrayRef(*weight).take_front(2));
  return multiply(1, ArrayRef(*weight).drop_front());
}

/// Floating point operations for one element of the result.
static Amount getFlopsPerElement(Operation *op, ShapeEvaluator &shapes) {
  return llvm::TypeSwitch<Operation *, Amount>(op)
      .Case<tosa::MatMulOp, tosa::Conv2DOp, tosa::Conv3DOp,
            tosa::DepthwiseConv2DOp>([&](Operation *sum) -> Amount {
        Amount length = getSumLength(sum, shapes);
        return length ? Amount(llvm::SaturatingMultiply<uint64_t>(*length, 2))
                      : std::nullopt;
      })
      .Case([&](tosa::MaxPool2dOp pool) {
        return multiply(1, SmallVector<int64_t>(pool.getKernel()));
      })
      .Case([](tosa::ClampOp) { return 2; })
      .Case<tosa::AddOp, tosa::SubOp, tosa::MulOp, tosa::MaximumOp,
            tosa::MinimumOp, tosa::PowOp, tosa::AbsOp, tosa::CeilOp,
            tosa::FloorOp, tosa::ExpOp, tosa::LogOp, tosa::NegateOp,
            tosa::ReciprocalOp, tosa::RsqrtOp, tosa::TanhOp, tosa::ErfOp,
            tosa::SigmoidOp, tosa::SinOp, tosa::CosOp>(
          [](Operation *) { return 1; })
      .Case<tosa::TransposeOp, tosa::PadOp, tosa::ConcatOp, tosa::SliceOp,
            tosa::TileOp, tosa::ReverseOp, tosa::SelectOp, tosa::CastOp,
            tosa::GreaterOp, tosa::GreaterEqualOp, tosa::EqualOp>(
          [](Operation *) { return 0; })
      .Default([](Operation *) -> Amount { return std::nullopt; });
}

/// Reductions: one operation per element read.
static bool isReduction(Operation *op) {
  return isa<tosa::ReduceSumOp, tosa::ReduceMaxOp, tosa::ReduceMinOp,
             tosa::ReduceProductOp>(op);
}

/// Bytes of the arrays that the op reads and writes; a slice reads as much as
/// it writes. Shapes, paddings and zero points do not count.
static Amount getTosaBytes(Operation *op, ShapeEvaluator &shapes) {
  Amount out = getBytes(op->getResult(0), shapes);
  if (!out)
    return std::nullopt;
  if (isa<tosa::SliceOp>(op))
    return llvm::SaturatingMultiply<uint64_t>(*out, 2);
  uint64_t sum = *out;
  llvm::SmallDenseSet<Value> seen;
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    bool isScalar = isa<tosa::MulOp>(op) && i == 2;
    isScalar |= isa<tosa::NegateOp>(op) && i > 0;
    isScalar |= isa<tosa::MatMulOp>(op) && i > 1;
    isScalar |= isa<tosa::PadOp>(op) && i > 0;
    isScalar |=
        isa<tosa::Conv2DOp, tosa::Conv3DOp, tosa::DepthwiseConv2DOp>(op) &&
        i > 2;
    if (isScalar || !isa<ShapedType>(operand.getType()) ||
        !seen.insert(operand).second)
      continue;
    Amount bytes = getBytes(operand, shapes);
    if (!bytes)
      return std::nullopt;
    sum = llvm::SaturatingAdd(sum, *bytes);
  }
  return sum;
}

std::optional<OpWork> cost::getTosaWork(Operation *op, ShapeEvaluator &shapes) {
  if (op->getNumResults() != 1 || op->getNumOperands() == 0)
    return std::nullopt;
  Value counted = isReduction(op) ? op->getOperand(0) : op->getResult(0);
  Amount each = isReduction(op) ? Amount(1) : getFlopsPerElement(op, shapes);
  if (!each)
    return std::nullopt;
  Amount elements = getElements(counted, shapes);
  Amount bytes = getTosaBytes(op, shapes);
  if (!elements || !bytes)
    return std::nullopt;
  if (!isFloat(op->getResult(0)))
    each = 0;
  return OpWork{llvm::SaturatingMultiply(*elements, *each), *bytes};
}
