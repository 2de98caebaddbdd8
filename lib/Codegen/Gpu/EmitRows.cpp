//===- EmitRows.cpp - Softmaxes, normalizations and the like --------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// All ops of the kernel share their rows: each reduction is along the last
// loop, and its result is used in its own row. Some threads compute a row: for
// each reduction they go along it and combine their parts, so that all of them
// have the result, and then they compute the elements of the kernel's result.
// Arguments that they read again are in a cache.
//
//===----------------------------------------------------------------------===//

#include "Emit.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using linalg::LinalgOp;

static constexpr int64_t kWarp = 32;

namespace {
/// The code of one kernel.
class RowEmitter {
public:
  RowEmitter(GpuKernel &kernel, ArrayRef<int64_t> sizes)
      : kernel(kernel), builder(kernel.builder),
        location(kernel.outputs.front().tensor.getLoc()),
        math(builder, location), rows(sizes.drop_back()), size(sizes.back()),
        lanes(kernel.plan.lanes), width(kernel.plan.width) {}

  FailureOr<GpuGrid> emit();

private:
  int64_t place();
  LogicalResult reduce(LinalgOp op);
  FailureOr<ElementValues> reduceLane(LinalgOp op,
                                      ArrayRef<Operation *> combiners);
  ElementValues exchange(ElementValues parts, ArrayRef<Operation *> combiners);
  LogicalResult define(LinalgOp op, ArrayRef<Value> values);
  LogicalResult storeResult();
  scf::ForOp openLoop(ValueRange state);

  GpuKernel &kernel;
  OpBuilder &builder;
  Location location;
  IndexBuilder math;
  ArrayRef<int64_t> rows;
  int64_t size, lanes, width;
  Value thread, lane, inside;
  /// The row of the thread.
  SmallVector<Value> row;
};
} // namespace

/// Finds the row of the thread, and returns the grid.
int64_t RowEmitter::place() {
  int64_t count = 1;
  for (int64_t each : rows)
    count *= each;
  int64_t perGroup = kernel.plan.threads / lanes;
  int64_t grid = llvm::divideCeil(count, perGroup);
  thread = kernel.getThread();
  lane = math.remainder(thread, lanes);
  Value number = math.add(
      math.multiply(kernel.getWorkgroup(grid), math.constant(perGroup)),
      math.divide(thread, lanes));
  // All threads take part in barriers, those behind the end with the last row.
  if (grid * perGroup != count) {
    inside = math.isBelow(number, count);
    number = arith::SelectOp::create(builder, location, inside, number,
                                     math.constant(count - 1));
  }
  row = math.split(number, rows);
  return grid;
}

/// A loop over the elements of the thread in its row.
scf::ForOp RowEmitter::openLoop(ValueRange state) {
  Value begin = math.multiply(lane, math.constant(width));
  return scf::ForOp::create(builder, location, begin, math.constant(size),
                            math.constant(lanes * width), state);
}

FailureOr<ElementValues>
RowEmitter::reduceLane(LinalgOp op, ArrayRef<Operation *> combiners) {
  size_t count = combiners.size();
  ElementValues state;
  for (int64_t i = 0; i != width; ++i)
    for (Operation *combiner : combiners)
      state.push_back(arith::ConstantOp::create(
          builder, location, *arith::getNeutralElement(combiner)));
  scf::ForOp loop = openLoop(state);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  ElementValues results;
  for (int64_t i = 0; i != width; ++i) {
    SmallVector<Value> dims = row;
    dims.push_back(math.add(loop.getInductionVar(), math.constant(i)));
    SmallVector<Value> before(
        loop.getRegionIterArgs().slice(size_t(i) * count, count));
    FailureOr<ElementValues> next =
        kernel.elements.computeBody(op, dims, before);
    if (failed(next))
      return failure();
    llvm::append_range(results, *next);
  }
  scf::YieldOp::create(builder, location, results);
  builder.setInsertionPointAfter(loop);
  ValueRange all = loop.getResults();
  ElementValues sum(all.take_front(count));
  for (int64_t i = 1; i != width; ++i)
    sum = combineParts(builder, combiners, sum,
                       ElementValues(all.slice(size_t(i) * count, count)));
  return sum;
}

