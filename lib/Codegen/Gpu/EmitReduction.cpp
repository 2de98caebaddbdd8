//===- EmitReduction.cpp - Reductions that several threads share ----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The threads of a workgroup are lanes x elements: each lane of an element
// reduces every so many elements, and the lanes are combined. If the elements
// to reduce are contiguous, the lanes of an element are threads next to each
// other, which exchange their parts by shuffles; otherwise threads next to each
// other have elements next to each other, and parts pass through shared memory.
//
//===----------------------------------------------------------------------===//

#include "Emit.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using linalg::LinalgOp;

static constexpr int64_t kWarp = 32;

std::optional<SmallVector<Operation *>> codegen::getCombiners(LinalgOp op) {
  SmallVector<Operation *> combiners;
  for (unsigned i = 0, e = op->getNumResults(); i != e; ++i) {
    SmallVector<Operation *, 4> ops;
    Value reduced = matchReduction(op.getRegionOutputArgs(), i, ops);
    if (!reduced || ops.size() != 1 || !arith::getNeutralElement(ops.front()))
      return std::nullopt;
    combiners.push_back(ops.front());
  }
  return combiners;
}

/// Lanes divide the loop along which the first input is contiguous, or else the
/// longest.
static SmallVector<unsigned> orderReductionLoops(LinalgOp root,
                                                 bool &isContiguous) {
  SmallVector<int64_t> sizes = root.getStaticLoopRanges();
  SmallVector<unsigned> loops;
  root.getReductionDims(loops);
  llvm::stable_sort(
      loops, [&](unsigned a, unsigned b) { return sizes[a] < sizes[b]; });
  isContiguous = false;
  for (OpOperand *input : root.getDpsInputOperands()) {
    AffineMap map = root.getMatchingIndexingMap(input);
    for (size_t i = 0; i != loops.size() && !isContiguous; ++i) {
      if (map.getNumResults() == 0 ||
          !map.getResults().back().isFunctionOfDim(loops[i]))
        continue;
      isContiguous = true;
      std::rotate(loops.begin() + i, loops.begin() + i + 1, loops.end());
    }
  }
  return loops;
}

int64_t codegen::getReductionSize(LinalgOp op) {
  bool isContiguous = false;
  SmallVector<unsigned> loops = orderReductionLoops(op, isContiguous);
  return isContiguous ? op.getStaticLoopRanges()[loops.back()] : 1;
}

ElementValues codegen::combineParts(OpBuilder &builder,
                                    ArrayRef<Operation *> combiners,
                                    ArrayRef<Value> a, ArrayRef<Value> b) {
  ElementValues result;
  for (auto [combiner, x, y] : llvm::zip_equal(combiners, a, b)) {
    Operation *copy = builder.clone(*combiner);
    copy->setOperands({x, y});
    result.push_back(copy->getResult(0));
  }
  return result;
}

ElementValues codegen::shuffleParts(OpBuilder &builder, Location location,
                                    ArrayRef<Operation *> combiners,
                                    ElementValues parts, int64_t lanes) {
  for (int64_t distance = lanes / 2; distance != 0; distance /= 2) {
    ElementValues others;
    for (Value part : parts)
      others.push_back(gpu::ShuffleOp::create(builder, location, part,
                                              int32_t(distance), kWarp,
                                              gpu::ShuffleMode::XOR)
                           .getShuffleResult());
    parts = combineParts(builder, combiners, parts, others);
  }
  return parts;
}

namespace {
/// The code of one kernel.
class ReductionEmitter {
public:
  ReductionEmitter(GpuKernel &kernel, LinalgOp root)
      : kernel(kernel), builder(kernel.builder), root(root),
        location(root.getLoc()), math(builder, location),
        combiners(*getCombiners(root)), lanes(kernel.plan.lanes),
        elements(kernel.plan.threads / lanes) {}

  FailureOr<GpuGrid> emit();

private:
  void findLoops();
  FailureOr<ElementValues> reduceLane(ArrayRef<Value> indices, Value lane);
  FailureOr<ElementValues> reduceSteps(SmallVector<Value> dims, Value lane);
  ElementValues combine(ArrayRef<Value> a, ArrayRef<Value> b);
  ElementValues share(ElementValues parts, Value thread, Value lane);
  LogicalResult finish(ArrayRef<Value> indices, ArrayRef<Value> sums);

