//===- SpreadImages.cpp - Convolutions of images among zeros --------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SpreadImages.h"
#include "../Constants/Weights.h"
#include "../Nest/Plan.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using linalg::LinalgOp;

/// A larger number of convolutions would be too much code.
static constexpr int64_t kMostParts = 16;

/// Skips conversions of type `Ops`, from `value` up to the converted value.
template <typename... Ops>
static Value skip(Value value) {
  Operation *op = value.getDefiningOp();
  for (; op && isa<Ops...>(op); op = value.getDefiningOp())
    value = op->getOperand(0);
  return value;
}

/// Whether all ops of `body` map zero to zero, and the body yields its initial
/// sum if the product is zero: any extension applied to the sum is undone by a
/// truncation to its type.
static bool keepsZeros(Block &body) {
  for (Operation &op : body)
    if (!isa<arith::MulFOp, arith::MulIOp, arith::AddFOp, arith::AddIOp,
             arith::ExtFOp, arith::TruncFOp, arith::ExtSIOp, arith::ExtUIOp,
             arith::TruncIOp, arith::SIToFPOp, arith::UIToFPOp,
             linalg::YieldOp>(op) ||
        // Other float types may lack a zero, or not be exact in wider ones.
        llvm::any_of(op.getOperandTypes(), [](Type type) {
          return isa<FloatType>(type) &&
                 !isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(
                     type);
        }))
      return false;
  Value yielded = skip<arith::TruncFOp, arith::TruncIOp>(
      body.getTerminator()->getOperand(0));
  Operation *sum = yielded.getDefiningOp();
  return sum && isa<arith::AddFOp, arith::AddIOp>(sum) &&
         llvm::any_of(sum->getOperands(), [&](Value value) {
           return skip<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(value) ==
                  body.getArguments().back();
         });
}

/// A sum of products of two inputs, so that zeros of one add nothing.
static bool isSumOfProducts(LinalgOp op) {
  return op.hasPureTensorSemantics() && op.getNumDpsInputs() == 2 &&
         op.getNumDpsInits() == 1 && !op.hasDynamicShape() &&
         !op.hasIndexSemantics() && addsProducts(*op.getBlock()) &&
         keepsZeros(*op.getBlock());
}

/// Whether all of `values` are tensors whose layout the compiler chooses, so
/// that they may be sliced.
static bool arePlainTensors(ValueRange values) {
  return llvm::all_of(values, [](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type && !type.getEncoding();
  });
}

/// Whether `spread` inserts each pixel at a distinct position, in forward order
/// and within bounds, with all its parameters known.
static bool isSpread(tensor::InsertSliceOp spread) {
  RankedTensorType type = spread.getType();
  if (spread.getSourceType().getRank() != type.getRank())
    return false;
  for (auto [offset, count, stride, size] :
       llvm::zip_equal(spread.getStaticOffsets(), spread.getStaticSizes(),
                       spread.getStaticStrides(), type.getShape())) {
    if (ShapedType::isDynamic(offset) || ShapedType::isDynamic(count) ||
        ShapedType::isDynamic(stride) || ShapedType::isDynamic(size))
      return false;
    if (offset < 0 || count < 1 || stride < 1 || offset >= size ||
        count - 1 > (size - 1 - offset) / stride)
      return false;
  }
  return true;
}

/// The spatial dimension at position `index` of the image, whose expression
/// adds two loops: one of the result and one of the filter.
static std::optional<ConvolutionSpace> findSpace(LinalgOp op, unsigned index) {
  AffineMap filter = op.getIndexingMapsArray()[1],
            result = op.getIndexingMapsArray()[2];
  auto sum = dyn_cast<AffineBinaryOpExpr>(
      op.getIndexingMapsArray()[0].getResult(index));
  if (!sum || sum.getKind() != AffineExprKind::Add)
    return std::nullopt;
  AffineExpr moves = sum.getLHS(), slides = sum.getRHS();
  if (!result.getResultPosition(moves))
    std::swap(moves, slides);
  std::optional<unsigned> inResult = result.getResultPosition(moves),
                          inFilter = filter.getResultPosition(slides);
  if (!inResult || !inFilter || filter.getResultPosition(moves) ||
      result.getResultPosition(slides))
    return std::nullopt;
  for (auto [other, expr] :
       llvm::enumerate(op.getIndexingMapsArray()[0].getResults()))
    for (AffineExpr loop : {moves, slides})
      if (other != index &&
          expr.isFunctionOfDim(cast<AffineDimExpr>(loop).getPosition()))
        return std::nullopt;
  return ConvolutionSpace{index, *inFilter, *inResult};
}