/// Combines the parts of all lanes, each of which gets the result.
ElementValues RowEmitter::exchange(ElementValues parts,
                                   ArrayRef<Operation *> combiners) {
  parts =
      shuffleParts(builder, location, combiners, parts, std::min(lanes, kWarp));
  if (lanes <= kWarp)
    return parts;
  // Each warp leaves its part for the others.
  int64_t warps = kernel.plan.threads / kWarp, share = lanes / kWarp;
  SmallVector<Value> buffers;
  for (Value part : parts)
    buffers.push_back(kernel.addShared({warps}, part.getType()));
  Value warp = math.divide(thread, kWarp);
  auto isFirst = scf::IfOp::create(
      builder, location, math.isBelow(math.remainder(thread, kWarp), 1),
      /*withElseRegion=*/false);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(isFirst.thenBlock());
    for (auto [buffer, part] : llvm::zip_equal(buffers, parts))
      memref::StoreOp::create(builder, location, part, buffer, warp);
  }
  gpu::BarrierOp::create(builder, location);
  Value first = math.multiply(math.divide(warp, share), math.constant(share));
  ElementValues sum;
  for (int64_t i = 0; i != share; ++i) {
    ElementValues next;
    for (Value buffer : buffers)
      next.push_back(memref::LoadOp::create(builder, location, buffer,
                                            math.add(first, math.constant(i))));
    sum = i == 0 ? next : combineParts(builder, combiners, sum, next);
  }
  return sum;
}

/// Makes `values` the results of `op` in the row.
LogicalResult RowEmitter::define(LinalgOp op, ArrayRef<Value> values) {
  SmallVector<Value> dims = row;
  dims.push_back(math.constant(0));
  ElementValues inits;
  for (OpOperand &init : op.getDpsInitsMutable()) {
    FailureOr<Value> value = kernel.elements.get(
        init.get(), math.evaluate(op.getMatchingIndexingMap(&init), dims));
    if (failed(value))
      return failure();
    inits.push_back(*value);
  }
  ElementValues results =
      combineParts(builder, *getCombiners(op), inits, values);
  for (auto [result, value] : llvm::zip_equal(op->getResults(), results))
    kernel.elements.define(result, [value = value](ArrayRef<Value>) {
      return FailureOr<Value>(value);
    });
  return success();
}

LogicalResult RowEmitter::reduce(LinalgOp op) {
  SmallVector<Operation *> combiners = *getCombiners(op);
  FailureOr<ElementValues> parts = reduceLane(op, combiners);
  if (failed(parts))
    return failure();
  return define(op, exchange(*parts, combiners));
}

LogicalResult RowEmitter::storeResult() {
  OpBuilder::InsertionGuard guard(builder);
  const GpuOutput &output = kernel.outputs.front();
  bool isReduced = output.getShape().size() == rows.size() ||
                   output.getShape().back() != size;
  Value stores = inside;
  if (isReduced) {
    Value isFirst = math.isBelow(lane, 1);
    stores =
        stores
            ? Value(arith::AndIOp::create(builder, location, stores, isFirst))
            : isFirst;
  }
  if (stores) {
    auto fork = scf::IfOp::create(builder, location, stores,
                                  /*withElseRegion=*/false);
    builder.setInsertionPointToStart(fork.thenBlock());
  }
  SmallVector<Value> indices = row;
  if (isReduced) {
    if (output.getShape().size() != rows.size())
      indices.push_back(math.constant(0));
    FailureOr<Value> value = kernel.elements.get(output.tensor, indices);
    if (succeeded(value))
      kernel.store(output, indices, *value);
    return success(succeeded(value));
  }
  scf::ForOp loop = openLoop({});
  builder.setInsertionPointToStart(loop.getBody());
  SmallVector<std::pair<SmallVector<Value>, Value>> results;
  for (int64_t i = 0; i != width; ++i) {
    SmallVector<Value> place = row;
    place.push_back(math.add(loop.getInductionVar(), math.constant(i)));
    FailureOr<Value> value = kernel.elements.get(output.tensor, place);
    if (failed(value))
      return failure();
    results.push_back({std::move(place), *value});
  }
  for (auto &[place, value] : results)
    kernel.store(output, place, value);
  return success();
}

FailureOr<GpuGrid> RowEmitter::emit() {
  int64_t grid = place();
  for (auto op : kernel.function.getOps<LinalgOp>())
    if (op.getNumReductionLoops() != 0 && failed(reduce(op)))
      return failure();
  if (failed(storeResult()))
    return failure();
  return GpuGrid{grid, 1, 1};
}

FailureOr<GpuGrid> codegen::emitRows(GpuKernel &kernel) {
  std::optional<SmallVector<int64_t>> sizes =
      findRows(kernel.function, kernel.outputs);
  const GpuPlan &plan = kernel.plan;
  bool fits = sizes && llvm::isPowerOf2_64(plan.lanes) &&
              plan.threads % kWarp == 0 && plan.threads % plan.lanes == 0 &&
              sizes->back() % plan.width == 0;
  if (!fits)
    return kernel.function.emitOpError(
        "cannot be computed as its plan says: its ops do not share rows, or "
        "the threads of a row do not divide a workgroup evenly");
  return RowEmitter(kernel, *sizes).emit();
}
