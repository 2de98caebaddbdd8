//===- Body.cpp - The body of a structured op on vectors ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Body.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlirprof;

Value mlirprof::toVector(OpBuilder &builder, Location location, Value value,
                         int64_t lanes) {
  if (isa<VectorType>(value.getType()))
    return value;
  auto type = VectorType::get({lanes}, value.getType());
  return vector::BroadcastOp::create(builder, location, type, value);
}

/// Lets sums of products become fused multiply-adds.
static void allowContraction(Operation *op) {
  auto fast = dyn_cast<arith::ArithFastMathInterface>(op);
  if (!fast || !isa<arith::AddFOp, arith::SubFOp, arith::MulFOp>(op))
    return;
  arith::FastMathFlagsAttr flags = fast.getFastMathFlagsAttr();
  arith::FastMathFlags value =
      flags ? flags.getValue() : arith::FastMathFlags::none;
  op->setAttr(fast.getFastMathAttrName(),
              arith::FastMathFlagsAttr::get(
                  op->getContext(), value | arith::FastMathFlags::contract));
}

Value mlirprof::cloneElementwise(OpBuilder &builder, Operation *op,
                                 ValueRange operands, int64_t lanes) {
  bool isVector = llvm::any_of(
      operands, [](Value v) { return isa<VectorType>(v.getType()); });
  OperationState state(op->getLoc(), op->getName());
  for (Value operand : operands)
    state.operands.push_back(
        isVector ? toVector(builder, op->getLoc(), operand, lanes) : operand);
  Type type = op->getResult(0).getType();
  state.types.push_back(isVector ? Type(VectorType::get({lanes}, type)) : type);
  state.attributes = op->getAttrs();
  Operation *clone = builder.create(state);
  allowContraction(clone);
  return clone->getResult(0);
}

SmallVector<Value>
mlirprof::cloneBody(OpBuilder &builder, Block &block, ArrayRef<Value> arguments,
                    int64_t lanes,
                    llvm::function_ref<Value(unsigned)> getIndex) {
  IRMapping mapping;
  for (auto [argument, value] : llvm::zip(block.getArguments(), arguments))
    if (value)
      mapping.map(argument, value);
  for (Operation &op : block.without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(op)) {
      mapping.map(index.getResult(), getIndex(index.getDim()));
      continue;
    }
    if (op.getNumOperands() == 0) {
      builder.clone(op, mapping);
      continue;
    }
    SmallVector<Value> operands;
    for (Value operand : op.getOperands())
      operands.push_back(mapping.lookupOrDefault(operand));
    mapping.map(op.getResult(0),
                cloneElementwise(builder, &op, operands, lanes));
  }
  SmallVector<Value> results;
  for (Value value : block.getTerminator()->getOperands())
    results.push_back(mapping.lookupOrDefault(value));
  return results;
}
