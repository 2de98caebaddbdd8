//===- Sizes.cpp - Sizes that are known to be the same --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sizes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

#include <variant>

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// Ops of a chain that are looked through: a model may have any number.
static constexpr unsigned kMostDepth = 1024;

namespace {

/// A dimension of an operand.
struct Dimension {
  Value value;
  unsigned dim = 0;
};

} // namespace

//===----------------------------------------------------------------------===//
// Values of sizes
//===----------------------------------------------------------------------===//

OpFoldResult codegen::getSize(OpBuilder &builder, Location location,
                              Value value, unsigned dim) {
  return isa<TensorType>(value.getType())
             ? tensor::getMixedSize(builder, location, value, dim)
             : memref::getMixedSize(builder, location, value, dim);
}

Value codegen::getValue(OpBuilder &builder, Location location,
                        const Size &size) {
  OpFoldResult result =
      !size.first ? OpFoldResult(builder.getIndexAttr(size.second))
      : size.second < 0
          ? OpFoldResult(size.first)
          : getSize(builder, location, size.first, unsigned(size.second));
  return getValueOrCreateConstantIndexOp(builder, location, result);
}

Product codegen::multiply(OpBuilder &builder, Location location,
                          ArrayRef<Size> factors) {
  Product product;
  for (const Size &size : factors) {
    Value factor =
        arith::IndexCastOp::create(builder, location, builder.getI64Type(),
                                   getValue(builder, location, size));
    if (!product.number) {
      product.number = factor;
      continue;
    }
    auto longer = arith::MulUIExtendedOp::create(builder, location,
                                                 product.number, factor);
    product.number = longer.getLow();
    Value isShort = arith::CmpIOp::create(
        builder, location, arith::CmpIPredicate::eq, longer.getHigh(),
        arith::ConstantIntOp::create(builder, location, 0, 64));
    product.fits = product.fits ? arith::AndIOp::create(builder, location,
                                                        product.fits, isShort)
                                      .getResult()
                                : isShort;
  }
  return product;
}

//===----------------------------------------------------------------------===//
// Where sizes come from
//===----------------------------------------------------------------------===//

/// The dimension that has the size of dimension `dim` of `value`, or the
/// number.
static std::variant<std::monostate, Dimension, OpFoldResult>
findOrigin(Value value, unsigned dim) {
  using Origin = std::variant<std::monostate, Dimension, OpFoldResult>;
  Operation *op = value.getDefiningOp();
  if (!op)
    return std::monostate();
  if (auto destination = dyn_cast<DestinationStyleOpInterface>(op))
    return Dimension{destination.getTiedOpOperand(cast<OpResult>(value))->get(),
                     dim};
  return llvm::TypeSwitch<Operation *, Origin>(op)
      .Case([&](tensor::EmptyOp empty) { return empty.getMixedSizes()[dim]; })
      .Case([&](memref::AllocOp alloc) { return alloc.getMixedSizes()[dim]; })
      .Case<tensor::CastOp, memref::CastOp>([&](Operation *cast) -> Origin {
        auto from = dyn_cast<ShapedType>(cast->getOperand(0).getType());
        if (!from.hasRank())
          return std::monostate();
        return Dimension{cast->getOperand(0), dim};
      })
      .Case([&](tensor::InsertSliceOp insert) {
        return Dimension{insert.getDest(), dim};
      })
      .Case([&](tensor::InsertOp insert) {
        return Dimension{insert.getDest(), dim};
      })
      .Case([&](tensor::ExtractSliceOp slice) -> Origin {
        if (slice.getSourceType().getRank() != slice.getType().getRank())
          return std::monostate();
        return slice.getMixedSizes()[dim];
      })
      .Case([&](tensor::ExpandShapeOp expand) {
        return expand.getMixedOutputShape()[dim];
      })
      .Case([&](tensor::CollapseShapeOp collapse) -> Origin {
        ReassociationIndices group = collapse.getReassociationIndices()[dim];
        if (group.size() != 1)
          return std::monostate();
        return Dimension{collapse.getSrc(), unsigned(group.front())};
      })
      .Default([](Operation *) { return std::monostate(); });
}

/// A number, by the dimension that it is if possible.
static Size findNumber(OpFoldResult number) {
  if (std::optional<int64_t> constant = getConstantIntValue(number))
    return {Value(), *constant};
  Value value = cast<Value>(number);
  auto dim = value.getDefiningOp<tensor::DimOp>();
  if (std::optional<int64_t> index =
          dim ? dim.getConstantIndex() : std::nullopt)
    if (*index >= 0 && isa<RankedTensorType>(dim.getSource().getType()) &&
        *index < cast<RankedTensorType>(dim.getSource().getType()).getRank())
      return {dim.getSource(), *index};
  return {value, -1};
}

Size SizeFinder::findRoot(Size size) {
  Size root = size;
  for (auto it = same.find(root); it != same.end(); it = same.find(root))
    root = it->second;
  // Later calls take one step.
  while (size != root)
    size = std::exchange(same[size], root);
  return root;
}

Size SizeFinder::find(Size size) {
  for (unsigned depth = 0; depth < kMostDepth; ++depth) {
    if (!size.first || size.second < 0)
      break;
    int64_t fixed = cast<ShapedType>(size.first.getType())
                        .getDimSize(unsigned(size.second));
    if (!ShapedType::isDynamic(fixed))
      return {Value(), fixed};
    auto origin = findOrigin(size.first, unsigned(size.second));
    if (auto *other = std::get_if<Dimension>(&origin))
      size = {other->value, other->dim};
    else if (auto *number = std::get_if<OpFoldResult>(&origin))
      size = findNumber(*number);
    else
      break;
  }
  return findRoot(size);
}

Size SizeFinder::find(OpFoldResult number) { return find(findNumber(number)); }

//===----------------------------------------------------------------------===//
// Assertions
//===----------------------------------------------------------------------===//

/// Whether the size is known where the function begins.
bool SizeFinder::isOfFunction(const Size &size) const {
  auto argument = dyn_cast_if_present<BlockArgument>(size.first);
  return !size.first || (argument && argument.getOwner() == &entry);
}

void SizeFinder::setPlace(OpBuilder &builder, Operation *op,
                          ArrayRef<Size> sizes) const {
  bool isAtBegin =
      isAlwaysReached(op) &&
      llvm::all_of(sizes, [&](const Size &size) { return isOfFunction(size); });
  if (isAtBegin)
    builder.setInsertionPointToStart(&entry);
  else
    builder.setInsertionPoint(op);
}

bool SizeFinder::areSame(const Size &a, const Size &b, Operation *op) const {
  return a == b || compared.contains({op->getBlock(), a, b}) ||
         compared.contains({op->getBlock(), b, a});
}

void SizeFinder::join(const Size &a, const Size &b, Operation *op) {
  if (a == b)
    return;
  // Elsewhere the assertion may not have been reached.
  if (!isAlwaysReached(op))
    compared.insert({op->getBlock(), a, b});
  else if (a.first)
    same[a] = b;
  else if (b.first)
    same[b] = a;
}

void SizeFinder::assume(cf::AssertOp assertion) {
  auto compare = assertion.getArg().getDefiningOp<arith::CmpIOp>();
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::eq ||
      !compare.getLhs().getType().isIndex())
    return;
  join(find(compare.getLhs()), find(compare.getRhs()), assertion);
}
