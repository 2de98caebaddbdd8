//===- MultiplyHigh.cpp - High halves of products of vectors --------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With vectors a and b of 32-bit numbers, rescales of quantized models compute
//
//   trunc((sext(a) * sext(b) + c) >> 32)
//
// vpmuldq takes the sign-extended even lanes of two registers. So both parts,
//
//   even(a) * even(b) + c    and    odd(a) * odd(b) + c,
//
// are a register of products each, whose odd 32-bit lanes are the result.
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_MULTIPLYHIGHPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

namespace {

/// The numbers of a product: a vector, or one number for all lanes.
struct Factor {
  Value vector;
  int64_t number = 0;
};

/// A product whose high half is used, and the number that is added before.
struct Product {
  Factor left, right;
  int64_t term = 0;
};

} // namespace

static std::optional<int64_t> getSplat(Value value) {
  APInt number;
  if (!matchPattern(value, m_ConstantInt(&number)))
    return std::nullopt;
  return number.getSExtValue();
}

/// A sign-extended vector of 32-bit numbers, or one such number.
static std::optional<Factor> matchFactor(Value value) {
  if (auto extension = value.getDefiningOp<arith::ExtSIOp>())
    if (getElementTypeOrSelf(extension.getIn().getType()).isInteger(32))
      return Factor{extension.getIn()};
  std::optional<int64_t> number = getSplat(value);
  if (number && llvm::isInt<32>(*number))
    return Factor{{}, *number};
  return std::nullopt;
}

static std::optional<Product> matchHighHalf(arith::TruncIOp op) {
  auto type = dyn_cast<VectorType>(op.getType());
  Operation *shift = op.getIn().getDefiningOp();
  if (!type || type.getRank() != 1 || type.isScalable() ||
      type.getNumElements() % 4 != 0 || !type.getElementType().isInteger(32) ||
      !isa_and_nonnull<arith::ShRSIOp, arith::ShRUIOp>(shift) ||
      !getElementTypeOrSelf(op.getIn().getType()).isInteger(64) ||
      getSplat(shift->getOperand(1)) != 32)
    return std::nullopt;
  Product found;
  Value sum = shift->getOperand(0);
  if (auto add = sum.getDefiningOp<arith::AddIOp>()) {
    std::optional<int64_t> term = getSplat(add.getRhs());
    if (!term)
      return std::nullopt;
    found.term = *term;
    sum = add.getLhs();
  }
  auto multiply = sum.getDefiningOp<arith::MulIOp>();
  if (!multiply)
    return std::nullopt;
  std::optional<Factor> left = matchFactor(multiply.getLhs()),
                        right = matchFactor(multiply.getRhs());
  if (!left || !right || (!left->vector && !right->vector))
    return std::nullopt;
  found.left = *left;
  found.right = *right;
  return found;
}

namespace {

/// Emits the products of one half of the lanes.
class HalfEmitter {
public:
  HalfEmitter(ImplicitLocOpBuilder &builder, int64_t lanes)
      : builder(builder),
        narrow(VectorType::get({lanes}, builder.getI32Type())),
        wide(VectorType::get({lanes / 2}, builder.getI64Type())) {}

  /// The products of the even or odd lanes, as twice as many 32-bit numbers.
  Value emit(const Product &product, bool isOdd) {
    Value result = arith::MulIOp::create(builder, get(product.left, isOdd),
                                         get(product.right, isOdd));
    if (product.term != 0)
      result = arith::AddIOp::create(builder, result, splat(product.term));
    return vector::BitCastOp::create(builder, narrow, result);
  }

private:
  Value splat(int64_t number) {
    return arith::ConstantOp::create(
        builder,
        DenseElementsAttr::get(wide, builder.getI64IntegerAttr(number)));
  }

  /// The even or odd lanes of `factor`, extended.
  Value get(const Factor &factor, bool isOdd) {
    if (!factor.vector)
      return splat(factor.number);
    Value pairs = vector::BitCastOp::create(
        builder, wide, isOdd ? moveOdd(factor.vector) : factor.vector);
    Value low = arith::ShLIOp::create(builder, pairs, splat(32));
    return arith::ShRSIOp::create(builder, low, splat(32));
  }

  /// `vector` with its odd lanes in even places too: AVX2 does not have shifts
  /// of 64 bits that keep the sign.
  Value moveOdd(Value vector) {
    SmallVector<int64_t> mask;
    for (int64_t lane = 1; lane < narrow.getNumElements(); lane += 2)
      mask.append({lane, lane});
    return vector::ShuffleOp::create(builder, vector, vector, mask);
  }

  ImplicitLocOpBuilder &builder;
  VectorType narrow, wide;
};

struct MultiplyHighPass
    : mlirprof::codegen::impl::MultiplyHighPassBase<MultiplyHighPass> {
  using MultiplyHighPassBase::MultiplyHighPassBase;

  void runOnOperation() override {
    getOperation()->walk([](arith::TruncIOp op) {
      std::optional<Product> product = matchHighHalf(op);
      if (!product)
        return;
      ImplicitLocOpBuilder builder(op.getLoc(), op);
      int64_t lanes = cast<VectorType>(op.getType()).getNumElements();
      HalfEmitter emitter(builder, lanes);
      SmallVector<int64_t> mask;
      for (int64_t lane = 1; lane < lanes; lane += 2)
        mask.append({lane, lanes + lane});
      Value even = emitter.emit(*product, /*isOdd=*/false);
      Value odd = emitter.emit(*product, /*isOdd=*/true);
      op.replaceAllUsesWith(
          vector::ShuffleOp::create(builder, even, odd, mask).getResult());
      op.erase();
    });
  }
};

} // namespace
