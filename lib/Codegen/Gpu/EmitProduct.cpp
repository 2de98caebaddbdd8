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
#include "ProductTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using linalg::LinalgOp;

/// Without tensor cores: the columns and rows that a thread computes side by
/// side, 16 bytes of f32, and the threads along the columns.
static constexpr int64_t kVector = 4;
static constexpr int64_t kAcross = 16;

namespace {
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

class ProductEmitter : ProductTile {
public:
  ProductEmitter(GpuKernel &kernel, GpuProduct product)
      : ProductTile(kernel, std::move(product)) {}

  FailureOr<GpuGrid> emit();

private:
  bool hasTensorCores() const {
    return kernel.plan.strategy == GpuStrategy::TensorCore;
  }
  Operand describe(OpOperand *operand, ArrayRef<unsigned> loops, int64_t size,
                   int64_t lines);
  void place();
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
  SmallVector<Value> addMatrices(Value buffer, SmallVector<Value> sums);
  SmallVector<ProductPiece> getPieces() const;
  FailureOr<SmallVector<Value>> sumUp();

  Operand left, right;
  std::optional<WarpProducts> warps;
};
} // namespace

Operand ProductEmitter::describe(OpOperand *operand, ArrayRef<unsigned> loops,
                                 int64_t size, int64_t lines) {
  Operand result;
  result.operand = operand;
  result.loops = loops;
  result.size = size;
  result.lines = lines;
  int64_t width = hasTensorCores() ? 2 * kVector : kVector;
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
  result.isDepthInner = hasTensorCores() && result.isAlongDepth;
  SmallVector<int64_t> shape =
      result.isDepthInner ? SmallVector<int64_t>{2, lines, depth + width}
                          : SmallVector<int64_t>{2, depth, lines + width};
  result.memory = kernel.addShared(shape, element);
  return result;
}

/// The tile of the workgroup, and the rows and columns of the thread.
void ProductEmitter::place() {
  placeTile();
  if (hasTensorCores()) {
    warps.emplace(builder, location, thread, kernel.plan);
    std::tie(row, column) = warps->getPlace();
    return;
  }
  column =
      math.multiply(math.remainder(thread, kAcross), math.constant(kVector));
  row = math.multiply(math.divide(thread, kAcross), math.constant(kVector));
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
  Value inside = math.isInside(nullptr, lineStart, operand.size, operand.lines);
  inside = math.isInside(inside, depthStart, product.depthSize, depth);
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

/// Adds the products of one tile by tensor cores.
SmallVector<Value> ProductEmitter::addMatrices(Value buffer,
                                               SmallVector<Value> sums) {
  auto read = [&](const Operand &operand) {
    return MatrixOperand{operand.memory, operand.isDepthInner,
                         [&operand, buffer](Value line, Value step) {
                           return operand.index(buffer, line, step);
                         }};
  };
  return warps->add(read(left), read(right), depth, std::move(sums));
}

/// The places of the sums of a thread, in their order.
SmallVector<ProductPiece> ProductEmitter::getPieces() const {
  if (hasTensorCores())
    return getMatrixPieces(WarpProducts::kRows, WarpProducts::kColumns, 16);
  SmallVector<ProductPiece> pieces;
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
  Value none = arith::ConstantOp::create(builder, location,
                                         builder.getZeroAttr(getSumType()));
  SmallVector<Value> sums;
  for (const ProductPiece &piece : getPieces())
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
      hasTensorCores() ? FailureOr(addMatrices(buffer, before))
                       : addProducts(buffer, before);
  if (failed(added))
    return failure();
  storeBoth(*next, math.subtract(math.constant(1), buffer));
  gpu::BarrierOp::create(builder, location);
  scf::YieldOp::create(builder, location, *added);
  return SmallVector<Value>(loop.getResults());
}

FailureOr<GpuGrid> ProductEmitter::emit() {
  left = describe(product.left, product.row, product.rowSize, kernel.plan.rows);
  right = describe(product.right, product.column, product.columnSize,
                   kernel.plan.columns);
  place();
  FailureOr<SmallVector<Value>> sums = sumUp();
  if (failed(sums) || failed(store(getPieces(), *sums)))
    return failure();
  return getGrid();
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
       (product && fitsTensorCores(*product) && WarpProducts::fits(plan))) &&
      plan.rows * plan.depth % plan.threads == 0 &&
      plan.columns * plan.depth % plan.threads == 0;
  if (!product || !fits)
    return kernel.function.emitOpError(
        "cannot be computed as its plan says: a product of 256 threads has "
        "rows and columns in multiples of 64, and loads whole parts of its "
        "operands");
  return ProductEmitter(kernel, *product).emit();
}
