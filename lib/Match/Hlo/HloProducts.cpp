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
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

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

bool match::isProduct(Operation *op) {
  OpKind kind = getKind(op);
  return kind == OpKind::Contraction || kind == OpKind::Convolution;
}

bool match::isProduct(const HloInstruction &instruction) {
  llvm::StringRef target = instruction.customCallTarget;
  return instruction.opcode == "dot" || instruction.opcode == "convolution" ||
         (instruction.opcode == "custom-call" &&
          (target.contains("matmul") || target.contains("gemm") ||
           target.contains("conv")));
}

static ProductSizes getSizes(const HloProgram &program,
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
    if (op == kNone || claimed.test(op) || !isProduct(index[op].op) ||
        !getSizes(program, instruction).agrees(getProductSizes(index[op].op)))
      return false;
    claimed.set(op);
  }
  return claimed.count() == products;
}

uint32_t match::countProducts(const module::ModuleIndex &index) {
  uint32_t count = 0;
  for (uint32_t op = 0; op < index.size(); ++op)
    count += isProduct(index[op].op);
  return count;
}

int64_t HloProducts::countNameless() const {
  return llvm::count_if(
      recorded, [](const HloProduct &product) { return product.isNameless; });
}

bool HloProducts::isForDevices() const {
  return llvm::any_of(program.module.instructions, [](const auto &at) {
    llvm::StringRef opcode = at.opcode;
    return opcode.starts_with("all-") || opcode.starts_with("reduce-scatter") ||
           opcode.starts_with("collective-") || opcode == "partition-id" ||
           opcode == "replica-id";
  });
}

bool HloProducts::collectRecorded() {
  const HloModule &module = program.module;
  llvm::SmallVector<uint32_t> roots;
  for (const HloComputation &computation : module.computations)
    if (computation.id == module.entryComputationId)
      roots.push_back(program.index.findId(computation.rootId));
  hlo =
      makeDataGraph(roots, module.instructions.size(),
                    [&](uint32_t at, llvm::SmallVectorImpl<uint32_t> &inputs) {
                      walk.addInputs(at, inputs);
                    });
  for (uint32_t place = 0; place < hlo.items.size(); ++place) {
    const HloInstruction &instruction = module.instructions[hlo.items[place]];
    if (isProduct(instruction))
      recorded.push_back({hlo.items[place],
                          place,
                          getSizes(program, instruction),
                          {},
                          program.matches[hlo.items[place]].names.empty(),
                          {}});
  }
  return !recorded.empty();
}

bool HloProducts::collectModule() {
  // Only ops with a name of this program can belong to it.
  llvm::StringMap<bool> known;
  for (const InstructionMatch &match : program.matches)
    for (const auto &name : match.names) {
      ScopeName scopes(name.name);
      if (size_t count = countKnownParts(scopes))
        known[scopes.getText(count)] = true;
    }
  collectFolded();
  for (unsigned work : folded.set_bits())
    for (uint32_t own : index.getLocation(work).names) {
      ScopeName scopes(index.getLocations().getName(own));
      known[scopes.getText(scopes.parts.size())] = true;
    }
  for (uint32_t place = 0; place < ops.items.size(); ++place) {
    uint32_t op = ops.items[place];
    if (!isProduct(index[op].op))
      continue;
    bool isNamed = llvm::any_of(index.getLocation(op).names, [&](uint32_t own) {
      ScopeName scopes(index.getLocations().getName(own));
      return known.contains(scopes.getText(scopes.parts.size()));
    });
    if (isNamed)
      products.push_back(
          {op, place, getProductSizes(index[op].op), {}, false, {}});
  }
  return !products.empty();
}

size_t HloProducts::countKnownParts(const ScopeName &name) const {
  for (size_t count = name.parts.size(); count > 0; --count)
    if (names.contains(name.getText(count)))
      return count;
  return 0;
}

/// Collects products that were recorded under the names of their transposes.
void HloProducts::collectFolded() {
  folded.resize(index.size());
  for (const HloProduct &product : recorded)
    for (const auto &name : program.matches[product.item].names)
      for (const OwnerCandidate &candidate : resolve(name.name)) {
        if (isProduct(index[candidate.op].op))
          continue;
        uint32_t work =
            findFoldedWork(index, candidate.op,
                           program.module.instructions[product.item].opcode);
        if (work != kNone)
          folded.set(work);
      }
}

/// The names of what only reshapes the result of an instruction.
std::vector<std::string> HloProducts::getNamesBehind(uint32_t item) {
  auto isMoved = [&](uint32_t at) {
    return isMovedFreely(program.module.instructions[at].opcode);
  };
  auto isNamed = [&](uint32_t at) {
    return !program.matches[at].names.empty() &&
           program.module.instructions[at].opcode != "parameter";
  };
  std::vector<std::string> names;
  for (uint32_t at : walk.find(item, Direction::Users, isNamed, isMoved))
    if (isMoved(at))
      for (const auto &name : program.matches[at].names)
        if (!llvm::is_contained(names, name.name))
          names.push_back(name.name);
  return names;
}

/// Names products that XLA rewrote and left without a name: the reshapes that
/// XLA put behind such a product have its name. Reshapes that prepare an
/// operand of a later product have the name of that later product, and do not
/// count.
void HloProducts::findNamesBehind() {
  llvm::DenseMap<uint32_t, HloProduct *> nameless;
  for (HloProduct &product : recorded)
    if (product.isNameless) {
      product.namesBehind = getNamesBehind(product.item);
      nameless[product.item] = &product;
    }
  auto isProductAt = [&](uint32_t at) {
    return isProduct(program.module.instructions[at]);
  };
  auto isMoved = [&](uint32_t at) {
    return isMovedFreely(program.module.instructions[at].opcode);
  };
  // `recorded` is ordered by use: the names of users are still complete.
  for (HloProduct &product : recorded) {
    if (product.namesBehind.empty())
      continue;
    for (uint32_t user :
         walk.find(product.item, Direction::Users, isProductAt, isMoved)) {
      HloProduct *other = nameless.lookup(user);
      llvm::erase_if(product.namesBehind, [&](const std::string &name) {
        return (other && llvm::is_contained(other->namesBehind, name)) ||
               llvm::any_of(program.matches[user].names,
                            [&](const auto &own) { return own.name == name; });
      });
    }
  }
}
