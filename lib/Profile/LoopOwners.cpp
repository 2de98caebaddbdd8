//===- LoopOwners.cpp - The ops of loops of machine code ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopOwners.h"

#include <algorithm>
#include <numeric>

using namespace mlirprof;

/// Weight of an instruction; its ops share it in equal parts. Up to ten of them
/// exactly.
static constexpr uint64_t kUnit = 5040;

/// Ops of a loop that are told apart. More are no vectorised loop body of some
/// ops but code that was unrolled as a whole.
static constexpr size_t kMaxOps = 1024;

/// What an instruction counts for: about how many additions its unit is taken
/// up by. Divisions and square roots are the ones that are far from one; these
/// are typical of wide vectors on processors of the last ten years.
static uint64_t getWeight(llvm::StringRef text) {
  llvm::StringRef name = text.split(' ').first;
  name.consume_front("v");
  if (name.starts_with("sqrt") || name.starts_with("fsqrt"))
    return 12;
  if (name.starts_with("div") || name.starts_with("idiv") ||
      name.starts_with("fdiv") || name.starts_with("sdiv") ||
      name.starts_with("udiv"))
    return 8;
  return 1;
}

LoopOwnerTable::LoopOwnerTable(const Program &program,
                               const AncestorTable &ancestors)
    : program(program), ancestors(ancestors), begins(program.loops.size() + 1) {
  auto isCounted = [&](const Instruction &instruction) {
    return instruction.loop != kNone && !program.loops[instruction.loop].calls;
  };
  for (const Instruction &instruction : program.instructions)
    if (isCounted(instruction))
      ++begins[instruction.loop + 1];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  instructions.resize(begins.back());
  std::vector<size_t> next = begins;
  for (uint32_t i = 0; i != program.instructions.size(); ++i)
    if (isCounted(program.instructions[i]))
      instructions[next[program.instructions[i].loop]++] = i;
}

const LoopOwners &LoopOwnerTable::get(uint32_t loop) {
  auto [entry, isNew] = known.try_emplace(loop);
  if (isNew)
    entry->second = find(loop);
  return entry->second;
}

LoopOwners LoopOwnerTable::find(uint32_t loop) const {
  llvm::DenseMap<uint32_t, uint64_t> weights;
  for (size_t i = begins[loop]; i != begins[loop + 1]; ++i) {
    const Instruction &instruction = program.instructions[instructions[i]];
    if (instruction.node == kNone)
      continue;
    uint64_t unit = kUnit;
    if (instruction.text < program.strings.size())
      unit *= getWeight(program.strings[instruction.text]);
    llvm::ArrayRef<uint32_t> owners = ancestors.get(instruction.node);
    for (uint32_t owner : owners)
      weights[owner] += unit / owners.size();
    if (weights.size() > kMaxOps)
      return {};
  }
  std::vector<std::pair<uint32_t, uint64_t>> sorted(weights.begin(),
                                                    weights.end());
  std::sort(sorted.begin(), sorted.end());
  // Small numbers are easier to read.
  uint64_t divisor = kUnit;
  for (const auto &[node, weight] : sorted)
    divisor = std::gcd(divisor, weight);
  LoopOwners owners;
  owners.unit = kUnit / divisor;
  for (const auto &[node, weight] : sorted) {
    owners.nodes.push_back(node);
    owners.weights.push_back(weight / divisor);
  }
  return owners;
}
