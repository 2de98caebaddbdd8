//===- TransposedConvolutions.cpp - Convolutions of spread images ---------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Frameworks write a transposed convolution of stride S as a convolution of an
// image whose pixels were put S apart into zeros:
//
//   %p = tensor.insert_slice %x into %zeros[0, 0, 2] [1, 20, 25] [1, 1, 3]
//   %y = linalg.conv_1d_ncw_fcw ins(%p, %k) outs(%init)
//
// All but one in S products (a dimension) are with these zeros. Every Sth pixel
// of the result reads the same places of the filter, and pixels of %x that are
// neighbours: so the result is made of S plain convolutions of %x, each with
// every Sth place of the filter, whose results are put S apart. The NaN that an
// infinity or a NaN in the filter would make of the zeros is not computed.
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "mlir-prof/Compile/Choices.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlirprof;
using linalg::LinalgOp;

/// More convolutions than these are too much code.
static constexpr int64_t kMostParts = 16;

namespace {

/// Every Sth pixel of the result along one dimension.
struct Part {
  int64_t first = 0;
  int64_t count = 0;
  /// The places of the filter that meet pixels of the image.
  int64_t tap = 0;
  int64_t taps = 0;
  /// The pixel that the first of them meets for the first result; below 0 or
  /// behind the last one there are zeros.
  int64_t pixel = 0;
};

/// A dimension of space.
struct Space {
  /// Where it is in the shapes of the image, the filter and the result.
  unsigned inImage = 0, inFilter = 0, inResult = 0;
  int64_t stride = 1;
  SmallVector<Part> parts;
  /// Zeros around the image, for all parts.
  int64_t low = 0, high = 0;
};

struct Transposed {
  Value image;
  SmallVector<Space> spaces;
};

} // namespace

//===----------------------------------------------------------------------===//
// Finding
//===----------------------------------------------------------------------===//

static bool isZero(Value value) {
  if (auto fill = value.getDefiningOp<linalg::FillOp>())
    value = fill.getInputs()[0];
  return matchPattern(value, m_AnyZeroFloat()) || matchPattern(value, m_Zero());
}

/// Follows conversions of `Ops` from `value` up to what they convert.
template <typename... Ops>
static Value skip(Value value) {
  Operation *op = value.getDefiningOp();
  for (; op && isa<Ops...>(op); op = value.getDefiningOp())
    value = op->getOperand(0);
  return value;
}

/// Whether all ops of `body` make zero of zero, and the sum that it begins with
/// is what it yields where the product is zero: all that the sum meets is made
/// wider before, and as narrow as it was after it.
static bool keepsZeros(Block &body) {
  for (Operation &op : body)
    if (!isa<arith::MulFOp, arith::MulIOp, arith::AddFOp, arith::AddIOp,
             arith::ExtFOp, arith::TruncFOp, arith::ExtSIOp, arith::ExtUIOp,
             arith::TruncIOp, arith::SIToFPOp, arith::UIToFPOp,
             linalg::YieldOp>(op) ||
        // Other floats may have no zero, or be no part of wider ones.
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
         !op.hasIndexSemantics() &&
         linalg::detail::isContractionBody(
             *op.getBlock(),
             [](Operation *product, Operation *sum) {
               return (isa<arith::MulFOp>(product) &&
                       isa<arith::AddFOp>(sum)) ||
                      (isa<arith::MulIOp>(product) && isa<arith::AddIOp>(sum));
             }) &&
         keepsZeros(*op.getBlock());
}

/// Whether all of `values` are tensors whose layout is left to the compiler, so
/// that there may be parts of them.
static bool arePlainTensors(ValueRange values) {
  return llvm::all_of(values, [](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type && !type.getEncoding();
  });
}

/// Whether `spread` puts pixels into another place each, forwards, and none
/// behind the end; all that it says is known.
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
  return llvm::any_of(spread.getStaticStrides(),
                      [](int64_t stride) { return stride != 1; });
}

/// The dimension of space at place `index` of the image, whose loops are added
/// up there: one of the result and one of the filter.
static std::optional<Space> findSpace(LinalgOp op, unsigned index) {
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
  Space space;
  space.inImage = index;
  space.inFilter = *inFilter;
  space.inResult = *inResult;
  return space;
}

