//===- Winograd.cpp - Convolutions with fewer multiplications -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A convolution of 3x3 taps and stride 1 over an image with channels last, and
// with constant weights, becomes
//
//   1. a transform of tiles of the image, with vectors along the channels;
//   2. 36 (or 16) matrix products, tiles x channels x filters, which the rules
//      handle like any other; the weights are transformed here, and packed into
//      panels;
//   3. a transform of the products to tiles of the result.
//
// That is a quarter (or 4/9) of the multiplications. The larger tiles are used
// if their expected error is allowed.
//
//===----------------------------------------------------------------------===//

#include "../Constants/CopyBox.h"
#include "../Constants/Weights.h"
#include "CookToom.h"
#include "Transforms.h"
#include "mlir-prof/Codegen/Algorithms.h"
#include "mlir-prof/Codegen/Choices.h"
#include "mlir-prof/Codegen/ConstantScope.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir-prof/Codegen/TargetOptions.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_WINOGRADPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using linalg::LinalgOp;

/// The transforms cost more than they save below this number of channels or
/// filters.
static constexpr int64_t kLeastChannels = 16;
/// With fewer outputs along a side, most of a tile would be padding.
static constexpr int64_t kLeastOutputs = 6;
/// Products that a processor adds while it loads a weight from memory: 59 G/s
/// of products, 20 GB/s.
static constexpr int64_t kRowsPerLoad = 12;

namespace {

/// A convolution that can be transformed.
struct Candidate {
  LinalgOp op;
  Value image;
  Weights weights;
  int64_t batch, height, width, channels, filters;
  /// Dimensions of the weights: taps down, taps across, channel, filter.
  unsigned weightDims[4];
  /// Whether image and result have their channels last, as the transforms need
  /// (and as they may have them later, see ChooseLayout.cpp).
  bool areChannelsLast = false;
};

} // namespace

static bool isDim(AffineExpr expr, unsigned dim) {
  return expr == getAffineDimExpr(dim, expr.getContext());
}

static bool isSumOfDims(AffineExpr expr, unsigned a, unsigned b) {
  return expr == getAffineDimExpr(a, expr.getContext()) +
                     getAffineDimExpr(b, expr.getContext()) ||
         expr == getAffineDimExpr(b, expr.getContext()) +
                     getAffineDimExpr(a, expr.getContext());
}

static bool areSame(OperandRange values, Value a, Value b) {
  return (values[0] == a && values[1] == b) ||
         (values[0] == b && values[1] == a);
}

/// Whether `op` sums products of its two inputs: upstream recognizes
/// convolutions by their maps, so the body may compute anything.
static bool addsProductsOfInputs(LinalgOp op) {
  Block *body = op.getBlock();
  auto sum =
      body->getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
  if (!sum)
    return false;
  Value result = body->getArgument(2);
  Value added = sum.getLhs() == result ? sum.getRhs() : sum.getLhs();
  auto product = added.getDefiningOp<arith::MulFOp>();
  return product && areSame(sum->getOperands(), result, added) &&
         areSame(product->getOperands(), body->getArgument(0),
                 body->getArgument(1));
}

