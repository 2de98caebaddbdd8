//===- WideProducts.cpp - Products of two registers -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A product that is as wide as two registers is one instruction (SMULL, SMMULR,
// MULH) if its factors are extended numbers. LLVM selects instructions block by
// block: for a factor that was extended before a loop, it multiplies all
// halves. So each product gets extensions of its own.
//
//===----------------------------------------------------------------------===//

#include "Optimize.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::compile;

/// Whether `operand` of a product is extended elsewhere, to more bits than a
/// register of integers has.
static bool isExtendedElsewhere(const Use &operand, const DataLayout &layout) {
  auto *extension = dyn_cast<CastInst>(operand.get());
  if (!extension || !isa<SExtInst, ZExtInst>(extension))
    return false;
  auto *product = cast<Instruction>(operand.getUser());
  unsigned from = extension->getSrcTy()->getScalarSizeInBits();
  unsigned to = extension->getDestTy()->getScalarSizeInBits();
  return extension->getParent() != product->getParent() &&
         layout.isLegalInteger(from) &&
         to > layout.getLargestLegalIntTypeSizeInBits();
}

void compile::extendNearProducts(Module &module) {
  const DataLayout &layout = module.getDataLayout();
  SmallVector<Use *> operands;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (instruction.getOpcode() == Instruction::Mul)
        for (Use &operand : instruction.operands())
          if (isExtendedElsewhere(operand, layout))
            operands.push_back(&operand);
  for (Use *operand : operands) {
    auto *extension = cast<Instruction>(operand->get());
    Instruction *copy = extension->clone();
    copy->insertBefore(cast<Instruction>(operand->getUser())->getIterator());
    operand->set(copy);
    if (extension->use_empty())
      extension->eraseFromParent();
  }
}
