//===- AllocationSizes.cpp - Assertions about allocations -----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AllocationSizes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// More bytes than any process can address.
static constexpr int64_t kMostBytes = int64_t(1) << 47;

static int64_t getElementBytes(ShapedType type) {
  return type.getElementType().isIntOrFloat()
             ? std::max(1u, type.getElementTypeBitWidth() / 8)
             : 8;
}

/// The bytes of `size` times as many elements; more than kMostBytes if they are
/// too many. A dimension that is empty counts as 1, so that the others are
/// checked.
static int64_t multiplyBytes(int64_t bytes, int64_t size) {
  if (size == 0)
    return bytes;
  bool fits =
      size > 0 && !llvm::MulOverflow(bytes, size, bytes) && bytes <= kMostBytes;
  return fits ? bytes : kMostBytes + 1;
}

/// The bytes of the static part of a shape; more than kMostBytes if they are
/// too many.
static int64_t getStaticBytes(ShapedType type) {
  int64_t bytes = getElementBytes(type);
  for (int64_t size : type.getShape())
    if (!ShapedType::isDynamic(size))
      bytes = multiplyBytes(bytes, size);
  return bytes;
}

/// Asserts that the product of `factors`, without sign, is at most `most`.
void AllocationChecker::assertProduct(Operation *op, ArrayRef<Size> factors,
                                      int64_t most) {
  Location location = op->getLoc();
  finder.setPlace(builder, op, factors);
  Product product = multiply(builder, location, factors);
  Value isLess = arith::CmpIOp::create(
      builder, location, arith::CmpIPredicate::ule, product.number,
      arith::ConstantIntOp::create(builder, location, most, 64));
  if (product.fits)
    isLess = arith::AndIOp::create(builder, location, product.fits, isLess);
  cf::AssertOp::create(builder, location, isLess,
                       "a size is negative, or the tensor is too large");
}

/// Whether `op` makes a new tensor or buffer.
static bool isAllocation(Operation *op) {
  return isa<tensor::EmptyOp, tensor::GenerateOp, tensor::PadOp,
             tensor::SplatOp, tensor::ConcatOp, bufferization::AllocTensorOp,
             memref::AllocOp, memref::AllocaOp>(op);
}

/// The sizes of what `op` allocates; none if they are not known.
static std::optional<SmallVector<OpFoldResult>> getSizes(OpBuilder &builder,
                                                         Operation *op) {
  if (auto alloc = dyn_cast<memref::AllocOp>(op))
    return alloc.getMixedSizes();
  if (auto alloca = dyn_cast<memref::AllocaOp>(op))
    return alloca.getMixedSizes();
  ReifiedRankedShapedTypeDims shapes;
  if (failed(reifyResultShapes(builder, op, shapes)))
    return std::nullopt;
  return shapes[0];
}

bool AllocationChecker::isKnownToFit(ArrayRef<Size> factors,
                                     int64_t bytes) const {
  auto known = fitting.find(factors);
  return known != fitting.end() && known->second >= bytes;
}

void AllocationChecker::noteFits(ArrayRef<Size> factors, int64_t bytes) {
  auto known = fitting.find(factors);
  if (known != fitting.end())
    known->second = std::max(known->second, bytes);
  else
    fitting.insert({factors.copy(keys), bytes});
}

void AllocationChecker::assume(cf::AssertOp assertion) {
  auto compare = assertion.getArg().getDefiningOp<arith::CmpIOp>();
  APInt most;
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::ule ||
      !finder.isAlwaysReached(assertion) ||
      !matchPattern(compare.getRhs(), m_ConstantInt(&most)) ||
      !most.isStrictlyPositive())
    return;
  // As assertProduct writes it for one factor.
  auto cast = compare.getLhs().getDefiningOp<arith::IndexCastOp>();
  if (cast && cast.getIn().getType().isIndex())
    noteFits(finder.find(OpFoldResult(cast.getIn())),
             kMostBytes / most.getSExtValue());
}

AllocationChecker::AllocationChecker(func::FuncOp function, SizeFinder &finder)
    : finder(finder), builder(function.getContext()) {
  for (Value argument : function.getArguments()) {
    auto type = dyn_cast<ShapedType>(argument.getType());
    if (!type || !type.hasRank() || type.hasStaticShape())
      continue;
    SmallVector<Size> factors;
    for (unsigned dim = 0; dim < type.getRank(); ++dim)
      if (type.isDynamicDim(dim))
        factors.push_back({argument, dim});
    noteFits(factors, getStaticBytes(type));
  }
}

void AllocationChecker::check(Operation *op) {
  if (!isAllocation(op))
    return;
  auto type = dyn_cast<ShapedType>(op->getResult(0).getType());
  if (!type || !type.hasRank() ||
      (type.hasStaticShape() && (getStaticBytes(type) <= kMostBytes ||
                                 llvm::is_contained(type.getShape(), 0))))
    return;
  builder.setInsertionPoint(op);
  std::optional<SmallVector<OpFoldResult>> numbers = getSizes(builder, op);
  if (!numbers)
    return;
  SmallVector<Size> factors;
  int64_t bytes = getElementBytes(type);
  for (OpFoldResult number : *numbers) {
    Size size = finder.find(number);
    if (size.first)
      factors.push_back(size);
    else
      bytes = multiplyBytes(bytes, size.second);
  }
  if (factors.empty() && bytes <= kMostBytes)
    return;
  if (factors.empty())
    factors.push_back({Value(), 1});
  if (isKnownToFit(factors, bytes))
    return;
  assertProduct(op, factors, kMostBytes / bytes);
  if (finder.isAlwaysReached(op))
    noteFits(factors, bytes);
}