static std::optional<Candidate> match(LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInputs() != 2 ||
      op.getNumDpsInits() != 1 || !linalg::isaConvolutionOpInterface(op) ||
      op.hasDynamicShape() || !addsProductsOfInputs(op))
    return std::nullopt;
  // The loops: a batch, two of the image, two of the filter, and the channels.
  FailureOr<linalg::ConvolutionDimensions> dims =
      linalg::inferConvolutionDims(op);
  if (failed(dims) || dims->outputImage.size() != 2 ||
      dims->filterLoop.size() != 2 || dims->inputChannel.size() != 1 ||
      dims->outputChannel.size() != 1 || dims->batch.size() != 1 ||
      !dims->depth.empty())
    return std::nullopt;
  unsigned down = dims->outputImage[0], across = dims->outputImage[1];
  unsigned tapDown = dims->filterLoop[0], tapAcross = dims->filterLoop[1];
  unsigned channel = dims->inputChannel[0], filter = dims->outputChannel[0];
  unsigned batch = dims->batch[0];
  // The convolution has stride 1.
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  auto image = maps[0].getResults(), result = maps[2].getResults();
  if (image.size() != 4 || result.size() != 4 || maps[1].getNumResults() != 4 ||
      !llvm::all_of(image, [&](AffineExpr expr) {
        return isDim(expr, batch) || isDim(expr, channel) ||
               isSumOfDims(expr, down, tapDown) ||
               isSumOfDims(expr, across, tapAcross);
      }))
    return std::nullopt;
  // The filter has 3x3 taps, and all elements are f32.
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  Type element = getElementTypeOrSelf(op.getDpsInits()[0].getType());
  if (sizes[tapDown] != 3 || sizes[tapAcross] != 3 || !element.isF32() ||
      getElementTypeOrSelf(op.getDpsInputs()[0].getType()) != element ||
      getElementTypeOrSelf(op.getDpsInputs()[1].getType()) != element)
    return std::nullopt;
  Candidate candidate{op,
                      op.getDpsInputs()[0],
                      {},
                      sizes[batch],
                      sizes[down],
                      sizes[across],
                      sizes[channel],
                      sizes[filter],
                      {}};
  // The weights are constant, with their dimensions in any order.
  for (auto [place, dim] : llvm::enumerate(
           std::array<unsigned, 4>{tapDown, tapAcross, channel, filter})) {
    std::optional<unsigned> position =
        maps[1].getResultPosition(getAffineDimExpr(dim, op.getContext()));
    if (!position)
      return std::nullopt;
    candidate.weightDims[place] = *position;
  }
  std::optional<Weights> weights = findWeights(op.getDpsInputs()[1]);
  if (!weights)
    return std::nullopt;
  candidate.weights = *weights;
  candidate.areChannelsLast =
      isDim(image[0], batch) && isSumOfDims(image[1], down, tapDown) &&
      isSumOfDims(image[2], across, tapAcross) && isDim(image[3], channel) &&
      isDim(result[0], batch) && isDim(result[1], down) &&
      isDim(result[2], across) && isDim(result[3], filter);
  return candidate;
}

/// Whether tiles of `outputs` outputs are allowed, fast or not: the error bound
/// takes precedence over choices.
static bool isAllowed(const Candidate &candidate, unsigned outputs,
                      const TargetModel &target) {
  // The transforms use vectors of at least four lanes.
  return candidate.channels % 4 == 0 && candidate.filters % 4 == 0 &&
         estimateWinogradError(outputs, candidate.channels) <= target.maxError;
}

/// The outputs per tile side chosen for the op; none if the rule decides.
static std::optional<unsigned> getChosenTile(const Candidate &candidate,
                                             const TargetModel &target) {
  std::optional<StringRef> name =
      getChoice(candidate.op, choice::kAlgorithm, "name");
  if (!name)
    return std::nullopt;
  unsigned outputs = *name == "winograd4" ? 4 : *name == "winograd2" ? 2 : 0;
  return outputs && isAllowed(candidate, outputs, target) ? outputs : 0;
}

/// The products for each channel and filter, with tiles of `outputs` outputs a
/// side; 0 for the direct convolution. Weights that come from memory are so
/// slow that few rows take as long as kRowsPerLoad.
static int64_t countProducts(const Candidate &candidate, unsigned outputs) {
  int64_t side = outputs ? outputs + 2 : 3;
  int64_t rows =
      candidate.batch *
      llvm::divideCeilSigned(candidate.height, outputs ? outputs : 1) *
      llvm::divideCeilSigned(candidate.width, outputs ? outputs : 1);
  int64_t bytes =
      side * side * candidate.channels * candidate.filters * sizeof(float);
  bool isInCache = bytes <= int64_t(TargetModel().l2Bytes);
  return side * side * (isInCache ? rows : std::max(rows, kRowsPerLoad));
}

/// The outputs per tile side; 0 if the convolution is not transformed.
static unsigned chooseTile(const Candidate &candidate,
                           const TargetModel &target) {
  if (std::optional<unsigned> chosen = getChosenTile(candidate, target))
    return *chosen;
  if (candidate.channels < kLeastChannels ||
      candidate.filters < kLeastChannels || candidate.height < kLeastOutputs ||
      candidate.width < kLeastOutputs)
    return 0;
  unsigned best = 0;
  int64_t least = countProducts(candidate, 0);
  for (unsigned outputs : {4u, 2u})
    if (isAllowed(candidate, outputs, target) &&
        countProducts(candidate, outputs) < least) {
      best = outputs;
      least = countProducts(candidate, outputs);
    }
  return best;
}

static StringRef getName(unsigned outputs) {
  return outputs == 4 ? "winograd4" : outputs == 2 ? "winograd2" : "direct";
}

