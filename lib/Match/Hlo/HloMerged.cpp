//===- HloMerged.cpp - Products that were merged into one -----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// XLA merges products with a common factor: the other factors are concatenated,
// and the product gets the name of the first one. The ops of the others are
// those that multiply the same value and have the sizes of the parts.
//
//===----------------------------------------------------------------------===//

#include "HloProducts.h"
#include "mlir-prof/Cost/OpKinds.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

#include <set>

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::match;
using namespace mlirprof::module;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

/// The concatenation that reaches operand `id` of a product, or kNone.
static uint32_t findConcatenation(const HloProgram &program, int64_t id) {
  auto isConcatenation = [&](uint32_t at) {
    return program.module.instructions[at].opcode == "concatenate";
  };
  auto isPassed = [&](uint32_t at) {
    return passesParts(program.module.instructions[at]);
  };
  uint32_t at = program.index.findId(id);
  if (at == kNone || isConcatenation(at))
    return at;
  if (!isPassed(at))
    return kNone;
  auto found =
      program.walk.find(at, Direction::Operands, isConcatenation, isPassed);
  return found.size() == 1 ? found.front() : kNone;
}

std::vector<ProductSizes> match::getMergedSizes(const HloProgram &program,
                                                const HloInstruction &product) {
  if (product.opcode != "dot" || product.operandIds.size() != 2)
    return {};
  ProductSizes all = getProductSizes(program, product);
  for (int64_t id : product.operandIds) {
    uint32_t at = findConcatenation(program, id);
    if (at == kNone)
      continue;
    const HloInstruction &factor = program.module.instructions[at];
    uint64_t whole = countElementsOf(factor.shape);
    uint64_t other = whole == all.first ? all.second : all.first;
    std::vector<ProductSizes> parts;
    for (int64_t part : factor.operandIds) {
      uint32_t operand = program.index.findId(part);
      uint64_t size =
          operand == kNone
              ? 0
              : countElementsOf(program.module.instructions[operand].shape);
      if (size == 0 || whole == 0)
        return {};
      auto scaled = (unsigned __int128)all.result * size;
      if (scaled % whole != 0)
        return {};
      uint64_t result = uint64_t(scaled / whole);
      parts.push_back({result, std::min(size, other), std::max(size, other)});
    }
    if (parts.size() > 1)
      return parts;
  }
  return {};
}

/// The products of the module that multiply a value that `op` does, and may be
/// parts of what was merged: each of `parts` is one of them.
static OwnerCandidates findParts(const ModuleIndex &index, uint32_t op,
                                 const llvm::BitVector &claimed,
                                 std::vector<ProductSizes> parts) {
  std::set<uint32_t> ops;
  for (Value factor : index[op].op->getOperands())
    for (Operation *user : factor.getUsers())
      if (uint32_t at = index.find(user); at != kNone &&
                                          cost::isProduct(user) &&
                                          (at == op || !claimed.test(at)))
        ops.insert(at);
  OwnerCandidates found;
  for (uint32_t at : ops) {
    auto part = llvm::find_if(parts, [&](const ProductSizes &sizes) {
      return sizes.agrees(getProductSizes(index[at].op));
    });
    // One more than were merged: not known which.
    if (part == parts.end())
      return {};
    parts.erase(part);
    found.push_back({at, index.getLocation(at).frame});
  }
  return parts.empty() ? found : OwnerCandidates();
}

void match::addMergedProducts(const ModuleIndex &index, HloProgram &program) {
  llvm::ArrayRef<HloInstruction> all = program.module.instructions;
  llvm::BitVector claimed(index.size());
  for (auto [instruction, match] : llvm::zip_equal(all, program.matches))
    if (uint32_t op = match.getOnlyOp(); isProduct(instruction) && op != kNone)
      claimed.set(op);
  for (auto [instruction, match] : llvm::zip_equal(all, program.matches)) {
    uint32_t op = match.getOnlyOp();
    if (op == kNone || match.names.size() != 1)
      continue;
    std::vector<ProductSizes> parts = getMergedSizes(program, instruction);
    if (parts.empty())
      continue;
    OwnerCandidates ops = findParts(index, op, claimed, std::move(parts));
    if (ops.empty())
      continue;
    match.isMerged = true;
    match.names.front().candidates = std::move(ops);
    match.names.front().tier = attribution::MatchTier::Neighborhood;
  }
}
