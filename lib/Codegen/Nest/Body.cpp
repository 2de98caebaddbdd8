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
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

Value codegen::toVector(OpBuilder &builder, Location location, Value value,
                        int64_t lanes) {
  if (isa<VectorType>(value.getType()))
    return value;
  auto type = VectorType::get({lanes}, value.getType());
  return vector::BroadcastOp::create(builder, location, type, value);
}

/// Allows sums of products to become fused multiply-adds.
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

static bool hasVector(ValueRange values) {
  return llvm::any_of(values.getTypes(), llvm::IsaPred<VectorType>);
}

Operation *codegen::cloneElementwise(OpBuilder &builder, Operation *op,
                                     ValueRange operands, int64_t lanes) {
  bool isVector = hasVector(operands);
  OperationState state(op->getLoc(), op->getName());
  for (Value operand : operands)
    state.operands.push_back(
        isVector ? toVector(builder, op->getLoc(), operand, lanes) : operand);
  for (Type type : op->getResultTypes())
    state.types.push_back(isVector ? Type(VectorType::get({lanes}, type))
                                   : type);
  state.attributes = op->getAttrs();
  Operation *clone = builder.create(state);
  allowContraction(clone);
  return clone;
}

/// Division by zero, and division of the least integer by -1, trap: invalid
/// lanes are divided by one.
static void guardDivision(OpBuilder &builder, Operation *op,
                          SmallVectorImpl<Value> &operands, int64_t lanes,
                          Value mask) {
  if (!mask || !hasVector(operands) ||
      !isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
           arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(op))
    return;
  Value divisor = operands[1];
  APInt constant;
  if (matchPattern(divisor, m_ConstantInt(&constant)) && !constant.isZero() &&
      !constant.isAllOnes())
    return;
  Type element = getElementTypeOrSelf(divisor.getType());
  Value one = arith::ConstantOp::create(builder, op->getLoc(),
                                        builder.getOneAttr(element));
  operands[1] =
      arith::SelectOp::create(builder, op->getLoc(), mask,
                              toVector(builder, op->getLoc(), divisor, lanes),
                              toVector(builder, op->getLoc(), one, lanes));
}

SmallVector<Value> codegen::cloneBody(
    OpBuilder &builder, Block &block, ArrayRef<Value> arguments, int64_t lanes,
    Value mask, llvm::function_ref<Value(unsigned)> getIndex,
    llvm::function_ref<Value(tensor::ExtractOp, ValueRange)> extract) {
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
    if (auto read = dyn_cast<tensor::ExtractOp>(op)) {
      mapping.map(read.getResult(),
                  extract(read, ArrayRef(operands).drop_front()));
      continue;
    }
    guardDivision(builder, &op, operands, lanes, mask);
    mapping.map(op.getResults(),
                cloneElementwise(builder, &op, operands, lanes)->getResults());
  }
  SmallVector<Value> results;
  for (Value value : block.getTerminator()->getOperands())
    results.push_back(mapping.lookupOrDefault(value));
  return results;
}
