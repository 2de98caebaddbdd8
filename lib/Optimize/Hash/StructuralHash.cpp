//===- StructuralHash.cpp - Knowing an op again ---------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Optimize/StructuralHash.h"
#include "CanonicalForm.h"
#include "mlir-prof/Compile/Compiler.h"
#include "mlir-prof/Support/File.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/TargetParser/Host.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::optimize;
using namespace mlirprof::tuning;

/// How deep an op may stand in the module to be signed: with the depth of forms
/// this bounds how often one op is written.
static constexpr unsigned kMaxModuleDepth = 256;
/// A part of the text that is hashed: another spelling would change all hashes.
static constexpr llvm::StringLiteral kNeighborhoodForm = "neighbourhood";

static bool isConstant(Operation *op) {
  return op->hasTrait<OpTrait::ConstantLike>();
}

static bool isTerminator(Operation *op) {
  return op->hasTrait<OpTrait::IsTerminator>();
}

bool optimize::isDecidable(Operation *op) {
  if (isConstant(op) || isTerminator(op) ||
      (op->getParentOp() && isa<linalg::LinalgOp>(op->getParentOp())))
    return false;
  if (auto function = dyn_cast<FunctionOpInterface>(op))
    return !function.isExternal();
  return op->getNumResults() ||
         isa<linalg::LinalgOp, RegionBranchOpInterface>(op);
}

SignatureBuilder::Own SignatureBuilder::getOwn(Operation *op) {
  auto [place, isNew] = known.try_emplace(op);
  if (isNew)
    place->second = {contentHash(getCanonicalForm(op, ShapeForm::Exact)),
                     contentHash(getCanonicalForm(op, ShapeForm::Erased))};
  return place->second;
}

/// The op of `block` that `op` is or stands in, or null.
static Operation *findInBlock(Operation *op, Block *block) {
  for (unsigned i = 0; op && i != kMaxModuleDepth; ++i) {
    if (op->getBlock() == block)
      return op;
    op = op->getParentOp();
  }
  return nullptr;
}

std::string SignatureBuilder::getNeighborhood(Operation *op) {
  std::string text = (kCanonicalFormat + " " + kNeighborhoodForm + "\nop " +
                      op->getName().getStringRef() + "\n")
                         .str();
  llvm::raw_string_ostream os(text);
  bool hasNeighbor = false;
  // Step 1: the producers of operands and of values from outside.
  auto addProducer = [&](Value value) {
    auto result = dyn_cast<OpResult>(value);
    if (!result) {
      os << "producer argument\n";
      return;
    }
    hasNeighbor |= !isConstant(result.getOwner());
    os << "producer " << getOwn(result.getOwner()).exact << " #"
       << result.getResultNumber() << '\n';
  };
  llvm::for_each(op->getOperands(), addProducer);
  llvm::for_each(makeCanonicalForm(op, ShapeForm::Exact).captures, addProducer);
  // Step 2: the consumers, sorted, as the order of uses is not that of the
  // text.
  std::vector<std::string> consumers;
  for (OpResult result : op->getResults())
    for (OpOperand &use : result.getUses()) {
      Operation *user = findInBlock(use.getOwner(), op->getBlock());
      if (!user)
        continue;
      hasNeighbor |= !isTerminator(user);
      std::string place = user == use.getOwner()
                              ? std::to_string(use.getOperandNumber())
                              : "inside";
      consumers.push_back(llvm::formatv("consumer #{0} {1} {2}\n",
                                        result.getResultNumber(),
                                        getOwn(user).exact, place));
    }
  llvm::sort(consumers);
  for (const std::string &consumer : consumers)
    os << consumer;
  return hasNeighbor ? contentHash(text) : "";
}

OpSignature SignatureBuilder::get(Operation *op) {
  Own own = getOwn(op);
  return {own.exact, own.shapeErased, getNeighborhood(op)};
}

std::vector<SignedOp> optimize::getSignatures(Operation *root) {
  SignatureBuilder builder;
  std::vector<SignedOp> result;
  SmallVector<std::pair<Operation *, unsigned>> stack = {{root, 0}};
  while (!stack.empty()) {
    auto [op, depth] = stack.pop_back_val();
    if (isDecidable(op))
      result.push_back({op, builder.get(op)});
    if (depth == kMaxModuleDepth || isa<linalg::LinalgOp>(op))
      continue;
    for (Region &region : llvm::reverse(op->getRegions()))
      for (Block &block : llvm::reverse(region))
        for (Operation &inner : llvm::reverse(block))
          stack.push_back({&inner, depth + 1});
  }
  return result;
}

std::string optimize::getMachineKey(const codegen::TargetModel &target) {
  std::string cpu =
      target.cpu.empty() ? llvm::sys::getHostCPUName().str() : target.cpu;
  return llvm::formatv("{0} v{1} r{2} l1:{3} l2:{4} threads:{5}", cpu,
                       target.vectorBits, target.vectorRegisters,
                       target.l1Bytes, target.l2Bytes, target.threads);
}
