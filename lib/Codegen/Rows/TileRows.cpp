//===- TileRows.cpp - Loops over rows -------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loops carry the kernel's result. One iteration computes all ops for its
// rows, on parts of the tensors around them, and inserts the rows of the last
// op's result. If the last block has fewer rows, the ops are there once more,
// for the rest.
//
//===----------------------------------------------------------------------===//

#include "RowTiles.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir-prof/Dialect/Dispatch/Dispatch.h"
#include "mlir-prof/Transforms/Instrument.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using linalg::LinalgOp;

namespace {

/// One iteration of a loop over rows.
struct Step {
  OpFoldResult first;
  int64_t rows = 1;
};

/// The tensor as which a kernel's result begins, and the ops whose results
/// begin as that.
struct ResultStart {
  Value tensor;
  DenseSet<Operation *> ops;
};

class RowTiler {
public:
  RowTiler(const RowTiles &tiles, int64_t rows, const ResultStart &result)
      : tiles(tiles), rows(rows), result(result),
        location(tiles.ops.back()->getLoc()),
        builder(tiles.ops.back()->getContext()) {
    builder.setInsertionPointAfter(tiles.ops.back());
    steps.resize(tiles.sizes.size());
  }

  Value emit() { return emitLoops(0, result.tensor); }

private:
  struct Part {
    SmallVector<OpFoldResult> offsets, sizes, strides;
    SmallVector<int64_t> shape;
  };

  Value emitLoops(unsigned loop, Value carried);
  Value emitLoop(unsigned loop, int64_t end, int64_t size, Value carried);
  Value emitBody(Value carried);
  Value emitOp(LinalgOp op, IRMapping &parts, Value carried);
  Value emitView(Operation *op, IRMapping &parts);
  Value getStart(LinalgOp op, OpOperand &init, Value carried);
  Value slice(Value tensor, ArrayRef<RowDims> dims);
  Part getPart(ArrayRef<int64_t> shape, ArrayRef<RowDims> dims);
  OpFoldResult getOffset(const RowDims &dims);
  SmallVector<RowDims> getDims(LinalgOp op, OpOperand &operand);

  const RowTiles &tiles;
  int64_t rows;
  const ResultStart &result;
  Location location;
  OpBuilder builder;
  SmallVector<Step> steps;
};

} // namespace

/// The number of the first position along a dimension.
OpFoldResult RowTiler::getOffset(const RowDims &dims) {
  if (dims.empty())
    return builder.getIndexAttr(0);
  AffineExpr sum = builder.getAffineConstantExpr(0);
  SmallVector<OpFoldResult> operands;
  for (unsigned loop : dims) {
    sum = sum * tiles.sizes[loop] + builder.getAffineDimExpr(operands.size());
    operands.push_back(steps[loop].first);
  }
  AffineMap map = AffineMap::get(operands.size(), 0, sum);
  return affine::makeComposedFoldedAffineApply(builder, location, map,
                                               operands);
}

RowTiler::Part RowTiler::getPart(ArrayRef<int64_t> shape,
                                 ArrayRef<RowDims> dims) {
  Part part;
  for (auto [size, loops] : llvm::zip_equal(shape, dims)) {
    int64_t own = loops.empty() ? size : 1;
    for (unsigned loop : loops)
      own *= steps[loop].rows;
    part.offsets.push_back(getOffset(loops));
    part.sizes.push_back(builder.getIndexAttr(own));
    part.strides.push_back(builder.getIndexAttr(1));
    part.shape.push_back(own);
  }
  return part;
}

Value RowTiler::slice(Value tensor, ArrayRef<RowDims> dims) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  if (!type ||
      llvm::all_of(dims, [](const RowDims &loops) { return loops.empty(); }))
    return tensor;
  Part part = getPart(type.getShape(), dims);
  return tensor::ExtractSliceOp::create(builder, location, tensor, part.offsets,
                                        part.sizes, part.strides);
}

SmallVector<RowDims> RowTiler::getDims(LinalgOp op, OpOperand &operand) {
  const SmallVector<RowDims> &loops = tiles.loops.find(op)->second;
  SmallVector<RowDims> dims;
  for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults()) {
    auto loop = dyn_cast<AffineDimExpr>(expr);
    dims.push_back(loop ? loops[loop.getPosition()] : RowDims());
  }
  return dims;
}

