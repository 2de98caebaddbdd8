//===- HloProducts.cpp - Products of a program and of a module ------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HloProducts.h"
#include "mlir-prof/Cost/OpKinds.h"
#include "mlir-prof/Cost/StaticCost.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

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

uint64_t match::countElementsOf(const HloShape &shape) {
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

bool match::passesParts(const HloInstruction &instruction) {
  return HloIndex::isFree(instruction.opcode) ||
         llvm::is_contained({"convert", "copy", "reshape", "transpose"},
                            instruction.opcode);
}

/// Whether `reduce` may add up parts of `product`: XLA gives it its name.
static bool isSumOf(const HloProgram &program, const HloInstruction &reduce,
                    const HloInstruction &product) {
  if (reduce.opcode != "reduce" || reduce.opName != product.opName ||
      reduce.operandIds.empty())
    return false;
  uint32_t parts = program.index.findId(reduce.operandIds.front());
  return parts != kNone &&
         countElementsOf(program.module.instructions[parts].shape) ==
             countElementsOf(product.shape);
}

/// The nearest instruction along the data from `instruction` for which
/// `isFound` holds, or kNone.
template <typename IsFound>
static uint32_t findAcrossParts(const HloProgram &program,
                                const HloInstruction &instruction,
                                Direction direction, IsFound isFound) {
  llvm::ArrayRef<HloInstruction> all = program.module.instructions;
  auto found = program.walk.find(
      uint32_t(&instruction - all.data()), direction,
      [&](uint32_t at) { return isFound(all[at]); },
      [&](uint32_t at) { return passesParts(all[at]); });
  return found.empty() ? kNone : found.front();
}

/// The product whose parts `instruction` adds up, or kNone.
static uint32_t findSummedProduct(const HloProgram &program,
                                  const HloInstruction &instruction) {
  if (instruction.opcode != "reduce" || instruction.opName.empty())
    return kNone;
  return findAcrossParts(program, instruction, Direction::Operands,
                         [&](const HloInstruction &from) {
                           return match::isProduct(from) &&
                                  isSumOf(program, instruction, from);
                         });
}

void match::narrowBySizes(const module::ModuleIndex &index,
                          HloProgram &program) {
  for (auto [instruction, match] :
       llvm::zip_equal(program.module.instructions, program.matches)) {
    if (!match::isProduct(instruction))
      continue;
    ProductSizes sizes = getProductSizes(program, instruction);
    for (InstructionMatch::Name &name : match.names) {
      size_t before = countOps(name.candidates);
      if (before < 2)
        continue;
      keepSome(name.candidates, [&](const OwnerCandidate &candidate) {
        Operation *op = index[candidate.op].op;
        return cost::isProduct(op) && sizes.agrees(getProductSizes(op));
      });
      if (countOps(name.candidates) < before)
        name.tier = std::max(name.tier, attribution::MatchTier::Shape);
    }
  }
}

void match::copyToSums(HloProgram &program) {
  llvm::ArrayRef<HloInstruction> all = program.module.instructions;
  for (size_t i = 0; i != all.size(); ++i)
    if (uint32_t product = findSummedProduct(program, all[i]); product != kNone)
      program.matches[i] = program.matches[product];
}

uint64_t match::getSumCost(const HloProgram &program,
                           const HloInstruction &instruction) {
  uint32_t product = findSummedProduct(program, instruction);
  if (product == kNone)
    return 0;
  uint64_t parts = countElementsOf(program.module.instructions[product].shape);
  return std::min(llvm::SaturatingMultiply(parts, kReduced), kMax);
}

/// Elements of a product's result, also if it is computed in parts.
static uint64_t countResult(const HloProgram &program,
                            const HloInstruction &product) {
  uint32_t sum = product.opName.empty()
                     ? kNone
                     : findAcrossParts(program, product, Direction::Users,
                                       [&](const HloInstruction &to) {
                                         return isSumOf(program, to, product);
                                       });
  return countElementsOf(
      (sum == kNone ? product : program.module.instructions[sum]).shape);
}

ProductSizes match::getProductSizes(const HloProgram &program,
                                    const HloInstruction &instruction) {
  uint64_t factors[2] = {0, 0};
  for (size_t i = 0; i < 2 && i < instruction.operandIds.size(); ++i) {
    uint32_t at = program.index.findId(instruction.operandIds[i]);
    if (at != kNone)
      factors[i] = countElementsOf(program.module.instructions[at].shape);
  }
  bool isConvolution =
      instruction.opcode == "convolution" ||
      llvm::StringRef(instruction.customCallTarget).contains("conv");
  return makeSizes(countResult(program, instruction), factors[0], factors[1],
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
    if (match.isMerged) {
      // Their sizes were compared when they were found.
      for (const OwnerCandidate &part : match.names.front().candidates) {
        if (claimed.test(part.op))
          return false;
        claimed.set(part.op);
      }
      continue;
    }
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
