//===- HostNumbers.cpp - Numbers that a host side computes ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostNumbers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

unsigned HostNumbers::getBits(Type type) const {
  if (!type.isIntOrIndex())
    return 0;
  auto bits = unsigned(layout.getTypeSizeInBits(type));
  return bits == 1 || (bits >= 8 && bits <= 64 && llvm::isPowerOf2_32(bits))
             ? bits
             : 0;
}

uint32_t HostNumbers::add(Value value) {
  uint32_t number = graph.numberCount++;
  if (value)
    numbers[value] = number;
  return number;
}

FailureOr<HostNumber> HostNumbers::get(Operation *user, Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant))) {
    if (constant.getBitWidth() > 64)
      return user->emitOpError("has a number of more than 64 bits");
    return HostNumber{true, constant.getBitWidth() == 1
                                ? int64_t(constant.getZExtValue())
                                : constant.getSExtValue()};
  }
  auto found = numbers.find(value);
  if (found != numbers.end())
    return HostNumber{false, found->second};
  Operation *source = value.getDefiningOp();
  return (source ? source : user)
      ->emitOpError("computes a number, which the steps of a host side cannot");
}

HostStep codegen::makeComputation(HostOperation operation, unsigned bits,
                                  ArrayRef<HostNumber> operands,
                                  uint32_t result) {
  HostStep step;
  step.kind = HostStepKind::Compute;
  step.operation = operation;
  step.bits = bits;
  step.operands.assign(operands.begin(), operands.end());
  step.result = result;
  return step;
}

void HostNumbers::assign(ArrayRef<HostNumber> sources,
                         ArrayRef<uint32_t> targets,
                         std::vector<HostStep> &steps) {
  // One of several may be a source of another.
  SmallVector<HostNumber> saved(sources);
  if (targets.size() > 1)
    for (HostNumber &source : saved)
      if (!source.isKnown) {
        uint32_t copy = add();
        steps.push_back(
            makeComputation(HostOperation::Assign, 64, source, copy));
        source.value = copy;
      }
  for (auto [source, target] : llvm::zip_equal(saved, targets))
    steps.push_back(makeComputation(HostOperation::Assign, 64, source, target));
}

LogicalResult HostNumbers::addOperation(Operation *op, HostOperation operation,
                                        unsigned bits,
                                        std::vector<HostStep> &steps) {
  SmallVector<HostNumber> operands;
  for (Value operand : op->getOperands()) {
    FailureOr<HostNumber> number = get(op, operand);
    if (failed(number))
      return failure();
    operands.push_back(*number);
  }
  steps.push_back(
      makeComputation(operation, bits, operands, add(op->getResult(0))));
  return success();
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Greater is less with the operands exchanged.
LogicalResult HostNumbers::compare(Operation *op,
                                   std::vector<HostStep> &steps) {
  using arith::CmpIPredicate;
  auto comparison = cast<arith::CmpIOp>(op);
  auto [operation, isExchanged] = [&]() -> std::pair<HostOperation, bool> {
    switch (comparison.getPredicate()) {
    case CmpIPredicate::eq:
      return {HostOperation::Equal, false};
    case CmpIPredicate::ne:
      return {HostOperation::NotEqual, false};
    case CmpIPredicate::slt:
      return {HostOperation::LessSigned, false};
    case CmpIPredicate::sle:
      return {HostOperation::LessEqualSigned, false};
    case CmpIPredicate::sgt:
      return {HostOperation::LessSigned, true};
    case CmpIPredicate::sge:
      return {HostOperation::LessEqualSigned, true};
    case CmpIPredicate::ult:
      return {HostOperation::LessUnsigned, false};
    case CmpIPredicate::ule:
      return {HostOperation::LessEqualUnsigned, false};
    case CmpIPredicate::ugt:
      return {HostOperation::LessUnsigned, true};
    case CmpIPredicate::uge:
      return {HostOperation::LessEqualUnsigned, true};
    }
    llvm_unreachable("no such predicate");
  }();
  if (failed(addOperation(op, operation, 1, steps)))
    return failure();
  HostStep &step = steps.back();
  if (isExchanged)
    std::swap(step.operands[0], step.operands[1]);
  return success();
}

/// The operation of ops that are one; none of others.
static std::optional<HostOperation> getOperation(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<HostOperation>>(op)
      .Case([](arith::AddIOp) { return HostOperation::Add; })
      .Case([](arith::SubIOp) { return HostOperation::Subtract; })
      .Case([](arith::MulIOp) { return HostOperation::Multiply; })
      .Case([](arith::DivSIOp) { return HostOperation::DivideSigned; })
      .Case([](arith::DivUIOp) { return HostOperation::DivideUnsigned; })
      .Case([](arith::RemSIOp) { return HostOperation::RemainderSigned; })
      .Case([](arith::RemUIOp) { return HostOperation::RemainderUnsigned; })
      .Case([](arith::AndIOp) { return HostOperation::And; })
      .Case([](arith::OrIOp) { return HostOperation::Or; })
      .Case([](arith::XOrIOp) { return HostOperation::Xor; })
      .Case([](arith::ShLIOp) { return HostOperation::ShiftLeft; })
      .Case([](arith::ShRSIOp) { return HostOperation::ShiftRightSigned; })
      .Case([](arith::ShRUIOp) { return HostOperation::ShiftRightUnsigned; })
      .Case([](arith::SelectOp) { return HostOperation::Select; })
      .Case<arith::TruncIOp, arith::ExtSIOp, arith::IndexCastOp>(
          [](Operation *) { return HostOperation::Assign; })
      .Case<arith::ExtUIOp, arith::IndexCastUIOp>(
          [](Operation *) { return HostOperation::ExtendUnsigned; })
      .Default([](Operation *) { return std::nullopt; });
}

FailureOr<bool> HostNumbers::compute(Operation *op,
                                     std::vector<HostStep> &steps) {
  bool isInteger = op->getNumResults() == 1 &&
                   getBits(op->getResult(0).getType()) != 0 &&
                   llvm::all_of(op->getOperandTypes(),
                                [&](Type type) { return getBits(type) != 0; });
  if (!isInteger)
    return false;
  Type from = op->getNumOperands() ? op->getOperand(0).getType() : Type();
  unsigned bits = getBits(op->getResult(0).getType());
  if (isa<arith::CmpIOp>(op))
    return failed(compare(op, steps)) ? FailureOr<bool>() : true;
  if (isa<arith::ExtSIOp, arith::IndexCastOp>(op) && getBits(from) == 1) {
    // A bit with a sign is 0 or -1.
    FailureOr<HostNumber> number = get(op, op->getOperand(0));
    if (failed(number))
      return failure();
    steps.push_back(makeComputation(HostOperation::Subtract, bits,
                                    {HostNumber(), *number},
                                    add(op->getResult(0))));
    return true;
  }
  std::optional<HostOperation> operation = getOperation(op);
  if (!operation)
    return false;
  if (*operation == HostOperation::ExtendUnsigned)
    bits = getBits(from);
  return failed(addOperation(op, *operation, bits, steps)) ? FailureOr<bool>()
                                                           : true;
}
