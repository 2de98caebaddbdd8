//===- IntegerRanges.cpp - Ranges of elements of tensors -----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IntegerRanges.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

template <typename T>
static std::vector<int64_t> widen(ArrayRef<char> bytes) {
  ArrayRef<T> elements(reinterpret_cast<const T *>(bytes.data()),
                       bytes.size() / sizeof(T));
  return std::vector<int64_t>(elements.begin(), elements.end());
}

static std::optional<std::vector<int64_t>> readResource(ArrayRef<char> bytes,
                                                        unsigned width) {
  switch (width) {
  case 8:
    return widen<int8_t>(bytes);
  case 16:
    return widen<int16_t>(bytes);
  case 32:
    return widen<int32_t>(bytes);
  case 64:
    return widen<int64_t>(bytes);
  default:
    return std::nullopt;
  }
}

std::optional<std::vector<int64_t>> codegen::getIntegers(Value value) {
  // The elements keep their order.
  while (auto reshape = value.getDefiningOp<tosa::ReshapeOp>())
    value = reshape.getInput1();
  Attribute attribute;
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.getElementType().isInteger() ||
      !matchPattern(value, m_Constant(&attribute)))
    return std::nullopt;
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attribute)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    return blob ? readResource(blob->getData(), type.getElementTypeBitWidth())
                : std::nullopt;
  }
  auto dense = dyn_cast<DenseIntElementsAttr>(attribute);
  if (!dense)
    return std::nullopt;
  if (dense.isSplat())
    return std::vector<int64_t>{dense.getSplatValue<APInt>().getSExtValue()};
  std::vector<int64_t> elements;
  for (const APInt &element : dense.getValues<APInt>())
    elements.push_back(element.getSExtValue());
  return elements;
}

