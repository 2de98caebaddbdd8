//===- EmitProduct.cpp - Tiles of matrix products -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A workgroup computes a tile of the result. For each part of the depth, its
// threads load a tile of either operand into shared memory, one part ahead of
// the sums, and each thread adds the products of some rows and columns in
// registers. The elements of operands are computed like any others, so that a
// convolution is a product whose rows and depth are several loops, and pads and
// elementwise ops in front of it are part of the load.
//
//===----------------------------------------------------------------------===//

#include "../Loops/LoopAnnotations.h"
#include "Emit.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using linalg::LinalgOp;

/// Without tensor cores: the columns and rows that a thread computes side by
/// side, 16 bytes of f32, and the threads along the columns.
static constexpr int64_t kVector = 4;
static constexpr int64_t kAcross = 16;
/// With them: the sizes of a product of a warp, and those of its tile.
static constexpr int64_t kRows = 16, kColumns = 8, kDepth = 16;
static constexpr int64_t kWarpRows = 64, kWarpColumns = 32, kWarp = 32;

namespace {
/// Columns side by side in a row, from the first ones of the thread.
struct Piece {
  int64_t row, column, count;
};

/// One operand of a product, as a matrix of `lines` (its rows or columns) by
/// the depth.
struct Operand {
  OpOperand *operand = nullptr;
  /// The loops of its lines, and their number.
  ArrayRef<unsigned> loops;
  int64_t size = 0;
  int64_t lines = 0;
  /// Whether elements along the depth are next to each other, and not lines.
  bool isAlongDepth = false;
  /// Elements that are loaded side by side.
  int64_t vector = 1;
  Value memory;

  /// Whether steps of the depth are next to each other in shared memory.
  bool isDepthInner = false;

  int64_t countGroups(int64_t depth) const { return lines * depth / vector; }
  /// The indices in shared memory.
  SmallVector<Value> index(Value buffer, Value line, Value step) const {
    return isDepthInner ? SmallVector<Value>{buffer, line, step}
                        : SmallVector<Value>{buffer, step, line};
  }
};

class ProductEmitter {
public:
  ProductEmitter(GpuKernel &kernel, GpuProduct product)
      : kernel(kernel), builder(kernel.builder), product(std::move(product)),
        location(this->product.op.getLoc()), math(builder, location),
        sizes(this->product.op.getStaticLoopRanges()), depth(kernel.plan.depth),
        hasTensorCores(kernel.plan.strategy == GpuStrategy::TensorCore) {}

  FailureOr<GpuGrid> emit();

private:
  Operand describe(OpOperand *operand, ArrayRef<unsigned> loops, int64_t size,
                   int64_t lines);
  void place();
  SmallVector<int64_t> getSizes(ArrayRef<unsigned> loops) const;
  void setLoops(MutableArrayRef<Value> dims, ArrayRef<unsigned> loops,
                ArrayRef<Value> indices) const;
  FailureOr<SmallVector<Value>> load(const Operand &operand, Value begin,
                                     Value step);
  FailureOr<SmallVector<Value>> loadGroup(const Operand &operand, Value group,
                                          Value begin, Value step);
  FailureOr<SmallVector<Value>> loadElements(const Operand &operand,
                                             SmallVector<Value> dims);
  void storeTile(const Operand &operand, ArrayRef<Value> values, Value buffer);
  std::pair<Value, Value> splitGroup(const Operand &operand, Value group);
  SmallVector<Value> readLines(const Operand &operand, Value buffer, Value step,
                               Value first);
  FailureOr<SmallVector<Value>> addProducts(Value buffer, ArrayRef<Value> sums);
  Value loadMatrices(const Operand &operand, Value buffer, Value line,
                     int64_t step, bool isLeft);
  SmallVector<Value> addMatrices(Value buffer, SmallVector<Value> sums);
  SmallVector<Piece> getPieces() const;
  FailureOr<SmallVector<Value>> sumUp();
  LogicalResult store(ArrayRef<Value> sums);
  LogicalResult storeColumns(const Piece &piece, ArrayRef<Value> sums);

