//===- FoldScales.cpp - Scales as a part of the weights -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A convolution or product with constant weights is often followed by a scale
// and an offset for each of its channels, such as a batch normalization:
//
//   y[c] = (x[c] - mean[c]) / sqrt(variance[c] + epsilon) * gamma[c] + beta[c]
//
// which is x[c] times a constant, plus a constant. The weights of each channel
// are multiplied by the one, and the sums start from the other, so that the ops
// in between vanish. All constants are computed in double precision; the result
// differs by the rounding of the weights.
//
//===----------------------------------------------------------------------===//

#include "../Constants/CopyBox.h"
#include "../Constants/Weights.h"
#include "../Nest/Plan.h"
#include "Elements.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir-prof/Codegen/TargetOptions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/PatternMatch.h"

#include <cmath>

namespace mlirprof::codegen {
#define GEN_PASS_DEF_FOLDSCALESPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using linalg::LinalgOp;

/// The weights, and the products with them, are rounded: about twice half a
/// unit in the last place of f32, of the largest result.
static constexpr double kError = 1.2e-7;
/// The largest tensor of constants that is read as a whole: scales, or numbers
/// about which an op asserts something.
static constexpr int64_t kMostRead = 1 << 16;

namespace {

/// An op and those after it that scale its channels.
struct ScaledOp {
  LinalgOp op;
  SmallVector<LinalgOp> scales;
  /// The dimension of the channels in the result, and in the weights.
  unsigned channelDim = 0, weightDim = 0;
  /// For each channel, the result in terms of the products' sum.
  SmallVector<Linear> channels;
};

} // namespace

/// The dimension of the result along which the weights vary, if there is one,
/// and where it is in the weights.
static std::optional<ScaledOp> findChannels(LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInputs() != 2 ||
      op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0 ||
      op.hasDynamicShape() || !addsProducts(*op.getBlock()))
    return std::nullopt;
  for (Value operand : op->getOperands())
    if (!getElementTypeOrSelf(operand.getType()).isF32())
      return std::nullopt;
  AffineMap weights = op.getIndexingMapsArray()[1],
            stored = op.getIndexingMapsArray()[2];
  std::optional<ScaledOp> found;
  for (auto [dim, expr] : llvm::enumerate(stored.getResults())) {
    std::optional<unsigned> position = weights.getResultPosition(expr);
    if (!isa<AffineDimExpr>(expr))
      return std::nullopt;
    if (!position)
      continue;
    // Several dimensions together are the channels.
    if (found)
      return std::nullopt;
    found = ScaledOp{op, {}, unsigned(dim), *position, {}};
  }
  return found;
}

/// The elements of `value` that `map` selects if the loop `loop` is at
/// `channel`; none if they depend on other loops, or are not known.
static std::optional<double> readChannel(Value value, AffineMap map,
                                         unsigned loop, int64_t channel) {
  for (unsigned other = 0; other < map.getNumDims(); ++other)
    if (other != loop && map.isFunctionOfDim(other))
      return std::nullopt;
  SmallVector<int64_t> loops(map.getNumDims(), 0);
  loops[loop] = channel;
  return readElement(value, map.compose(loops));
}

/// The result of `next` for one channel in terms of `value`, which it reads.
static std::optional<Linear> scaleChannel(LinalgOp next, Value value,
                                          unsigned loop, int64_t channel) {
  SmallVector<Linear> arguments;
  for (OpOperand *input : next.getDpsInputOperands()) {
    if (input->get() == value) {
      arguments.push_back({1, 0});
      continue;
    }
    std::optional<double> number = readChannel(
        input->get(), next.getMatchingIndexingMap(input), loop, channel);
    if (!number)
      return std::nullopt;
    arguments.push_back({0, *number});
  }
  arguments.push_back({});
  return evaluateBody(*next.getBlock(), arguments);
}

/// The elements of `value` that `map` selects at each of `channels` of the loop
/// `loop`, if all of a small tensor are known.
static std::optional<Column> readChannels(Value value, AffineMap map,
                                          unsigned loop, int64_t channels) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type) {
    std::optional<double> number = readElement(value, {});
    return number ? std::optional(Column(channels, {0, *number}))
                  : std::nullopt;
  }
  if (!type.hasStaticShape() || type.getNumElements() > kMostRead ||
      !map.isProjectedPermutation(/*allowZeroInResults=*/true))
    return std::nullopt;
  int64_t stride = 0;
  for (auto [expr, step] :
       llvm::zip_equal(map.getResults(), computeStrides(type.getShape())))
    if (expr.isFunctionOfDim(loop))
      stride += step;
    else if (isa<AffineDimExpr>(expr))
      return std::nullopt;
  std::optional<Column> elements = readElements(value);
  if (!elements)
    return std::nullopt;
  Column column;
  for (int64_t channel = 0; channel < channels; ++channel)
    column.push_back((*elements)[channel * stride]);
  return column;
}