SmallVector<StringRef> codegen::getAlgorithms(Operation *op,
                                              const TargetModel &target) {
  SmallVector<StringRef> names;
  auto structured = dyn_cast<LinalgOp>(op);
  if (!structured || !linalg::isaConvolutionOpInterface(structured))
    return names;
  names.push_back("direct");
  if (std::optional<Candidate> candidate = match(structured)) {
    names.front() = getName(chooseTile(*candidate, target));
    for (unsigned outputs : {4u, 2u})
      if (isAllowed(*candidate, outputs, target) &&
          getName(outputs) != names.front())
        names.push_back(getName(outputs));
  }
  if (names.front() != "direct")
    names.push_back("direct");
  if (canBeProduct(op))
    names.push_back("product");
  return names;
}

/// Filters whose weights are transformed at once, in vectors.
static constexpr int64_t kBlock = 16;

/// Stores G g G^T of up to kBlock filters from `filter` on, for one channel.
static void transformBlock(const Candidate &candidate,
                           const CookToom &transform, int64_t channel,
                           int64_t filter, float *target) {
  unsigned size = transform.products;
  ArrayRef<int64_t> strides = candidate.weights.strides;
  const unsigned *dims = candidate.weightDims;
  int64_t filters = candidate.filters;
  int64_t count = std::min(kBlock, filters - filter);
  const float *source =
      reinterpret_cast<const float *>(candidate.weights.bytes.data()) +
      channel * strides[dims[2]] + filter * strides[dims[3]];
  double taps[3][3][kBlock] = {}, half[6][3][kBlock] = {};
  for (unsigned row = 0; row < 3; ++row)
    for (unsigned column = 0; column < 3; ++column)
      for (int64_t k = 0; k < count; ++k)
        taps[row][column][k] =
            double(source[row * strides[dims[0]] + column * strides[dims[1]] +
                          k * strides[dims[3]]]);
  for (unsigned i = 0; i < size; ++i)
    for (unsigned column = 0; column < 3; ++column)
      for (unsigned row = 0; row < 3; ++row)
        for (int64_t k = 0; k < kBlock; ++k)
          half[i][column][k] +=
              transform.filter.at(i, row) * taps[row][column][k];
  for (unsigned i = 0; i < size; ++i)
    for (unsigned j = 0; j < size; ++j) {
      double sums[kBlock] = {};
      for (unsigned column = 0; column < 3; ++column)
        for (int64_t k = 0; k < kBlock; ++k)
          sums[k] += half[i][column][k] * transform.filter.at(j, column);
      float *to = target +
                  ((i * size + j) * candidate.channels + channel) * filters +
                  filter;
      for (int64_t k = 0; k < count; ++k)
        to[k] = float(sums[k]);
    }
}

/// Stores G g G^T for each channel and filter, as products^2 x channels x
/// filters.
static void transformWeights(const Candidate &candidate,
                             const CookToom &transform, float *target) {
  int64_t bytes = int64_t(transform.products) * transform.products *
                  candidate.channels * candidate.filters *
                  int64_t(sizeof(float));
  forParts(candidate.channels, bytes, [&](int64_t begin, int64_t end) {
    for (int64_t channel = begin; channel < end; ++channel)
      for (int64_t filter = 0; filter < candidate.filters; filter += kBlock)
        transformBlock(candidate, transform, channel, filter, target);
  });
}

/// Pads the image with zeros below and to the right, so that whole tiles cover
/// it. The image's own zero padding is applied at the same time.
static Value coverTiles(OpBuilder &builder, Location location, Value image,
                        int64_t height, int64_t width) {
  auto type = cast<RankedTensorType>(image.getType());
  int64_t below = height - type.getDimSize(1);
  int64_t right = width - type.getDimSize(2);
  if (below == 0 && right == 0)
    return image;
  SmallVector<int64_t> low(4, 0), high = {0, below, right, 0};
  if (auto pad = image.getDefiningOp<tensor::PadOp>()) {
    Value value = pad.getConstantPaddingValue();
    if (value && isZero(value) &&
        !llvm::is_contained(pad.getStaticLow(), ShapedType::kDynamic) &&
        !llvm::is_contained(pad.getStaticHigh(), ShapedType::kDynamic)) {
      low = llvm::to_vector(pad.getStaticLow());
      for (auto [sum, more] : llvm::zip_equal(high, pad.getStaticHigh()))
        sum += more;
      image = pad.getSource();
    }
  }
  Value zero = arith::ConstantOp::create(
      builder, location, builder.getZeroAttr(type.getElementType()));
  auto toAttributes = [&](ArrayRef<int64_t> values) {
    return getAsIndexOpFoldResult(builder.getContext(), values);
  };
  auto padded = RankedTensorType::get(
      {type.getDimSize(0), height, width, type.getDimSize(3)},
      type.getElementType());
  return tensor::PadOp::create(builder, location, padded, image,
                               toAttributes(low), toAttributes(high), zero);
}