  GpuKernel &kernel;
  OpBuilder &builder;
  GpuProduct product;
  Location location;
  IndexBuilder math;
  SmallVector<int64_t> sizes;
  int64_t depth;
  bool hasTensorCores;
  Operand left, right;
  Value thread, row, column;
  /// With tensor cores: the tile of the warp, and the thread's place in it.
  Value warpRow, warpColumn, lane;
  /// The loops of the batch.
  SmallVector<Value> batch;
  /// The first row and column of the workgroup.
  Value firstRow, firstColumn;
};
} // namespace

SmallVector<int64_t> ProductEmitter::getSizes(ArrayRef<unsigned> loops) const {
  return llvm::map_to_vector(loops, [&](unsigned dim) { return sizes[dim]; });
}

void ProductEmitter::setLoops(MutableArrayRef<Value> dims,
                              ArrayRef<unsigned> loops,
                              ArrayRef<Value> indices) const {
  for (auto [dim, index] : llvm::zip_equal(loops, indices))
    dims[dim] = index;
}

Operand ProductEmitter::describe(OpOperand *operand, ArrayRef<unsigned> loops,
                                 int64_t size, int64_t lines) {
  Operand result;
  result.operand = operand;
  result.loops = loops;
  result.size = size;
  result.lines = lines;
  int64_t width = hasTensorCores ? 2 * kVector : kVector;
  AffineMap map = product.op.getMatchingIndexingMap(operand);
  AffineExpr last = map.getNumResults() ? map.getResults().back()
                                        : builder.getAffineConstantExpr(0);
  auto isLast = [&](ArrayRef<unsigned> list) {
    return !list.empty() && last == builder.getAffineDimExpr(list.back()) &&
           sizes[list.back()] % width == 0;
  };
  result.isAlongDepth = isLast(product.depth);
  bool isAlongLines = isLast(loops);
  if (!isAlongLines && !result.isAlongDepth && !loops.empty())
    result.isAlongDepth = !last.isFunctionOfDim(loops.back());
  // Small tiles have fewer groups than threads.
  bool isWhole = lines * depth % (width * kernel.plan.threads) == 0;
  if ((result.isAlongDepth ? isLast(product.depth) : isAlongLines) && isWhole)
    result.vector = width;
  Type element =
      cast<RankedTensorType>(operand->get().getType()).getElementType();
  // Lines and steps that are read together are in different banks.
  result.isDepthInner = hasTensorCores && result.isAlongDepth;
  SmallVector<int64_t> shape =
      result.isDepthInner ? SmallVector<int64_t>{2, lines, depth + width}
                          : SmallVector<int64_t>{2, depth, lines + width};
  result.memory = kernel.addShared(shape, element);
  return result;
}

/// The tile of the workgroup, and the rows and columns of the thread.
void ProductEmitter::place() {
  int64_t rowTiles = llvm::divideCeil(product.rowSize, kernel.plan.rows);
  int64_t columnTiles =
      llvm::divideCeil(product.columnSize, kernel.plan.columns);
  Value tile = kernel.getWorkgroup(product.batchSize * rowTiles * columnTiles);
  SmallVector<Value> tiles =
      math.split(tile, {product.batchSize, rowTiles, columnTiles});
  batch = math.split(tiles[0], getSizes(product.batch));
  firstRow = math.multiply(tiles[1], math.constant(kernel.plan.rows));
  firstColumn = math.multiply(tiles[2], math.constant(kernel.plan.columns));
  thread = kernel.getThread();
  if (!hasTensorCores) {
    column =
        math.multiply(math.remainder(thread, kAcross), math.constant(kVector));
    row = math.multiply(math.divide(thread, kAcross), math.constant(kVector));
    return;
  }
  lane = math.remainder(thread, kWarp);
  SmallVector<Value> warp = math.split(
      math.divide(thread, kWarp),
      {kernel.plan.rows / kWarpRows, kernel.plan.columns / kWarpColumns});
  warpRow = math.multiply(warp[0], math.constant(kWarpRows));
  warpColumn = math.multiply(warp[1], math.constant(kWarpColumns));
  // PTX says which elements of a product a thread has.
  row = math.add(warpRow, math.divide(lane, 4));
  column = math.add(warpColumn,
                    math.multiply(math.remainder(lane, 4), math.constant(2)));
}

