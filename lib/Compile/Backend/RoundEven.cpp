//===- RoundEven.cpp - Rounding without an instruction --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a processor does not round to the nearest even number, LLVM calls
// roundevenf, which many C libraries do not have yet. A sum with 2^p, where the
// significand of a number has p + 1 bits, does not have a fraction, and is
// rounded that way:
//
//   copysign((|x| + 2^p) - 2^p, x)   if |x| < 2^p; others are whole
//
//===----------------------------------------------------------------------===//

#include "Optimize.h"
#include "llvm/CodeGen/TargetLowering.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/CodeGen/ValueTypes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;
using namespace mlirprof;
using namespace mlirprof::compile;

static Value *roundEven(IRBuilder<> &builder, Value *number) {
  Type *type = number->getType();
  const fltSemantics &semantics = type->getScalarType()->getFltSemantics();
  APFloat power(semantics, 1);
  power = scalbn(power, APFloat::semanticsPrecision(semantics) - 1,
                 APFloat::rmNearestTiesToEven);
  Value *limit = ConstantFP::get(type, power);
  Value *size = builder.CreateUnaryIntrinsic(Intrinsic::fabs, number);
  Value *sum = builder.CreateFAdd(size, limit);
  Value *rounded =
      builder.CreateCopySign(builder.CreateFSub(sum, limit), number);
  Value *hasFraction = builder.CreateFCmpOLT(size, limit);
  return builder.CreateSelect(hasFraction, rounded, number);
}

/// Whether LLVM would call a function for `call`.
static bool needsFunction(const IntrinsicInst &call,
                          const TargetLowering &lowering) {
  Type *type = call.getType()->getScalarType();
  return call.getIntrinsicID() == Intrinsic::roundeven &&
         (type->isFloatTy() || type->isDoubleTy()) &&
         !lowering.isOperationLegalOrCustom(ISD::FROUNDEVEN, EVT::getEVT(type));
}

void compile::expandRoundEven(Module &module, const TargetMachine &machine) {
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    const TargetLowering &lowering =
        *machine.getSubtargetImpl(function)->getTargetLowering();
    for (Instruction &instruction :
         make_early_inc_range(instructions(function))) {
      auto *call = dyn_cast<IntrinsicInst>(&instruction);
      if (!call || !needsFunction(*call, lowering))
        continue;
      IRBuilder<> builder(call);
      call->replaceAllUsesWith(roundEven(builder, call->getArgOperand(0)));
      call->eraseFromParent();
    }
  }
}