/// The tensor that the rows of a result begin as, if that is not a result of
/// another op of the chain.
Value RowTiler::getStart(LinalgOp op, OpOperand &init, Value carried) {
  SmallVector<RowDims> dims = getDims(op, init);
  if (init.get() == result.tensor && result.ops.contains(op))
    return slice(carried, dims);
  if (op.payloadUsesValueFromOperand(&init))
    return slice(init.get(), dims);
  auto type = cast<RankedTensorType>(init.get().getType());
  // An empty tensor would be hoisted out of the loops, whose iterations threads
  // share.
  return bufferization::AllocTensorOp::create(
      builder, location, type.clone(getPart(type.getShape(), dims).shape),
      ValueRange());
}

Value RowTiler::emitOp(LinalgOp op, IRMapping &parts, Value carried) {
  SmallVector<Value> operands;
  for (OpOperand &operand : op->getOpOperands()) {
    Value part = parts.lookupOrNull(operand.get());
    if (!part)
      part = op.isDpsInit(&operand)
                 ? getStart(op, operand, carried)
                 : slice(operand.get(), getDims(op, operand));
    operands.push_back(part);
  }
  Value start = operands[op.getDpsInitOperand(0)->getOperandNumber()];
  auto tiled = cast<LinalgOp>(clone(builder, op, start.getType(), operands));
  if (tiled.hasIndexSemantics()) {
    SmallVector<OpFoldResult> offsets;
    for (const RowDims &dims : tiles.loops.find(op)->second)
      offsets.push_back(getOffset(dims));
    linalg::offsetIndices(builder, tiled, offsets);
  }
  return tiled->getResult(0);
}

Value RowTiler::emitView(Operation *op, IRMapping &parts) {
  Value source = parts.lookup(op->getOperand(0));
  const SmallVector<RowDims> &dims =
      tiles.values.find(op->getResult(0))->second;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  RankedTensorType own = type.clone(getPart(type.getShape(), dims).shape);
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return tensor::ExpandShapeOp::create(builder, op->getLoc(), own, source,
                                         expand.getReassociationIndices());
  return tensor::CollapseShapeOp::create(
      builder, op->getLoc(), own, source,
      cast<tensor::CollapseShapeOp>(op).getReassociationIndices());
}

/// Computes all ops for the rows of `steps`, and returns `carried` with them.
Value RowTiler::emitBody(Value carried) {
  IRMapping parts;
  for (Operation *op : tiles.ops) {
    auto structured = dyn_cast<LinalgOp>(op);
    parts.map(op->getResult(0), structured ? emitOp(structured, parts, carried)
                                           : emitView(op, parts));
  }
  Value last = tiles.ops.back()->getResult(0);
  Part part = getPart(cast<RankedTensorType>(last.getType()).getShape(),
                      tiles.values.find(last)->second);
  return tensor::InsertSliceOp::create(builder, location, parts.lookup(last),
                                       carried, part.offsets, part.sizes,
                                       part.strides);
}

/// The iterations of `loop` up to `end`, each of `size` rows.
Value RowTiler::emitLoop(unsigned loop, int64_t end, int64_t size,
                         Value carried) {
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, location, value);
  };
  auto made = scf::ForOp::create(builder, location, number(0), number(end),
                                 number(size), carried);
  // Each iteration makes other rows of the result, and what it passes from op
  // to op itself.
  made->setAttr(kParallelLoop, builder.getUnitAttr());
  made->setAttr(transforms::kBlockLoop, builder.getUnitAttr());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(made.getBody());
  steps[loop] = {OpFoldResult(made.getInductionVar()), size};
  Value next = emitLoops(loop + 1, made.getRegionIterArg(0));
  scf::YieldOp::create(builder, location, next);
  return made.getResult(0);
}