/// The line and the step of depth, of the tile, at which `group` begins.
std::pair<Value, Value> ProductEmitter::splitGroup(const Operand &operand,
                                                   Value group) {
  int64_t along =
      (operand.isAlongDepth ? depth : operand.lines) / operand.vector;
  Value begin = math.multiply(math.remainder(group, along),
                              math.constant(operand.vector));
  Value other = math.divide(group, along);
  return operand.isAlongDepth ? std::pair(other, begin)
                              : std::pair(begin, other);
}

/// The elements of a group of which `dims` are the loops of the first.
FailureOr<SmallVector<Value>>
ProductEmitter::loadElements(const Operand &operand, SmallVector<Value> dims) {
  AffineMap map = product.op.getMatchingIndexingMap(operand.operand);
  ArrayRef<unsigned> loops =
      operand.isAlongDepth ? ArrayRef<unsigned>(product.depth) : operand.loops;
  SmallVector<Value> values;
  Value begin = loops.empty() ? Value() : dims[loops.back()];
  for (int64_t i = 0; i != operand.vector; ++i) {
    if (i != 0)
      dims[loops.back()] = math.add(begin, math.constant(i));
    FailureOr<Value> value =
        kernel.elements.get(operand.operand->get(), math.evaluate(map, dims));
    if (failed(value))
      return failure();
    values.push_back(*value);
  }
  return values;
}