  GpuKernel &kernel;
  OpBuilder &builder;
  LinalgOp root;
  Location location;
  IndexBuilder math;
  SmallVector<Operation *> combiners;
  int64_t lanes, elements;
  /// The reduction loops, the one that lanes divide last.
  SmallVector<unsigned> loops;
  bool isContiguous = false;
};
} // namespace

void ReductionEmitter::findLoops() {
  loops = orderReductionLoops(root, isContiguous);
}

ElementValues ReductionEmitter::combine(ArrayRef<Value> a, ArrayRef<Value> b) {
  return combineParts(builder, combiners, a, b);
}

/// The results of a lane, which reduces some elements side by side in the last
/// loop, then as many further on, and so forth.
FailureOr<ElementValues> ReductionEmitter::reduceSteps(SmallVector<Value> dims,
                                                       Value lane) {
  // Each of the elements side by side has a sum of its own.
  int64_t width = kernel.plan.width;
  ElementValues state;
  for (int64_t i = 0; i != width; ++i)
    for (Operation *combiner : combiners)
      state.push_back(arith::ConstantOp::create(
          builder, location, *arith::getNeutralElement(combiner)));
  lane = math.multiply(lane, math.constant(width));
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<scf::ForOp> nest;
  for (unsigned dim : loops) {
    bool isLast = dim == loops.back();
    auto loop =
        scf::ForOp::create(builder, location, isLast ? lane : math.constant(0),
                           math.constant(root.getStaticLoopRanges()[dim]),
                           math.constant(isLast ? lanes * width : 1), state);
    nest.push_back(loop);
    dims[dim] = loop.getInductionVar();
    state.assign(loop.getRegionIterArgs().begin(),
                 loop.getRegionIterArgs().end());
    builder.setInsertionPointToStart(loop.getBody());
  }
  ElementValues results;
  Value begin = dims[loops.back()];
  for (int64_t i = 0; i != width; ++i) {
    if (i != 0)
      dims[loops.back()] = math.add(begin, math.constant(i));
    FailureOr<ElementValues> next = kernel.elements.computeBody(
        root, dims,
        ArrayRef<Value>(state).slice(size_t(i) * combiners.size(),
                                     combiners.size()));
    if (failed(next))
      return failure();
    llvm::append_range(results, *next);
  }
  for (scf::ForOp loop : llvm::reverse(nest)) {
    builder.setInsertionPointToEnd(loop.getBody());
    scf::YieldOp::create(builder, location, results);
    results.assign(loop.getResults().begin(), loop.getResults().end());
  }
  builder.setInsertionPointAfter(nest.front());
  ElementValues sum(results.begin(), results.begin() + combiners.size());
  for (int64_t i = 1; i != width; ++i)
    sum = combine(sum, ArrayRef<Value>(results).slice(
                           size_t(i) * combiners.size(), combiners.size()));
  return sum;
}

FailureOr<ElementValues> ReductionEmitter::reduceLane(ArrayRef<Value> indices,
                                                      Value lane) {
  FailureOr<SmallVector<Value>> dims = getIteration(root, 0, indices);
  if (failed(dims))
    return failure();
  for (Value &dim : *dims)
    if (!dim)
      dim = math.constant(0);
  return reduceSteps(*dims, lane);
}

/// Combines the parts of all lanes; the first lane has the result.
ElementValues ReductionEmitter::share(ElementValues parts, Value thread,
                                      Value lane) {
  SmallVector<Value> buffers;
  for (Value part : parts)
    buffers.push_back(kernel.addShared({kernel.plan.threads}, part.getType()));
  int64_t step = isContiguous ? 1 : elements;
  auto store = [&](ArrayRef<Value> values) {
    for (auto [buffer, value] : llvm::zip_equal(buffers, values))
      memref::StoreOp::create(builder, location, value, buffer, thread);
  };
  store(parts);
  gpu::BarrierOp::create(builder, location);
  for (int64_t distance = lanes / 2; distance != 0; distance /= 2) {
    auto isFirst =
        scf::IfOp::create(builder, location, math.isBelow(lane, distance),
                          /*withElseRegion=*/false);
    builder.setInsertionPointToStart(isFirst.thenBlock());
    ElementValues own, others;
    Value other = math.add(thread, math.constant(distance * step));
    for (Value buffer : buffers) {
      own.push_back(memref::LoadOp::create(builder, location, buffer, thread));
      others.push_back(
          memref::LoadOp::create(builder, location, buffer, other));
    }
    store(combine(own, others));
    builder.setInsertionPointAfter(isFirst);
    gpu::BarrierOp::create(builder, location);
  }
  ElementValues results;
  for (Value buffer : buffers)
    results.push_back(
        memref::LoadOp::create(builder, location, buffer, thread));
  return results;
}