/// The parts for an image of `pixels` pixels, `space.stride` apart, starting at
/// `offset`.
static void cut(SpreadSpace &space, int64_t offset, int64_t pixels,
                int64_t filter, int64_t result) {
  int64_t stride = space.stride;
  for (int64_t first = 0; first < std::min(stride, result); ++first) {
    ConvolutionPart part;
    part.first = first;
    part.count = llvm::divideCeil(result - first, stride);
    part.tap = ((offset - first) % stride + stride) % stride;
    if (part.tap < filter)
      part.taps = llvm::divideCeil(filter - part.tap, stride);
    part.pixel = (first + part.tap - offset) / stride;
    int64_t end = part.pixel + part.count + part.taps - 1;
    if (part.taps != 0) {
      space.low = std::max(space.low, -part.pixel);
      space.high = std::max(space.high, end - pixels);
    }
    space.parts.push_back(part);
  }
}

/// The op that inserts the pixels of the image of `op`, a sum of products,
/// among zeros.
static tensor::InsertSliceOp findSpread(LinalgOp op) {
  if (!isSumOfProducts(op))
    return nullptr;
  auto spread = op.getDpsInputs()[0].getDefiningOp<tensor::InsertSliceOp>();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (!spread || !isSpread(spread) || !isZero(spread.getDest()) ||
      !arePlainTensors(op->getOperands()) ||
      !arePlainTensors(spread.getSource()) ||
      !maps[1].isProjectedPermutation() || !maps[2].isProjectedPermutation())
    return nullptr;
  auto result = cast<ShapedType>(op.getDpsInits()[0].getType()).getShape();
  return llvm::is_contained(result, 0) ? nullptr : spread;
}

/// Whether dimension `index` of the image of `op` covers that of `spread`
/// completely and is not spatial.
static bool isWhole(LinalgOp op, tensor::InsertSliceOp spread, unsigned index) {
  return isa<AffineDimExpr>(op.getIndexingMapsArray()[0].getResult(index)) &&
         spread.getStaticOffsets()[index] == 0 &&
         spread.getStaticSizes()[index] == spread.getType().getDimSize(index);
}

std::optional<TransposedConvolution>
codegen::findTransposedConvolution(LinalgOp op) {
  tensor::InsertSliceOp spread = findSpread(op);
  if (!spread || llvm::all_of(spread.getStaticStrides(),
                              [](int64_t stride) { return stride == 1; }))
    return std::nullopt;
  ArrayRef<int64_t> strides = spread.getStaticStrides();
  TransposedConvolution found{spread.getSource(), {}};
  auto filter = cast<ShapedType>(op.getDpsInputs()[1].getType()).getShape();
  auto result = cast<ShapedType>(op.getDpsInits()[0].getType()).getShape();
  int64_t parts = 1;
  for (unsigned index = 0; index < strides.size(); ++index) {
    if (isWhole(op, spread, index))
      continue;
    std::optional<ConvolutionSpace> dims = findSpace(op, index);
    if (!dims)
      return std::nullopt;
    SpreadSpace space = {*dims, strides[index], {}};
    // With fewer results than the stride, some parts are empty.
    parts *= std::min({strides[index], result[space.inResult], kMostParts + 1});
    if (parts > kMostParts)
      return std::nullopt;
    cut(space, spread.getStaticOffsets()[index], spread.getStaticSizes()[index],
        filter[space.inFilter], result[space.inResult]);
    found.spaces.push_back(std::move(space));
  }
  return found;
}

std::optional<PixelConvolution> codegen::findPixelConvolution(LinalgOp op) {
  tensor::InsertSliceOp spread = findSpread(op);
  if (!spread)
    return std::nullopt;
  PixelConvolution found{spread.getSource(), {}};
  auto filter = cast<ShapedType>(op.getDpsInputs()[1].getType()).getShape();
  auto result = cast<ShapedType>(op.getDpsInits()[0].getType()).getShape();
  for (unsigned index = 0; index < spread.getStaticSizes().size(); ++index) {
    if (isWhole(op, spread, index))
      continue;
    std::optional<ConvolutionSpace> space = findSpace(op, index);
    int64_t tap = spread.getStaticOffsets()[index];
    if (!space || spread.getStaticSizes()[index] != 1 ||
        tap >= filter[space->inFilter] || tap < result[space->inResult] - 1)
      return std::nullopt;
    found.spaces.push_back({*space, tap});
  }
  return found.spaces.empty() ? std::nullopt : std::optional(found);
}