/// scaleChannel() for all of `channels`.
static std::optional<Column> scaleChannels(LinalgOp next, Value value,
                                           unsigned loop, int64_t channels) {
  SmallVector<Column> arguments;
  for (OpOperand *input : next.getDpsInputOperands()) {
    std::optional<Column> column =
        input->get() == value
            ? std::optional(Column(channels, {1, 0}))
            : readChannels(input->get(), next.getMatchingIndexingMap(input),
                           loop, channels);
    if (!column)
      break;
    arguments.push_back(std::move(*column));
  }
  if (arguments.size() == size_t(next.getNumDpsInputs())) {
    arguments.push_back(Column(channels));
    return evaluateBody(*next.getBlock(), arguments, channels);
  }
  Column column;
  for (int64_t channel = 0; channel < channels; ++channel) {
    std::optional<Linear> scaled = scaleChannel(next, value, loop, channel);
    if (!scaled)
      return std::nullopt;
    column.push_back(*scaled);
  }
  return column;
}

/// Whether `next` computes each element from one of `value` at the same place.
static bool isElementwiseOn(LinalgOp next, Value value) {
  if (!next.hasPureTensorSemantics() || next.getNumDpsInits() != 1 ||
      next.getNumParallelLoops() != next.getNumLoops() ||
      next.hasIndexSemantics() ||
      !getElementTypeOrSelf(next->getResult(0).getType()).isF32() ||
      next->getResult(0).getType() != value.getType() ||
      next.payloadUsesValueFromOperand(next.getDpsInitOperand(0)))
    return false;
  AffineMap stored = next.getMatchingIndexingMap(next.getDpsInitOperand(0));
  return stored.isPermutation() &&
         llvm::all_of(next.getDpsInputOperands(), [&](OpOperand *input) {
           return input->get() != value ||
                  next.getMatchingIndexingMap(input) == stored;
         });
}

/// Whether `next` only adds numbers that do not depend on `value`, which it
/// reads, to it.
static bool onlyAdds(LinalgOp next, Value value) {
  SmallPtrSet<Value, 4> sums;
  for (OpOperand *input : next.getDpsInputOperands())
    if (input->get() == value)
      sums.insert(next.getMatchingBlockArgument(input));
  for (Operation &op : next.getBlock()->without_terminator()) {
    unsigned summands = llvm::count_if(op.getOperands(), [&](Value operand) {
      return sums.contains(operand);
    });
    if (summands == 0)
      continue;
    bool adds = isa<arith::AddFOp>(op) ||
                (isa<arith::SubFOp>(op) && sums.contains(op.getOperand(0)));
    if (!adds || summands != 1)
      return false;
    sums.insert(op.getResult(0));
  }
  return true;
}

/// Whether the result of `next` may be linear in `value`, as far as its ops
/// tell without the numbers in constants.
static bool mayBeLinear(LinalgOp next, Value value) {
  SmallPtrSet<Value, 4> linear;
  for (OpOperand *input : next.getDpsInputOperands())
    if (input->get() == value)
      linear.insert(next.getMatchingBlockArgument(input));
  for (Operation &op : next.getBlock()->without_terminator()) {
    bool depends = llvm::any_of(op.getOperands(), [&](Value operand) {
      return linear.contains(operand);
    });
    if (!depends)
      continue;
    if (!isa<arith::AddFOp, arith::SubFOp, arith::NegFOp, arith::MulFOp,
             arith::DivFOp, arith::ExtFOp, arith::TruncFOp>(op))
      return false;
    linear.insert(op.getResult(0));
  }
  return true;
}

/// Whether an op that may scale the channels follows `op`, maybe after ops that
/// add something. Does not read any numbers.
static bool precedesScale(LinalgOp op) {
  Operation *last = op;
  while (last->hasOneUse()) {
    Value value = last->getResult(0);
    auto next = dyn_cast<LinalgOp>(*last->user_begin());
    if (!next || !isElementwiseOn(next, value) || !mayBeLinear(next, value))
      return false;
    if (!onlyAdds(next, value))
      return true;
    last = next;
  }
  return false;
}