/// Combines `sums` with what the outputs begin as, and stores the results.
LogicalResult ReductionEmitter::finish(ArrayRef<Value> indices,
                                       ArrayRef<Value> sums) {
  ElementValues inits;
  for (OpOperand &init : root.getDpsInitsMutable()) {
    FailureOr<Value> value = kernel.elements.get(init.get(), indices);
    if (failed(value))
      return failure();
    inits.push_back(*value);
  }
  ElementValues results = combine(inits, sums);
  for (auto [result, value] : llvm::zip_equal(root->getResults(), results))
    kernel.elements.define(result, [value = value](ArrayRef<Value>) {
      return FailureOr<Value>(value);
    });
  bool isWhole = kernel.outputs.size() > 1;
  SmallVector<Value> places =
      isWhole ? SmallVector<Value>(indices) : getOutputIndices(root, indices);
  for (const GpuOutput &output : kernel.outputs) {
    FailureOr<Value> value = kernel.elements.get(output.tensor, places);
    if (failed(value))
      return failure();
    kernel.store(output, places, *value);
  }
  return success();
}

FailureOr<GpuGrid> ReductionEmitter::emit() {
  findLoops();
  auto shape = cast<RankedTensorType>(root->getResult(0).getType()).getShape();
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  int64_t grid = llvm::divideCeil(count, elements);
  Value thread = kernel.getThread();
  Value lane = isContiguous ? math.remainder(thread, lanes)
                            : math.divide(thread, elements);
  Value own = isContiguous ? math.divide(thread, lanes)
                           : math.remainder(thread, elements);
  Value number = math.add(
      math.multiply(kernel.getWorkgroup(grid), math.constant(elements)), own);
  // All threads take part in barriers, those behind the end with the last one.
  bool isExact = grid * elements == count;
  Value inside = isExact ? Value() : math.isBelow(number, count);
  Value safe =
      isExact ? number
              : builder.createOrFold<arith::SelectOp>(location, inside, number,
                                                      math.constant(count - 1));
  SmallVector<Value> indices = math.split(safe, shape);
  FailureOr<ElementValues> parts = reduceLane(indices, lane);
  if (failed(parts))
    return failure();
  bool canShuffle =
      isContiguous && lanes <= kWarp && llvm::all_of(*parts, [](Value part) {
        return part.getType().isF32() || part.getType().isInteger(32);
      });
  ElementValues sums =
      canShuffle ? shuffleParts(builder, location, combiners, *parts, lanes)
                 : share(*parts, thread, lane);
  Value isFirst = math.isBelow(lane, 1);
  if (inside)
    isFirst = arith::AndIOp::create(builder, location, isFirst, inside);
  auto stores = scf::IfOp::create(builder, location, isFirst,
                                  /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(stores.thenBlock());
  if (failed(finish(indices, sums)))
    return failure();
  return GpuGrid{grid, 1, 1};
}

FailureOr<GpuGrid> codegen::emitReduction(GpuKernel &kernel) {
  LinalgOp root = findRoot(kernel.function, kernel.outputs);
  const GpuPlan &plan = kernel.plan;
  bool fits = root && getCombiners(root) && llvm::isPowerOf2_64(plan.lanes) &&
              plan.threads % plan.lanes == 0 &&
              getReductionSize(root) % plan.width == 0;
  if (!fits)
    return kernel.function.emitOpError(
        "cannot be computed as its plan says: a power of two of threads shares "
        "one reduction, divides a workgroup evenly, and takes whole groups of "
        "elements");
  return ReductionEmitter(kernel, root).emit();
}