std::optional<int64_t> codegen::getOnlyInteger(Value value) {
  std::optional<std::vector<int64_t>> elements = getIntegers(value);
  if (!elements || elements->empty() ||
      !llvm::all_equal(ArrayRef<int64_t>(*elements)))
    return std::nullopt;
  return elements->front();
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// Ops between an addition and the numbers that it adds, at most.
static constexpr unsigned kMostDepth = 8;

static IntegerRange getRange(Value value, unsigned depth);

static IntegerRange getTypeRange(Value value) {
  unsigned width =
      getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth();
  return {llvm::minIntN(width), llvm::maxIntN(width)};
}

/// The greatest sum of products of numbers up to `factor` with the weights of
/// a filter, plus its bias. `filters` numbers follow each other in the weights
/// of a depthwise convolution, the weights of one filter in those of others.
static int64_t boundSums(ArrayRef<int64_t> weights, ArrayRef<int64_t> bias,
                         int64_t filters, bool isInterleaved, int64_t factor) {
  std::vector<int64_t> sums(filters, 0);
  int64_t size = weights.size() / filters;
  for (auto [index, weight] : llvm::enumerate(weights))
    sums[isInterleaved ? index % filters : index / size] += std::abs(weight);
  int64_t most = 0;
  for (auto [index, sum] : llvm::enumerate(sums))
    most = std::max(most, sum * factor +
                              std::abs(bias[bias.size() == 1 ? 0 : index]));
  return most;
}

template <typename ConvolutionT>
static std::optional<IntegerRange>
getConvolutionRange(ConvolutionT op, bool isDepthwise, unsigned depth) {
  auto type = cast<RankedTensorType>(op.getOutput().getType());
  int64_t filters = type.getShape().back();
  std::optional<std::vector<int64_t>> weights = getIntegers(op.getWeight());
  std::optional<std::vector<int64_t>> bias = getIntegers(op.getBias());
  std::optional<int64_t> point = getOnlyInteger(op.getInputZp());
  if (!weights || !bias || !point || getOnlyInteger(op.getWeightZp()) != 0 ||
      ShapedType::isDynamic(filters) || filters == 0 ||
      (bias->size() != 1 && bias->size() != size_t(filters)))
    return std::nullopt;
  // All elements are the same.
  auto shape = cast<RankedTensorType>(op.getWeight().getType());
  if (weights->size() == 1)
    weights->resize(shape.getNumElements(), weights->front());
  int64_t factor = getRange(op.getInput(), depth).getDistance(*point);
  int64_t most = boundSums(*weights, *bias, filters, isDepthwise, factor);
  return IntegerRange{-most, most};
}

static std::optional<IntegerRange> getRescaleRange(tosa::RescaleOp op,
                                                   unsigned depth) {
  std::optional<std::vector<int64_t>> factors = getIntegers(op.getMultiplier());
  std::optional<std::vector<int64_t>> shifts = getIntegers(op.getShift());
  std::optional<int64_t> from = getOnlyInteger(op.getInputZp()),
                         to = getOnlyInteger(op.getOutputZp());
  if (!factors || !shifts || !from || !to || op.getInputUnsigned() ||
      op.getOutputUnsigned() || factors->empty() || shifts->empty())
    return std::nullopt;
  int64_t factor = 0;
  for (int64_t each : *factors)
    factor = std::max(factor, std::abs(each));
  int64_t shift = *llvm::min_element(*shifts);
  int64_t distance = getRange(op.getInput(), depth).getDistance(*from);
  if (shift < 0 || shift > 62 || distance > (int64_t(1) << 31))
    return std::nullopt;
  int64_t most = ((distance * factor) >> shift) + 2;
  return IntegerRange{*to - most, *to + most};
}

/// The range of what `op` computes, before it is stored in the result's type.
static std::optional<IntegerRange> getOpRange(Operation *op, unsigned depth) {
  auto get = [&](Value value) { return getRange(value, depth); };
  return llvm::TypeSwitch<Operation *, std::optional<IntegerRange>>(op)
      .Case([&](tosa::Conv2DOp conv) {
        return getConvolutionRange(conv, /*isDepthwise=*/false, depth);
      })
      .Case([&](tosa::DepthwiseConv2DOp conv) {
        return getConvolutionRange(conv, /*isDepthwise=*/true, depth);
      })
      .Case([&](tosa::RescaleOp rescale) {
        return getRescaleRange(rescale, depth);
      })
      .Case([&](tosa::AddOp add) {
        IntegerRange left = get(add.getInput1()), right = get(add.getInput2());
        return IntegerRange{left.low + right.low, left.high + right.high};
      })
      .Case([&](tosa::SubOp sub) {
        IntegerRange left = get(sub.getInput1()), right = get(sub.getInput2());
        return IntegerRange{left.low - right.high, left.high - right.low};
      })
      .Case([&](tosa::ReduceSumOp sum) -> std::optional<IntegerRange> {
        auto type = dyn_cast<RankedTensorType>(sum.getInput().getType());
        if (!type || type.isDynamicDim(sum.getAxis()) ||
            type.getDimSize(sum.getAxis()) > (1 << 24))
          return std::nullopt;
        int64_t size = type.getDimSize(sum.getAxis());
        IntegerRange each = get(sum.getInput());
        return IntegerRange{each.low * size, each.high * size};
      })
      .Case([&](tosa::ClampOp clamp) -> std::optional<IntegerRange> {
        auto least = dyn_cast<IntegerAttr>(clamp.getMinVal()),
             most = dyn_cast<IntegerAttr>(clamp.getMaxVal());
        if (!least || !most)
          return std::nullopt;
        int64_t low = least.getValue().getSExtValue();
        int64_t high = most.getValue().getSExtValue();
        IntegerRange from = get(clamp.getInput());
        // All numbers may be on one side of both.
        auto move = [&](int64_t number) {
          return std::min(std::max(number, low), high);
        };
        return IntegerRange{move(from.low), move(from.high)};
      })
      .Case<tosa::ReshapeOp, tosa::TransposeOp, tosa::SliceOp, tosa::CastOp>(
          [&](Operation *copy) -> std::optional<IntegerRange> {
            Value from = copy->getOperand(0);
            Type element = getElementTypeOrSelf(from.getType());
            // The number of a condition is 1, not the -1 of its type.
            if (!element.isInteger() || element.isInteger(1))
              return std::nullopt;
            return get(from);
          })
      .Default([](Operation *) { return std::nullopt; });
}

static IntegerRange getRange(Value value, unsigned depth) {
  IntegerRange range = getTypeRange(value);
  std::optional<IntegerRange> known;
  if (std::optional<std::vector<int64_t>> elements = getIntegers(value);
      elements && !elements->empty()) {
    auto [low, high] = std::minmax_element(elements->begin(), elements->end());
    known = IntegerRange{*low, *high};
  } else if (Operation *op = value.getDefiningOp(); op && depth < kMostDepth) {
    known = getOpRange(op, depth + 1);
  }
  // Numbers beyond the type wrap around, or are clamped: any may result.
  if (known && known->low >= range.low && known->high <= range.high)
    return *known;
  return range;
}

IntegerRange codegen::getIntegerRange(Value value) {
  return getRange(value, 0);
}