/// The elements of `group` of the tile that begins at line `begin` and at
/// `step` of the depth; zero behind the ends of the operand.
FailureOr<SmallVector<Value>> ProductEmitter::loadGroup(const Operand &operand,
                                                        Value group,
                                                        Value begin,
                                                        Value step) {
  auto [line, inner] = splitGroup(operand, group);
  Value lineStart = math.add(begin, line), depthStart = math.add(step, inner);
  // Groups along a loop do not leave it.
  SmallVector<int64_t> lineSizes = getSizes(operand.loops);
  SmallVector<int64_t> depthSizes = getSizes(product.depth);
  SmallVector<Value> lineIndices, depthIndices;
  auto splitAlong = [&](Value number, SmallVector<int64_t> shape) {
    shape.back() /= operand.vector;
    SmallVector<Value> indices =
        math.split(math.divide(number, operand.vector), shape);
    indices.back() =
        math.multiply(indices.back(), math.constant(operand.vector));
    return indices;
  };
  bool isGrouped = operand.vector != 1;
  lineIndices = isGrouped && !operand.isAlongDepth
                    ? splitAlong(lineStart, lineSizes)
                    : math.split(lineStart, lineSizes);
  depthIndices = isGrouped && operand.isAlongDepth
                     ? splitAlong(depthStart, depthSizes)
                     : math.split(depthStart, depthSizes);
  Value inside;
  auto require = [&](Value index, int64_t size, int64_t tile) {
    if (size % tile == 0)
      return;
    Value isInside = math.isBelow(index, size);
    inside =
        inside
            ? Value(arith::AndIOp::create(builder, location, inside, isInside))
            : isInside;
  };
  require(lineStart, operand.size, operand.lines);
  require(depthStart, product.depthSize, depth);
  SmallVector<Value> dims(sizes.size(), math.constant(0));
  setLoops(dims, product.batch, batch);
  setLoops(dims, operand.loops, lineIndices);
  setLoops(dims, product.depth, depthIndices);
  if (!inside)
    return loadElements(operand, dims);
  Type type = cast<MemRefType>(operand.memory.getType()).getElementType();
  SmallVector<Type> types(size_t(operand.vector), type);
  auto fork = scf::IfOp::create(builder, location, types, inside,
                                /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(fork.elseBlock());
  Value zero =
      arith::ConstantOp::create(builder, location, builder.getZeroAttr(type));
  scf::YieldOp::create(builder, location,
                       SmallVector<Value>(types.size(), zero));
  builder.setInsertionPointToStart(fork.thenBlock());
  FailureOr<SmallVector<Value>> values = loadElements(operand, dims);
  if (failed(values))
    return failure();
  scf::YieldOp::create(builder, location, *values);
  return SmallVector<Value>(fork.getResults());
}

/// The elements of the tile of `operand` that the thread loads.
FailureOr<SmallVector<Value>> ProductEmitter::load(const Operand &operand,
                                                   Value begin, Value step) {
  SmallVector<Value> values;
  int64_t count =
      llvm::divideCeil(operand.countGroups(depth), kernel.plan.threads);
  for (int64_t i = 0; i != count; ++i) {
    Value group = math.add(thread, math.constant(i * kernel.plan.threads));
    FailureOr<SmallVector<Value>> loaded =
        loadGroup(operand, group, begin, step);
    if (failed(loaded))
      return failure();
    llvm::append_range(values, *loaded);
  }
  return values;
}

/// Stores what load() returned to the half `buffer` of the shared memory.
void ProductEmitter::storeTile(const Operand &operand, ArrayRef<Value> values,
                               Value buffer) {
  for (auto [index, value] : llvm::enumerate(values)) {
    Value group =
        math.add(thread, math.constant(int64_t(index) / operand.vector *
                                       kernel.plan.threads));
    auto [line, step] = splitGroup(operand, group);
    Value within = math.constant(int64_t(index) % operand.vector);
    (operand.isAlongDepth ? step : line) =
        math.add(operand.isAlongDepth ? step : line, within);
    memref::StoreOp::create(builder, location, value, operand.memory,
                            operand.index(buffer, line, step));
  }
}

/// The lines of a thread at `step`: groups side by side, as far from each other
/// as the threads need.
SmallVector<Value> ProductEmitter::readLines(const Operand &operand,
                                             Value buffer, Value step,
                                             Value first) {
  SmallVector<Value> values;
  for (int64_t begin = 0; begin < operand.lines; begin += kAcross * kVector)
    for (int64_t i = 0; i != kVector; ++i)
      values.push_back(memref::LoadOp::create(
          builder, location, operand.memory,
          operand.index(buffer, math.add(first, math.constant(begin + i)),
                        step)));
  return values;
}

/// Adds the products of one tile, which is in the half `buffer`, to `sums`.
FailureOr<SmallVector<Value>>
ProductEmitter::addProducts(Value buffer, ArrayRef<Value> sums) {
  auto loop = scf::ForOp::create(builder, location, math.constant(0),
                                 math.constant(depth), math.constant(1), sums);
  LoopHints hints;
  hints.unrollCount = unsigned(depth);
  addLoopHints(loop, hints);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value step = loop.getInductionVar();
  SmallVector<Value> lefts = readLines(left, buffer, step, row);
  SmallVector<Value> rights = readLines(right, buffer, step, column);
  bool isSwapped = product.left->getOperandNumber() != 0;
  SmallVector<Value> results;
  for (auto [i, a] : llvm::enumerate(lefts))
    for (auto [j, b] : llvm::enumerate(rights)) {
      Value sum = loop.getRegionIterArgs()[i * rights.size() + j];
      SmallVector<Value> inputs = {a, b};
      if (isSwapped)
        std::swap(inputs[0], inputs[1]);
      FailureOr<ElementValues> next =
          kernel.elements.computeBody(product.op, {}, inputs, {sum});
      if (failed(next))
        return failure();
      results.push_back(next->front());
    }
  scf::YieldOp::create(builder, location, results);
  return SmallVector<Value>(loop.getResults());
}

/// Loads four matrices of 8x8 elements, which two halves of the depth and of 16
/// lines have. Each thread has the address of one of their rows.
Value ProductEmitter::loadMatrices(const Operand &operand, Value buffer,
                                   Value line, int64_t step, bool isLeft) {
  Value inMatrix = math.remainder(lane, 8);
  Value second = math.remainder(math.divide(lane, 8), 2);
  Value fourth = math.divide(lane, 16);
  // The matrices of the left operand are in the order of lines, those of the
  // right one in the order of depth.
  Value lineHalf = isLeft ? second : fourth,
        depthHalf = isLeft ? fourth : second;
  Value eight = math.constant(8);
  Value lines = math.add(line, math.multiply(lineHalf, eight));
  Value steps = math.add(math.constant(step), math.multiply(depthHalf, eight));
  (operand.isDepthInner ? lines : steps) =
      math.add(operand.isDepthInner ? lines : steps, inMatrix);
  Type element = cast<MemRefType>(operand.memory.getType()).getElementType();
  return nvgpu::LdMatrixOp::create(
      builder, location, VectorType::get({4, 2}, element), operand.memory,
      operand.index(buffer, lines, steps),
      builder.getBoolAttr(!operand.isDepthInner), builder.getI32IntegerAttr(4));
}

/// Adds the products of one tile by tensor cores.
SmallVector<Value> ProductEmitter::addMatrices(Value buffer,
                                               SmallVector<Value> sums) {
  Type sumType = VectorType::get({2, 2}, sums.front().getType());
  for (int64_t step = 0; step < depth; step += kDepth) {
    SmallVector<Value> lefts, rights;
    for (int64_t line = 0; line < kWarpRows; line += kRows)
      lefts.push_back(loadMatrices(
          left, buffer, math.add(warpRow, math.constant(line)), step, true));
    for (int64_t line = 0; line < kWarpColumns; line += 2 * kColumns) {
      Value both =
          loadMatrices(right, buffer, math.add(warpColumn, math.constant(line)),
                       step, false);
      for (int64_t half = 0; half != 2; ++half)
        rights.push_back(vector::ExtractStridedSliceOp::create(
            builder, location, both, ArrayRef<int64_t>{2 * half},
            ArrayRef<int64_t>{2}, ArrayRef<int64_t>{1}));
    }
    MutableArrayRef<Value> next = sums;
    for (Value a : lefts)
      for (Value b : rights) {
        Value before = vector::FromElementsOp::create(
            builder, location, sumType, ValueRange(next.take_front(4)));
        Value after = nvgpu::MmaSyncOp::create(
            builder, location, a, b, before,
            ArrayRef<int64_t>{kRows, kColumns, kDepth});
        for (int64_t i = 0; i != 4; ++i)
          next[i] = vector::ExtractOp::create(builder, location, after,
                                              ArrayRef<int64_t>{i / 2, i % 2});
        next = next.drop_front(4);
      }
  }
  return sums;
}

/// The places of the sums of a thread, in their order.
SmallVector<Piece> ProductEmitter::getPieces() const {
  SmallVector<Piece> pieces;
  if (hasTensorCores) {
    for (int64_t row = 0; row < kWarpRows; row += kRows)
      for (int64_t column = 0; column < kWarpColumns; column += kColumns)
        for (int64_t half = 0; half < kRows; half += 8)
          pieces.push_back({row + half, column, 2});
    return pieces;
  }
  for (int64_t begin = 0; begin < left.lines; begin += kAcross * kVector)
    for (int64_t i = 0; i != kVector; ++i)
      for (int64_t column = 0; column < right.lines;
           column += kAcross * kVector)
        pieces.push_back({begin + i, column, kVector});
  return pieces;
}

/// The sums of the thread over the whole depth.
FailureOr<SmallVector<Value>> ProductEmitter::sumUp() {
  Value zero = math.constant(0);
  auto loadBoth = [&](Value step) -> FailureOr<SmallVector<Value>> {
    FailureOr<SmallVector<Value>> a = load(left, firstRow, step);
    FailureOr<SmallVector<Value>> b = load(right, firstColumn, step);
    if (failed(a) || failed(b))
      return failure();
    llvm::append_range(*a, *b);
    return a;
  };
  size_t lefts = size_t(left.vector * llvm::divideCeil(left.countGroups(depth),
                                                       kernel.plan.threads));
  auto storeBoth = [&](ArrayRef<Value> values, Value buffer) {
    storeTile(left, values.take_front(lefts), buffer);
    storeTile(right, values.drop_front(lefts), buffer);
  };
  FailureOr<SmallVector<Value>> first = loadBoth(zero);
  if (failed(first))
    return failure();
  storeBoth(*first, zero);
  gpu::BarrierOp::create(builder, location);
  Type type = cast<RankedTensorType>(product.op->getResult(0).getType())
                  .getElementType();
  Value none =
      arith::ConstantOp::create(builder, location, builder.getZeroAttr(type));
  SmallVector<Value> sums;
  for (const Piece &piece : getPieces())
    sums.append(size_t(piece.count), none);
  int64_t steps = llvm::divideCeil(product.depthSize, depth);
  auto loop = scf::ForOp::create(builder, location, zero, math.constant(steps),
                                 math.constant(1), sums);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value number = loop.getInductionVar();
  Value buffer = math.remainder(number, 2);
  // The last step loads its own tile again, which is not used.
  Value ahead = builder.createOrFold<arith::MinUIOp>(
      location, math.add(number, math.constant(1)), math.constant(steps - 1));
  FailureOr<SmallVector<Value>> next =
      loadBoth(math.multiply(ahead, math.constant(depth)));
  if (failed(next))
    return failure();
  SmallVector<Value> before(loop.getRegionIterArgs());
  FailureOr<SmallVector<Value>> added =
      hasTensorCores ? FailureOr(addMatrices(buffer, before))
                     : addProducts(buffer, before);
  if (failed(added))
    return failure();
  storeBoth(*next, math.subtract(math.constant(1), buffer));
  gpu::BarrierOp::create(builder, location);
  scf::YieldOp::create(builder, location, *added);
  return SmallVector<Value>(loop.getResults());
}

/// Stores `sums`, those of `piece`.
LogicalResult ProductEmitter::storeColumns(const Piece &piece,
                                           ArrayRef<Value> sums) {
  AffineMap map =
      product.op.getMatchingIndexingMap(product.op.getDpsInitOperand(0));
  Value line = math.add(math.add(firstRow, row), math.constant(piece.row));
  Value begin =
      math.add(math.add(firstColumn, column), math.constant(piece.column));
  bool isWhole = product.columnSize % int64_t(sums.size()) == 0;
  OpBuilder::InsertionGuard guard(builder);
  Value inside;
  if (product.rowSize % kernel.plan.rows != 0)
    inside = math.isBelow(line, product.rowSize);
  if (isWhole && product.columnSize % kernel.plan.columns != 0) {
    Value isColumn = math.isBelow(begin, product.columnSize);
    inside =
        inside
            ? Value(arith::AndIOp::create(builder, location, inside, isColumn))
            : isColumn;
  }
  if (inside) {
    auto fork = scf::IfOp::create(builder, location, inside,
                                  /*withElseRegion=*/false);
    builder.setInsertionPointToStart(fork.thenBlock());
  }
  SmallVector<Value> dims(sizes.size(), math.constant(0));
  setLoops(dims, product.batch, batch);
  setLoops(dims, product.row, math.split(line, getSizes(product.row)));
  SmallVector<std::pair<SmallVector<Value>, Value>> results;
  for (auto [index, sum] : llvm::enumerate(sums)) {
    Value number = math.add(begin, math.constant(int64_t(index)));
    OpBuilder::InsertionGuard inner(builder);
    if (!isWhole) {
      auto fork = scf::IfOp::create(builder, location,
                                    math.isBelow(number, product.columnSize),
                                    /*withElseRegion=*/false);
      builder.setInsertionPointToStart(fork.thenBlock());
    }
    setLoops(dims, product.column,
             math.split(number, getSizes(product.column)));
    SmallVector<Value> indices = math.evaluate(map, dims);
    FailureOr<Value> init =
        kernel.elements.get(product.op.getDpsInits().front(), indices);
    if (failed(init))
      return failure();
    bool isFloat = isa<FloatType>(sum.getType());
    Value result =
        isFloat ? builder.createOrFold<arith::AddFOp>(location, sum, *init)
                : builder.createOrFold<arith::AddIOp>(location, sum, *init);
    kernel.elements.define(product.op->getResult(0), [result](ArrayRef<Value>) {
      return FailureOr<Value>(result);
    });
    SmallVector<Value> places = getOutputIndices(product.op, indices);
    FailureOr<Value> value =
        kernel.elements.get(kernel.outputs.front().tensor, places);
    if (failed(value))
      return failure();
    if (isWhole)
      results.push_back({std::move(places), *value});
    else
      kernel.store(kernel.outputs.front(), places, *value);
  }
  for (auto &[places, value] : results)
    kernel.store(kernel.outputs.front(), places, value);
  return success();
}

LogicalResult ProductEmitter::store(ArrayRef<Value> sums) {
  for (const Piece &piece : getPieces()) {
    if (failed(storeColumns(piece, sums.take_front(size_t(piece.count)))))
      return failure();
    sums = sums.drop_front(size_t(piece.count));
  }
  return success();
}

FailureOr<GpuGrid> ProductEmitter::emit() {
  left = describe(product.left, product.row, product.rowSize, kernel.plan.rows);
  right = describe(product.right, product.column, product.columnSize,
                   kernel.plan.columns);
  place();
  FailureOr<SmallVector<Value>> sums = sumUp();
  if (failed(sums) || failed(store(*sums)))
    return failure();
  return GpuGrid{product.batchSize *
                     int64_t(llvm::divideCeil(product.rowSize, left.lines)) *
                     int64_t(llvm::divideCeil(product.columnSize, right.lines)),
                 1, 1};
}

FailureOr<GpuGrid> codegen::emitProduct(GpuKernel &kernel) {
  LinalgOp root = findRoot(kernel.function, kernel.outputs);
  std::optional<GpuProduct> product =
      root ? findProduct(root, kernel.outputs.front()) : std::nullopt;
  const GpuPlan &plan = kernel.plan;
  bool fits =
      plan.threads == 256 && plan.rows > 0 && plan.columns > 0 &&
      plan.depth > 0 && plan.rows % 64 == 0 && plan.columns % 64 == 0 &&
      (plan.strategy != GpuStrategy::TensorCore ||
       (product && fitsTensorCores(*product) && plan.depth % kDepth == 0 &&
        plan.rows / kWarpRows * (plan.columns / kWarpColumns) ==
            plan.threads / kWarp)) &&
      plan.rows * plan.depth % plan.threads == 0 &&
      plan.columns * plan.depth % plan.threads == 0;
  if (!product || !fits)
    return kernel.function.emitOpError(
        "cannot be computed as its plan says: a product of 256 threads has "
        "rows and columns in multiples of 64, and loads whole parts of its "
        "operands");
  return ProductEmitter(kernel, *product).emit();
}