/// The parts for an image of `pixels` that are `space.stride` apart from
/// `offset` on.
static void cut(Space &space, int64_t offset, int64_t pixels, int64_t filter,
                int64_t result) {
  int64_t stride = space.stride;
  for (int64_t first = 0; first < std::min(stride, result); ++first) {
    Part part;
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

static std::optional<Transposed> find(LinalgOp op) {
  if (!isSumOfProducts(op))
    return std::nullopt;
  auto spread = op.getDpsInputs()[0].getDefiningOp<tensor::InsertSliceOp>();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (!spread || !isSpread(spread) || !isZero(spread.getDest()) ||
      !arePlainTensors(op->getOperands()) ||
      !arePlainTensors(spread.getSource()) ||
      !maps[1].isProjectedPermutation() || !maps[2].isProjectedPermutation())
    return std::nullopt;
  ArrayRef<int64_t> offsets = spread.getStaticOffsets(),
                    sizes = spread.getStaticSizes(),
                    strides = spread.getStaticStrides();
  Transposed found{spread.getSource(), {}};
  auto filter = cast<ShapedType>(op.getDpsInputs()[1].getType()).getShape();
  auto result = cast<ShapedType>(op.getDpsInits()[0].getType()).getShape();
  if (llvm::is_contained(result, 0))
    return std::nullopt;
  int64_t parts = 1;
  for (unsigned index = 0; index < sizes.size(); ++index) {
    if (isa<AffineDimExpr>(maps[0].getResult(index)) && offsets[index] == 0 &&
        sizes[index] == spread.getType().getDimSize(index))
      continue;
    std::optional<Space> space = findSpace(op, index);
    if (!space)
      return std::nullopt;
    space->stride = strides[index];
    parts *= std::min<int64_t>(strides[index], kMostParts + 1);
    if (parts > kMostParts)
      return std::nullopt;
    cut(*space, offsets[index], sizes[index], filter[space->inFilter],
        result[space->inResult]);
    found.spaces.push_back(std::move(*space));
  }
  return found;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

namespace {

/// A box of a tensor.
struct Slice {
  explicit Slice(Value value)
      : shape(cast<RankedTensorType>(value.getType()).getShape()),
        offsets(shape.size(), 0), strides(shape.size(), 1) {}

  SmallVector<int64_t> shape, offsets, strides;

  Value extract(OpBuilder &builder, Location location, Value from) const {
    MLIRContext *context = builder.getContext();
    return tensor::ExtractSliceOp::create(
        builder, location, from, getAsIndexOpFoldResult(context, offsets),
        getAsIndexOpFoldResult(context, shape),
        getAsIndexOpFoldResult(context, strides));
  }
  Value insert(OpBuilder &builder, Location location, Value value,
               Value into) const {
    MLIRContext *context = builder.getContext();
    return tensor::InsertSliceOp::create(
        builder, location, value, into,
        getAsIndexOpFoldResult(context, offsets),
        getAsIndexOpFoldResult(context, shape),
        getAsIndexOpFoldResult(context, strides));
  }
};

/// Makes the parts of one convolution.
class PartsEmitter {
public:
  PartsEmitter(OpBuilder &builder, LinalgOp op, const Transposed &transposed)
      : builder(builder), op(op), transposed(transposed),
        location(op.getLoc()) {}

  Value emit();

private:
  Value padImage();
  Value makeInit(const Slice &slice);
  Value makePart(ArrayRef<const Part *> parts, Value image, Value init);

  OpBuilder &builder;
  LinalgOp op;
  const Transposed &transposed;
  Location location;
};

} // namespace

/// The image with the zeros around it that some part reads.
Value PartsEmitter::padImage() {
  auto type = cast<RankedTensorType>(transposed.image.getType());
  SmallVector<int64_t> low(type.getRank(), 0), high = low;
  SmallVector<int64_t> shape = llvm::to_vector(type.getShape());
  for (const Space &space : transposed.spaces) {
    low[space.inImage] = space.low;
    high[space.inImage] = space.high;
    shape[space.inImage] += space.low + space.high;
  }
  if (type.getShape() == ArrayRef<int64_t>(shape))
    return transposed.image;
  Value zero = arith::ConstantOp::create(
      builder, location, builder.getZeroAttr(type.getElementType()));
  MLIRContext *context = builder.getContext();
  return tensor::PadOp::create(builder, location, type.clone(shape),
                               transposed.image,
                               getAsIndexOpFoldResult(context, low),
                               getAsIndexOpFoldResult(context, high), zero);
}

/// Whether what `producer` makes is the same in all pixels, so that it can be
/// made for some of them alone.
static bool isSameInSpace(LinalgOp producer, const Transposed &transposed) {
  if (!producer || producer->getNumResults() != 1 ||
      producer.getNumReductionLoops() != 0 || producer.hasIndexSemantics() ||
      !producer.hasPureTensorSemantics() ||
      producer.payloadUsesValueFromOperand(producer.getDpsInitOperand(0)))
    return false;
  AffineMap stored =
      producer.getMatchingIndexingMap(producer.getDpsInitOperand(0));
  if (!stored.isPermutation())
    return false;
  for (OpOperand *input : producer.getDpsInputOperands())
    for (const Space &space : transposed.spaces)
      if (producer.getMatchingIndexingMap(input).isFunctionOfDim(
              stored.getDimPosition(space.inResult)))
        return false;
  return true;
}

/// What the results of `slice` begin with.
Value PartsEmitter::makeInit(const Slice &slice) {
  Value init = op.getDpsInits()[0];
  auto producer = init.getDefiningOp<LinalgOp>();
  if (!isSameInSpace(producer, transposed))
    return slice.extract(builder, location, init);
  auto type = cast<RankedTensorType>(init.getType()).clone(slice.shape);
  SmallVector<Value> operands = producer.getDpsInputs();
  operands.push_back(tensor::EmptyOp::create(builder, location, slice.shape,
                                             type.getElementType()));
  return clone(builder, producer.getOperation(), {type}, operands)
      ->getResult(0);
}

Value PartsEmitter::makePart(ArrayRef<const Part *> parts, Value image,
                             Value init) {
  Slice window(image), taps(op.getDpsInputs()[1]);
  for (auto [space, part] : llvm::zip_equal(transposed.spaces, parts)) {
    window.offsets[space.inImage] = part->pixel + space.low;
    window.shape[space.inImage] = part->count + part->taps - 1;
    taps.offsets[space.inFilter] = part->tap;
    taps.shape[space.inFilter] = part->taps;
    taps.strides[space.inFilter] = space.stride;
  }
  Value operands[] = {window.extract(builder, location, image),
                      taps.extract(builder, location, op.getDpsInputs()[1]),
                      init};
  return clone(builder, op.getOperation(), {init.getType()}, operands)
      ->getResult(0);
}

Value PartsEmitter::emit() {
  Value image = padImage();
  auto type = cast<RankedTensorType>(op.getDpsInits()[0].getType());
  Value result = tensor::EmptyOp::create(builder, location, type.getShape(),
                                         type.getElementType());
  SmallVector<size_t> index(transposed.spaces.size(), 0);
  while (true) {
    Slice slice(result);
    SmallVector<const Part *> parts;
    for (auto [space, at] : llvm::zip_equal(transposed.spaces, index)) {
      const Part &part = space.parts[at];
      parts.push_back(&part);
      slice.offsets[space.inResult] = part.first;
      slice.shape[space.inResult] = part.count;
      slice.strides[space.inResult] = space.stride;
    }
    Value value = makeInit(slice);
    if (llvm::all_of(parts, [](const Part *part) { return part->taps != 0; }))
      value = makePart(parts, image, value);
    result = slice.insert(builder, location, value, result);
    size_t dim = 0;
    while (dim < index.size() &&
           ++index[dim] == transposed.spaces[dim].parts.size())
      index[dim++] = 0;
    if (dim == index.size())
      return result;
  }
}

namespace {

class TransposedConvolutionsPass
    : public PassWrapper<TransposedConvolutionsPass,
                         OperationPass<func::FuncOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TransposedConvolutionsPass)

  StringRef getArgument() const override {
    return "prof-transposed-convolutions";
  }
  StringRef getDescription() const override {
    return "Make convolutions of images that were spread into zeros of several "
           "convolutions of the images as they were";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, linalg::LinalgDialect,
                    tensor::TensorDialect>();
  }

  void runOnOperation() override {
    SmallVector<LinalgOp> ops;
    getOperation()->walk([&](LinalgOp op) { ops.push_back(op); });
    ChoiceKeeper choices;
    IRRewriter rewriter(&getContext(), &choices);
    for (LinalgOp op : ops) {
      std::optional<Transposed> transposed = find(op);
      if (!transposed)
        continue;
      choices.setSource(op);
      rewriter.setInsertionPoint(op);
      rewriter.replaceOp(op, PartsEmitter(rewriter, op, *transposed).emit());
    }
  }
};

} // namespace

std::unique_ptr<Pass> mlirprof::createTransposedConvolutionsPass() {
  return std::make_unique<TransposedConvolutionsPass>();
}
