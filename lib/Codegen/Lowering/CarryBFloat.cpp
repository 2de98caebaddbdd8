//===- CarryBFloat.cpp - Numbers of bf16 as integers ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops that only carry a number, and arguments of blocks, carry its bits. Where
// one of them meets an op that is not like that, a bitcast stands between.
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_CARRYBFLOATPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// The type of the bits of `type`, bf16 or a vector of it; null for other
/// types.
static Type getBitType(Type type) {
  auto bits = IntegerType::get(type.getContext(), 16);
  if (type.isBF16())
    return bits;
  auto vector = dyn_cast<VectorType>(type);
  return vector && vector.getElementType().isBF16() ? vector.clone(bits)
                                                    : Type();
}

/// The bits of a constant; null if they are not known.
static TypedAttr getBits(LLVM::ConstantOp op) {
  Type type = getBitType(op.getType());
  if (auto number = dyn_cast<FloatAttr>(op.getValue()))
    return IntegerAttr::get(type, number.getValue().bitcastToAPInt());
  if (auto numbers = dyn_cast<DenseElementsAttr>(op.getValue()))
    return numbers.bitcast(getElementTypeOrSelf(type));
  return {};
}

static bool isBranch(Operation *op) {
  return isa<LLVM::BrOp, LLVM::CondBrOp, LLVM::SwitchOp>(op);
}

/// Whether `op` neither computes with the numbers of bf16 among its operands
/// and results nor passes them to another function.
static bool isCarrier(Operation *op) {
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return load.getOrdering() == LLVM::AtomicOrdering::not_atomic;
  if (auto store = dyn_cast<LLVM::StoreOp>(op))
    return store.getOrdering() == LLVM::AtomicOrdering::not_atomic;
  if (auto constant = dyn_cast<LLVM::ConstantOp>(op))
    return getBitType(constant.getType()) && getBits(constant);
  return isa<LLVM::BitcastOp, LLVM::ExtractElementOp, LLVM::InsertElementOp,
             LLVM::MaskedLoadOp, LLVM::MaskedStoreOp, LLVM::PoisonOp,
             LLVM::SelectOp, LLVM::ShuffleVectorOp, LLVM::UndefOp,
             LLVM::ZeroOp>(op);
}

/// Whether branches alone give `block` its arguments.
static bool isCarrier(Block *block) {
  return !block->isEntryBlock() &&
         llvm::all_of(block->getPredecessors(), [](Block *other) {
           return isBranch(other->getTerminator());
         });
}

static bool isCarried(Value value) {
  Operation *op = value.getDefiningOp();
  return op ? isCarrier(op) : isCarrier(cast<BlockArgument>(value).getOwner());
}

static bool takesBits(OpOperand &use) {
  Operation *op = use.getOwner();
  if (!isBranch(op))
    return isCarrier(op);
  std::optional<BlockArgument> argument =
      cast<BranchOpInterface>(op).getSuccessorBlockArgument(
          use.getOperandNumber());
  return argument && isCarrier(argument->getOwner());
}

namespace {

struct CarryBFloatPass
    : mlirprof::codegen::impl::CarryBFloatPassBase<CarryBFloatPass> {
  using CarryBFloatPassBase::CarryBFloatPassBase;

  void runOnOperation() override;

private:
  void collect(Operation *op);

  /// Values that become their bits.
  SmallVector<Value> values;
  /// Operands that need a type which their values will not have.
  SmallVector<std::pair<OpOperand *, Type>> borders;
};

} // namespace

void CarryBFloatPass::collect(Operation *op) {
  for (OpOperand &operand : op->getOpOperands()) {
    Type type = operand.get().getType(), bits = getBitType(type);
    bool needsBits = takesBits(operand);
    if (bits && isCarried(operand.get()) != needsBits)
      borders.emplace_back(&operand, needsBits ? bits : type);
  }
  auto add = [&](ValueRange all) {
    for (Value value : all)
      if (getBitType(value.getType()) && isCarried(value))
        values.push_back(value);
  };
  add(op->getResults());
  for (Region &region : op->getRegions())
    for (Block &block : region)
      add(block.getArguments());
}

void CarryBFloatPass::runOnOperation() {
  getOperation()->walk([&](Operation *op) { collect(op); });
  for (Value value : values) {
    if (auto constant = value.getDefiningOp<LLVM::ConstantOp>())
      constant.setValueAttr(getBits(constant));
    value.setType(getBitType(value.getType()));
  }
  for (auto [operand, type] : borders) {
    OpBuilder builder(operand->getOwner());
    operand->set(LLVM::BitcastOp::create(builder, operand->getOwner()->getLoc(),
                                         type, operand->get()));
  }
  values.clear();
  borders.clear();
}
