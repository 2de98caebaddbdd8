//===- ElementBodies.cpp - Elements of results of structured ops ---------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elements.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;
using linalg::LinalgOp;

/// Copies the ops of `body` and returns what it yields. `values` has its
/// arguments; `dims` are the values of linalg.index.
FailureOr<ElementValues>
ElementBuilder::copyBody(Block &body, ArrayRef<Value> dims, IRMapping &values) {
  for (Operation &op : body.without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(op)) {
      values.map(index.getResult(), dims[index.getDim()]);
      continue;
    }
    if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
      SmallVector<Value> indices;
      for (Value index : extract.getIndices())
        indices.push_back(values.lookupOrDefault(index));
      FailureOr<Value> element =
          get(values.lookupOrDefault(extract.getTensor()), indices);
      if (failed(element))
        return failure();
      values.map(extract.getResult(), *element);
      continue;
    }
    WalkResult inner = op.walk([](Operation *nested) {
      return isa<tensor::ExtractOp, linalg::IndexOp>(nested)
                 ? WalkResult::interrupt()
                 : WalkResult::advance();
    });
    if (inner.wasInterrupted())
      return refuseElements(&op, "a branch of a body reads a tensor");
    builder.clone(op, values);
  }
  return llvm::map_to_vector(
      body.getTerminator()->getOperands(),
      [&](Value yielded) { return values.lookupOrDefault(yielded); });
}

FailureOr<ElementValues> ElementBuilder::computeBody(LinalgOp op,
                                                     ArrayRef<Value> dims,
                                                     ArrayRef<Value> outputs) {
  Block &body = op->getRegion(0).front();
  IRMapping values;
  for (OpOperand *input : op.getDpsInputOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(input);
    if (argument.use_empty())
      continue;
    if (!isa<RankedTensorType>(input->get().getType())) {
      values.map(argument, input->get());
      continue;
    }
    IndexBuilder math(builder, op->getLoc());
    FailureOr<Value> element = get(
        input->get(), math.evaluate(op.getMatchingIndexingMap(input), dims));
    if (failed(element))
      return failure();
    values.map(argument, *element);
  }
  for (auto [argument, value] :
       llvm::zip_equal(op.getRegionOutputArgs(), outputs))
    values.map(argument, value);
  return copyBody(body, dims, values);
}

FailureOr<ElementValues> ElementBuilder::computeBody(LinalgOp op,
                                                     ArrayRef<Value> dims,
                                                     ArrayRef<Value> inputs,
                                                     ArrayRef<Value> outputs) {
  IRMapping values;
  for (auto [argument, value] :
       llvm::zip_equal(op.getRegionInputArgs(), inputs))
    values.map(argument, value);
  for (auto [argument, value] :
       llvm::zip_equal(op.getRegionOutputArgs(), outputs))
    values.map(argument, value);
  return copyBody(op->getRegion(0).front(), dims, values);
}

FailureOr<SmallVector<Value>>
codegen::getIteration(LinalgOp op, unsigned result, ArrayRef<Value> indices) {
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(result));
  SmallVector<Value> dims(op.getNumLoops());
  for (auto [expression, index] : llvm::zip_equal(map.getResults(), indices)) {
    auto dim = dyn_cast<AffineDimExpr>(expression);
    if (dim)
      dims[dim.getPosition()] = index;
    else if (!isa<AffineConstantExpr>(expression))
      return refuseElements(op, "it does not index its result by single loops");
  }
  for (auto [dim, kind] : llvm::enumerate(op.getIteratorTypesArray()))
    if ((kind == utils::IteratorType::parallel) != bool(dims[dim])) {
      if (kind == utils::IteratorType::parallel &&
          op.getStaticLoopRanges()[dim] == 1)
        continue;
      return refuseElements(op,
                            "it writes elements of its result several times");
    }
  return dims;
}

/// The element of result `number` of `op` at `indices`.
FailureOr<Value> ElementBuilder::getStructured(LinalgOp op, unsigned number,
                                               ArrayRef<Value> indices) {
  FailureOr<SmallVector<Value>> dims = getIteration(op, number, indices);
  if (failed(dims))
    return failure();
  Location location = op.getLoc();
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  for (auto [dim, value] : llvm::enumerate(*dims))
    if (!value &&
        op.getIteratorTypesArray()[dim] == utils::IteratorType::parallel)
      value = IndexBuilder(builder, location).constant(0);
  bool isReduction = op.getNumReductionLoops() != 0;
  ElementValues state;
  for (OpOperand &init : op.getDpsInitsMutable()) {
    if (!isReduction && op.getMatchingBlockArgument(&init).use_empty()) {
      state.push_back(Value());
      continue;
    }
    SmallVector<Value> place;
    AffineMap map = op.getMatchingIndexingMap(&init);
    for (AffineExpr expression : map.getResults())
      place.push_back(
          IndexBuilder(builder, location).evaluate(expression, *dims));
    FailureOr<Value> value = get(init.get(), place);
    if (failed(value))
      return failure();
    state.push_back(*value);
  }
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<scf::ForOp> loops;
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    if ((*dims)[dim])
      continue;
    IndexBuilder math(builder, location);
    auto loop =
        scf::ForOp::create(builder, location, math.constant(0),
                           math.constant(size), math.constant(1), state);
    loops.push_back(loop);
    (*dims)[dim] = loop.getInductionVar();
    state.assign(loop.getRegionIterArgs().begin(),
                 loop.getRegionIterArgs().end());
    builder.setInsertionPointToStart(loop.getBody());
  }
  FailureOr<ElementValues> results = computeBody(op, *dims, state);
  if (failed(results))
    return failure();
  for (scf::ForOp loop : llvm::reverse(loops)) {
    builder.setInsertionPointToEnd(loop.getBody());
    scf::YieldOp::create(builder, location, *results);
    results->assign(loop.getResults().begin(), loop.getResults().end());
  }
  // Other results at the same place.
  for (auto [index, value] : llvm::enumerate(*results))
    if (index != number &&
        op.getMatchingIndexingMap(op.getDpsInitOperand(index)) ==
            op.getMatchingIndexingMap(op.getDpsInitOperand(number)))
      known[op->getResult(index)].push_back(
          {SmallVector<Value>(indices), value});
  return (*results)[number];
}