/// Whether one of the ops after `found` may scale its channels, as far as the
/// first channel tells: what is added to the others need not be read.
static bool mayBeScaled(const ScaledOp &found) {
  if (!precedesScale(found.op))
    return false;
  Operation *last = found.op;
  while (last->hasOneUse()) {
    Value value = last->getResult(0);
    auto next = dyn_cast<LinalgOp>(*last->user_begin());
    if (!next || !isElementwiseOn(next, value))
      return false;
    AffineMap stored = next.getMatchingIndexingMap(next.getDpsInitOperand(0));
    if (!scaleChannel(next, value, stored.getDimPosition(found.channelDim), 0))
      return false;
    if (!onlyAdds(next, value))
      return true;
    last = next;
  }
  return false;
}

/// Adds `next` to `found` if it scales the channels of `value`.
static bool addScale(ScaledOp &found, LinalgOp next, Value value) {
  if (!next || !isElementwiseOn(next, value))
    return false;
  AffineMap stored = next.getMatchingIndexingMap(next.getDpsInitOperand(0));
  unsigned loop = stored.getDimPosition(found.channelDim);
  SmallVector<Linear> channels = found.channels;
  std::optional<Column> scales =
      scaleChannels(next, value, loop, int64_t(channels.size()));
  if (!scales)
    return false;
  for (auto [linear, scaled] : llvm::zip_equal(channels, *scales)) {
    linear = {scaled.factor * linear.factor,
              scaled.factor * linear.offset + scaled.offset};
    if (!std::isfinite(float(linear.factor)) ||
        !std::isfinite(float(linear.offset)))
      return false;
  }
  found.channels = std::move(channels);
  found.scales.push_back(next);
  return true;
}

/// The number that the sum of each channel of `found` starts from.
static bool addStarts(ScaledOp &found) {
  OpOperand &init = *found.op.getDpsInitOperand(0);
  auto type = cast<RankedTensorType>(init.get().getType());
  if (isZero(init.get()))
    return true;
  auto start = init.get().getDefiningOp<LinalgOp>();
  if (!start || start.getNumDpsInputs() != 1 || start.getNumDpsInits() != 1)
    return false;
  AffineMap stored = start.getMatchingIndexingMap(start.getDpsInitOperand(0));
  if (!stored.isPermutation() ||
      stored.getNumResults() != size_t(type.getRank()))
    return false;
  std::optional<Column> values = scaleChannels(
      start, /*value=*/{}, stored.getDimPosition(found.channelDim),
      int64_t(found.channels.size()));
  if (!values)
    return false;
  for (auto [linear, value] : llvm::zip_equal(found.channels, *values))
    linear.offset += linear.factor * value.offset;
  return true;
}

static std::optional<ScaledOp> findScales(LinalgOp op) {
  std::optional<ScaledOp> found = findChannels(op);
  if (!found)
    return std::nullopt;
  std::optional<Weights> weights = findWeights(op.getDpsInputs()[1]);
  if (!weights)
    return std::nullopt;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  int64_t channels = type.getDimSize(found->channelDim);
  if (channels == 0 || !mayBeScaled(*found))
    return std::nullopt;
  found->channels.assign(channels, {1, 0});
  Operation *last = op;
  while (last->hasOneUse()) {
    auto next = dyn_cast<LinalgOp>(*last->user_begin());
    if (!addScale(*found, next, last->getResult(0)))
      break;
    last = next;
  }
  // Offsets alone are added to the sums as well as by another op.
  bool hasScale = llvm::any_of(
      found->channels, [](const Linear &linear) { return linear.factor != 1; });
  return hasScale && addStarts(*found) ? found : std::nullopt;
}

static DenseResourceElementsAttr scaleWeights(const ScaledOp &scaled,
                                              const Weights &weights) {
  LinalgOp op = scaled.op;
  auto type = cast<RankedTensorType>(op.getDpsInputs()[1].getType());
  ArrayRef<int64_t> shape = type.getShape();
  SmallVector<int64_t> strides = computeStrides(shape);
  int64_t channels = shape[scaled.weightDim];
  int64_t inner = strides[scaled.weightDim];
  return makeConstant(type, "scaled", [&](char *target) {
    copyBox(weights.bytes.data(), shape, weights.strides, strides,
            sizeof(float), target);
    auto *numbers = reinterpret_cast<float *>(target);
    int64_t rows = inner == 0 ? 0 : type.getNumElements() / inner;
    forParts(rows, type.getNumElements() * int64_t(sizeof(float)),
             [&](int64_t begin, int64_t end) {
               for (int64_t row = begin; row < end; ++row) {
                 double factor = scaled.channels[row % channels].factor;
                 for (float &number :
                      MutableArrayRef(numbers + row * inner, inner))
                   number = float(number * factor);
               }
             });
  });
}