static Value createEmpty(OpBuilder &builder, Location location,
                         ArrayRef<int64_t> sizes) {
  return tensor::EmptyOp::create(builder, location, sizes,
                                 builder.getF32Type());
}

/// The products at all positions of the transformed tiles.
static Value emitProducts(OpBuilder &builder, const Candidate &candidate,
                          const CookToom &transform, Value tiles) {
  Location location = candidate.op->getLoc();
  unsigned places = transform.products * transform.products;
  DenseResourceElementsAttr weights = makeConstant(
      RankedTensorType::get({places, candidate.channels, candidate.filters},
                            builder.getF32Type()),
      "winograd", [&](char *target) {
        transformWeights(candidate, transform,
                         reinterpret_cast<float *>(target));
      });
  Value constant =
      arith::ConstantOp::create(builder, candidate.weights.constant->getLoc(),
                                weights.getType(), weights);
  int64_t count = cast<ShapedType>(tiles.getType()).getDimSize(1);
  Value empty =
      createEmpty(builder, location, {places, count, candidate.filters});
  Value zero =
      arith::ConstantOp::create(builder, location, builder.getF32FloatAttr(0));
  Value filled =
      linalg::FillOp::create(builder, location, zero, empty).getResult(0);
  return linalg::BatchMatmulOp::create(builder, location, empty.getType(),
                                       ValueRange{tiles, constant},
                                       ValueRange{filled})
      .getResult(0);
}

/// `sums` plus the numbers that the sums of the convolution start from.
static Value addStarts(OpBuilder &builder, LinalgOp op, Value sums) {
  Value starts = op.getDpsInits()[0];
  if (isZero(starts))
    return sums;
  Value empty = createEmpty(builder, op.getLoc(),
                            cast<ShapedType>(sums.getType()).getShape());
  return linalg::AddOp::create(builder, op.getLoc(), ValueRange{sums, starts},
                               ValueRange{empty})
      .getResult(0);
}

/// Returns the transforms that it makes.
static std::array<Operation *, 2>
rewrite(RewriterBase &rewriter, const Candidate &candidate, unsigned outputs) {
  rewriter.setInsertionPoint(candidate.op);
  Location location = candidate.op->getLoc();
  CookToom transform = getCookToom(outputs);
  int64_t down = llvm::divideCeilSigned(candidate.height, outputs),
          across = llvm::divideCeilSigned(candidate.width, outputs);
  int64_t places = transform.products * transform.products,
          count = candidate.batch * down * across;
  Value image = coverTiles(rewriter, location, candidate.image,
                           down * outputs + 2, across * outputs + 2);
  Value tiles =
      createEmpty(rewriter, location, {places, count, candidate.channels});
  auto input = cpu::WinogradInputOp::create(rewriter, location, tiles.getType(),
                                            image, tiles, outputs);
  Value products = emitProducts(rewriter, candidate, transform, input);
  Value empty = createEmpty(
      rewriter, location,
      {candidate.batch, candidate.height, candidate.width, candidate.filters});
  auto output = cpu::WinogradOutputOp::create(
      rewriter, location, empty.getType(), products, empty, outputs);
  rewriter.replaceOp(candidate.op, addStarts(rewriter, candidate.op, output));
  return {input, output};
}

namespace {

struct WinogradPass : mlirprof::codegen::impl::WinogradPassBase<WinogradPass> {
  using WinogradPassBase::WinogradPassBase;

  void runOnOperation() override {
    FailureOr<TargetModel> target =
        makeTarget(*this, getOperation(), vectorBits,
                   TargetModel().vectorRegisters, /*features=*/"", maxError);
    if (failed(target))
      return signalPassFailure();
    SmallVector<LinalgOp> ops;
    getOperation()->walk([&](LinalgOp op) { ops.push_back(op); });
    ChoiceKeeper choices;
    IRRewriter rewriter(&getContext(), &choices);
    for (LinalgOp op : ops) {
      choices.setSource(op);
      std::optional<Candidate> candidate = match(op);
      if (!candidate || !candidate->areChannelsLast)
        continue;
      unsigned outputs = chooseTile(*candidate, *target);
      if (outputs == 0)
        continue;
      for (Operation *transform : rewrite(rewriter, *candidate, outputs))
        if (!keepTransforms)
          expandOnTensors(rewriter, transform, target->vectorBits);
      freeUnusedConstants(getOperation());
    }
  }
};

} // namespace
