//===- HloProducts.cpp - Products of a program and of a module ------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HloProducts.h"
#include "mlir-prof/Cost/OpKinds.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::cost;
using namespace mlirprof::match;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

static uint64_t countElements(llvm::ArrayRef<int64_t> shape) {
  uint64_t count = 1;
  for (int64_t size : shape)
    if (size <= 0 || __builtin_mul_overflow(count, uint64_t(size), &count))
      return 0;
  return count;
}

static uint64_t countElements(const HloShape &shape) {
  if (shape.tuple.empty())
    return countElements(shape.dimensions);
  return countElements(shape.tuple.front().dimensions);
}

static uint64_t countElements(Value value) {
  auto type = dyn_cast<ShapedType>(value.getType());
  return type && type.hasRank() ? countElements(type.getShape()) : 0;
}

static ProductSizes makeSizes(uint64_t result, uint64_t left, uint64_t right,
                              bool isConvolution) {
  if (isConvolution)
    left = right;
  if (!left || !right)
    left = right = 0;
  return {result, std::min(left, right), std::max(left, right)};
}

bool match::isProduct(const HloInstruction &instruction) {
  llvm::StringRef target = instruction.customCallTarget;
  return instruction.opcode == "dot" || instruction.opcode == "convolution" ||
         (instruction.opcode == "custom-call" &&
          (target.contains("matmul") || target.contains("gemm") ||
           target.contains("conv")));
}

ProductSizes match::getProductSizes(const HloProgram &program,
                                    const HloInstruction &instruction) {
  uint64_t factors[2] = {0, 0};
  for (size_t i = 0; i < 2 && i < instruction.operandIds.size(); ++i) {
    uint32_t at = program.index.findId(instruction.operandIds[i]);
    if (at != kNone)
      factors[i] = countElements(program.module.instructions[at].shape);
  }
  bool isConvolution =
      instruction.opcode == "convolution" ||
      llvm::StringRef(instruction.customCallTarget).contains("conv");
  return makeSizes(countElements(instruction.shape), factors[0], factors[1],
                   isConvolution);
}

ProductSizes match::getProductSizes(Operation *op) {
  uint64_t factors[2] = {0, 0};
  // TensorFlow's gradients of convolutions have different operands.
  llvm::StringRef dialect = op->getName().getDialectNamespace();
  if (dialect != "tf" && op->getNumOperands() >= 2)
    for (unsigned i = 0; i < 2; ++i)
      factors[i] = countElements(op->getOperand(i));
  return makeSizes(op->getNumResults() == 1 ? countElements(op->getResult(0))
                                            : 0,
                   factors[0], factors[1], getKind(op) == OpKind::Convolution);
}

bool match::areProductsOneToOne(const module::ModuleIndex &index,
                                uint32_t products, const HloProgram &program) {
  llvm::BitVector claimed(index.size());
  for (auto [instruction, match] :
       llvm::zip_equal(program.module.instructions, program.matches)) {
    if (!isProduct(instruction))
      continue;
    uint32_t op = match.getOnlyOp();
    if (op == kNone || claimed.test(op) || !cost::isProduct(index[op].op) ||
        !getProductSizes(program, instruction)
             .agrees(getProductSizes(index[op].op)))
      return false;
    claimed.set(op);
  }
  return claimed.count() == products;
}

uint32_t match::countProducts(const module::ModuleIndex &index) {
  uint32_t count = 0;
  for (uint32_t op = 0; op < index.size(); ++op)
    count += cost::isProduct(index[op].op);
  return count;
}
