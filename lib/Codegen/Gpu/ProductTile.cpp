//===- ProductTile.cpp - The tile of a product of a workgroup -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProductTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

SmallVector<int64_t> ProductTile::getSizes(ArrayRef<unsigned> loops) const {
  return llvm::map_to_vector(loops, [&](unsigned dim) { return sizes[dim]; });
}

void ProductTile::setLoops(MutableArrayRef<Value> dims,
                           ArrayRef<unsigned> loops, ArrayRef<Value> indices) {
  for (auto [dim, index] : llvm::zip_equal(loops, indices))
    dims[dim] = index;
}

Type ProductTile::getSumType() const {
  return cast<RankedTensorType>(product.op->getResult(0).getType())
      .getElementType();
}

void ProductTile::placeTile() {
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
}

GpuGrid ProductTile::getGrid() const {
  return {
      product.batchSize *
          int64_t(llvm::divideCeil(product.rowSize, kernel.plan.rows)) *
          int64_t(llvm::divideCeil(product.columnSize, kernel.plan.columns)),
      1, 1};
}

/// Whether the row `line` and the columns from `begin` on are in the result;
/// null if they always are. Without `isWhole`, columns are checked one by one.
Value ProductTile::getInside(Value line, Value begin, bool isWhole) {
  Value inside;
  if (product.rowSize % kernel.plan.rows != 0)
    inside = math.isBelow(line, product.rowSize);
  if (!isWhole || product.columnSize % kernel.plan.columns == 0)
    return inside;
  Value isColumn = math.isBelow(begin, product.columnSize);
  return inside
             ? Value(arith::AndIOp::create(builder, location, inside, isColumn))
             : isColumn;
}

/// The element of the kernel's result that comes from `sum` at the iteration
/// `dims`, and its place.
FailureOr<Value> ProductTile::finish(Value sum, ArrayRef<Value> dims,
                                     SmallVector<Value> &places) {
  AffineMap map =
      product.op.getMatchingIndexingMap(product.op.getDpsInitOperand(0));
  SmallVector<Value> indices = math.evaluate(map, dims);
  FailureOr<Value> init =
      kernel.elements.get(product.op.getDpsInits().front(), indices);
  if (failed(init))
    return failure();
  Value result =
      isa<FloatType>(sum.getType())
          ? builder.createOrFold<arith::AddFOp>(location, sum, *init)
          : builder.createOrFold<arith::AddIOp>(location, sum, *init);
  kernel.elements.define(product.op->getResult(0), [result](ArrayRef<Value>) {
    return FailureOr<Value>(result);
  });
  places = getOutputIndices(product.op, indices);
  return kernel.elements.get(kernel.outputs.front().tensor, places);
}

/// Stores `sums`, those of `piece`.
LogicalResult ProductTile::storeColumns(const ProductPiece &piece,
                                        ArrayRef<Value> sums) {
  Value line = math.add(math.add(firstRow, row), math.constant(piece.row));
  Value begin =
      math.add(math.add(firstColumn, column), math.constant(piece.column));
  bool isWhole = product.columnSize % int64_t(sums.size()) == 0;
  OpBuilder::InsertionGuard guard(builder);
  auto enter = [&](Value condition) {
    auto fork = scf::IfOp::create(builder, location, condition,
                                  /*withElseRegion=*/false);
    builder.setInsertionPointToStart(fork.thenBlock());
  };
  if (Value inside = getInside(line, begin, isWhole))
    enter(inside);
  SmallVector<Value> dims(sizes.size(), math.constant(0));
  setLoops(dims, product.batch, batch);
  setLoops(dims, product.row, math.split(line, getSizes(product.row)));
  SmallVector<std::pair<SmallVector<Value>, Value>> results;
  for (auto [index, sum] : llvm::enumerate(sums)) {
    Value number = math.add(begin, math.constant(int64_t(index)));
    OpBuilder::InsertionGuard inner(builder);
    if (!isWhole)
      enter(math.isBelow(number, product.columnSize));
    setLoops(dims, product.column,
             math.split(number, getSizes(product.column)));
    SmallVector<Value> places;
    FailureOr<Value> value = finish(sum, dims, places);
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

LogicalResult ProductTile::store(ArrayRef<ProductPiece> pieces,
                                 ArrayRef<Value> sums) {
  for (const ProductPiece &piece : pieces) {
    if (failed(storeColumns(piece, sums.take_front(size_t(piece.count)))))
      return failure();
    sums = sums.drop_front(size_t(piece.count));
  }
  return success();
}