Value RowTiler::emitLoops(unsigned loop, Value carried) {
  if (loop == steps.size())
    return emitBody(carried);
  int64_t all = tiles.sizes[loop];
  int64_t size = loop + 1 == steps.size() ? rows : 1;
  if (all == size) {
    steps[loop] = {builder.getIndexAttr(0), size};
    return emitLoops(loop + 1, carried);
  }
  int64_t rest = all % size;
  carried = emitLoop(loop, all - rest, size, carried);
  if (rest == 0)
    return carried;
  steps[loop] = {builder.getIndexAttr(all - rest), rest};
  return emitLoops(loop + 1, carried);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// The structured ops of `kernel` and the reshapes of their results. Empty if
/// there are others that compute something.
static SmallVector<Operation *> getChain(func::FuncOp kernel) {
  SmallVector<Operation *> chain;
  DenseSet<Operation *> inside;
  for (Operation &op : kernel.getBody().front().without_terminator()) {
    bool isView = isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op) &&
                  inside.contains(op.getOperand(0).getDefiningOp());
    if (isView || isa<LinalgOp>(op)) {
      chain.push_back(&op);
      inside.insert(&op);
    } else if (!isa<tensor::EmptyOp, tensor::ExtractSliceOp,
                    tensor::ExpandShapeOp, tensor::CollapseShapeOp,
                    bufferization::ToTensorOp,
                    bufferization::MaterializeInDestinationOp>(op) &&
               !op.hasTrait<OpTrait::ConstantLike>()) {
      return {};
    }
    // A part of a result is not a row.
    if (isa<tensor::ExtractSliceOp>(op) &&
        inside.contains(op.getOperand(0).getDefiningOp()))
      return {};
  }
  return chain;
}

/// The use of the only result of `kernel`: that of its return or, if it takes
/// buffers already, that of the op that stores the result. Null if it is not a
/// kernel or has several.
static OpOperand *getResultUse(func::FuncOp kernel) {
  Operation *end = kernel.getBody().front().getTerminator();
  if (dispatch::isKernel(kernel) && end->getNumOperands() == 1)
    return &end->getOpOperand(0);
  auto stores = kernel.getOps<bufferization::MaterializeInDestinationOp>();
  if (end->getNumOperands() != 0 || !llvm::hasSingleElement(stores))
    return nullptr;
  return &(*stores.begin()).getSourceMutable();
}

/// Whether `start` is the argument of a kernel with which `use` stores a
/// result.
static bool isResult(Value start, OpOperand &use) {
  if (isa<BlockArgument>(start))
    return true;
  auto tensor = start.getDefiningOp<bufferization::ToTensorOp>();
  auto store =
      dyn_cast<bufferization::MaterializeInDestinationOp>(use.getOwner());
  return tensor && store && isa<BlockArgument>(tensor.getBuffer()) &&
         tensor.getBuffer() == store.getDest();
}

/// As what the result of `last` begins, if `use` stores it there and nothing
/// else reads that.
static std::optional<ResultStart> getResultStart(OpOperand &use,
                                                 Operation *last) {
  ResultStart start{use.get(), {}};
  if (start.tensor.getDefiningOp() != last)
    return std::nullopt;
  while (auto op = start.tensor.getDefiningOp<LinalgOp>()) {
    start.ops.insert(op);
    start.tensor = op.getDpsInits().front();
  }
  if (!isResult(start.tensor, use))
    return std::nullopt;
  for (OpOperand &read : start.tensor.getUses()) {
    auto op = dyn_cast<LinalgOp>(read.getOwner());
    if (!op || !op.isDpsInit(&read) ||
        (op.payloadUsesValueFromOperand(&read) && !start.ops.contains(op)))
      return std::nullopt;
  }
  return start;
}

void codegen::tileRows(func::FuncOp kernel, const TargetModel &target) {
  OpOperand *use =
      kernel.getBody().hasOneBlock() ? getResultUse(kernel) : nullptr;
  if (!use)
    return;
  SmallVector<Operation *> chain = getChain(kernel);
  // An op alone is one loop already.
  if (chain.size() < 3)
    return;
  std::optional<ResultStart> result = getResultStart(*use, chain.back());
  if (!result)
    return;
  std::optional<RowTiles> tiles = findRowTiles(chain);
  if (!tiles)
    return;
  int64_t rows = chooseRows(*tiles, target);
  if (rows == 0)
    return;
  use->set(RowTiler(*tiles, rows, *result).emit());
  for (Operation *op : llvm::reverse(chain))
    op->erase();
}