/// The tensor from which the sums start.
static Value createStarts(OpBuilder &builder, Location location,
                          const ScaledOp &scaled) {
  auto type = cast<RankedTensorType>(scaled.op->getResult(0).getType());
  SmallVector<float> offsets;
  for (const Linear &linear : scaled.channels)
    offsets.push_back(float(linear.offset));
  Value vector = arith::ConstantOp::create(
      builder, location,
      DenseElementsAttr::get(RankedTensorType::get({int64_t(offsets.size())},
                                                   builder.getF32Type()),
                             ArrayRef(offsets)));
  SmallVector<int64_t> others;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (dim != int64_t(scaled.channelDim))
      others.push_back(dim);
  Value empty = tensor::EmptyOp::create(builder, location, type.getShape(),
                                        type.getElementType());
  return linalg::BroadcastOp::create(builder, location, vector, empty, others)
      ->getResult(0);
}

static void fold(RewriterBase &rewriter, const ScaledOp &scaled) {
  LinalgOp op = scaled.op;
  Operation *last = scaled.scales.back();
  rewriter.setInsertionPoint(op);
  Weights weights = *findWeights(op.getDpsInputs()[1]);
  SmallVector<Location> locations;
  for (LinalgOp scale : scaled.scales)
    locations.push_back(scale.getLoc());
  Location ofScales = rewriter.getFusedLoc(locations);
  locations.push_back(weights.constant->getLoc());
  DenseResourceElementsAttr value = scaleWeights(scaled, weights);
  Value operands[] = {op.getDpsInputs()[0],
                      arith::ConstantOp::create(rewriter,
                                                rewriter.getFusedLoc(locations),
                                                value.getType(), value),
                      createStarts(rewriter, ofScales, scaled)};
  Operation *made =
      clone(rewriter, op.getOperation(), op->getResultTypes(), operands);
  rewriter.replaceOp(last, made->getResults());
  for (LinalgOp scale : llvm::drop_begin(llvm::reverse(scaled.scales)))
    rewriter.eraseOp(scale);
  rewriter.eraseOp(op);
}

/// Whether all elements of the result of `op` are known, and so all assertions
/// in it hold.
static bool areAssertionsKnown(linalg::GenericOp op) {
  auto type = op->getNumResults() == 1
                  ? dyn_cast<RankedTensorType>(op->getResult(0).getType())
                  : RankedTensorType();
  if (!type || !type.hasStaticShape() || type.getNumElements() > kMostRead)
    return false;
  if (readElements(op->getResult(0)))
    return true;
  bool areKnown = true;
  forEachIndex(type.getShape(), [&](ArrayRef<int64_t> index) {
    areKnown = areKnown && readElement(op->getResult(0), index);
  });
  return areKnown;
}

/// Removes assertions about constants, since ops with assertions are never
/// dead.
static void removeAssertions(func::FuncOp function) {
  SmallVector<cf::AssertOp> assertions;
  function.walk([&](linalg::GenericOp op) {
    auto own = op.getBody()->getOps<cf::AssertOp>();
    if (!own.empty() && areAssertionsKnown(op))
      llvm::append_range(assertions, own);
  });
  for (cf::AssertOp assertion : assertions)
    assertion.erase();
}

/// Stores constants in the shape in which they are used, since later passes
/// look for constants rather than for reshapes of them.
static void foldReshapes(func::FuncOp function) {
  SmallVector<Operation *> reshapes;
  function.walk([&](Operation *op) {
    if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
      reshapes.push_back(op);
  });
  IRRewriter rewriter(function.getContext());
  for (Operation *op : reshapes) {
    auto constant = op->getOperand(0).getDefiningOp<arith::ConstantOp>();
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    auto resource =
        constant ? dyn_cast<DenseResourceElementsAttr>(constant.getValue())
                 : DenseResourceElementsAttr();
    if (!resource || !type.hasStaticShape())
      continue;
    rewriter.setInsertionPointAfter(constant);
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(
        op, type,
        DenseResourceElementsAttr::get(type, resource.getRawHandle()));
  }
}

namespace {

struct FoldScalesPass
    : mlirprof::codegen::impl::FoldScalesPassBase<FoldScalesPass> {
  using FoldScalesPassBase::FoldScalesPassBase;

  void runOnOperation() override {
    FailureOr<TargetModel> target =
        makeTarget(*this, getOperation(), TargetModel().vectorBits,
                   TargetModel().vectorRegisters, /*features=*/"", maxError);
    if (failed(target))
      return signalPassFailure();
    foldReshapes(getOperation());
    removeAssertions(getOperation());
    if (target->maxError < kError)
      return;
    SmallVector<LinalgOp> ops;
    getOperation()->walk([&](LinalgOp op) {
      if (op.getNumReductionLoops() != 0)
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (LinalgOp op : ops)
      if (std::optional<ScaledOp> scaled = findScales(op))
        fold(rewriter, *scaled);
  }
};

} // namespace
