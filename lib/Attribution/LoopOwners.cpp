//===- LoopOwners.cpp - Ops in machine-code loops -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopOwners.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

/// Weight of an instruction, which its ops share in equal parts. Exact for up
/// to ten ops.
static constexpr uint64_t kUnit = 5040;

/// Limit on the ops distinguished in a loop. A loop with more ops is not a
/// vectorized body of some ops but code that was unrolled as a whole.
static constexpr size_t kMaxOps = 1024;

/// The number of additions for whose duration an instruction occupies the
/// divider, which works in parallel to the other units: typical of wide vectors
/// on processors of the last ten years.
static uint64_t getDividerWeight(llvm::StringRef text) {
  llvm::StringRef name = text.split(' ').first;
  name.consume_front("v");
  if (name.starts_with("sqrt") || name.starts_with("fsqrt"))
    return 12;
  if (name.starts_with("div") || name.starts_with("idiv") ||
      name.starts_with("fdiv") || name.starts_with("sdiv") ||
      name.starts_with("udiv"))
    return 8;
  return 0;
}

namespace {

/// The work of the instructions of an op, or of a loop, in kUnit.
struct LoopWork {
  uint64_t instructions = 0;
  uint64_t divider = 0;
};

} // namespace

/// The duration of the work: the two kinds run in parallel, and the smaller one
/// is partly hidden behind the other.
static double getLength(const LoopWork &work) {
  return std::sqrt(double(work.instructions) * double(work.instructions) +
                   double(work.divider) * double(work.divider));
}

/// The time that the loop would save without `part`. Without divisions, that is
/// the number of the part's instructions.
static uint64_t getWeight(const LoopWork &all, const LoopWork &part) {
  if (all.divider == 0)
    return part.instructions;
  LoopWork rest = {all.instructions - part.instructions,
                   all.divider - part.divider};
  double gain = getLength(all) - getLength(rest);
  return std::max<uint64_t>(uint64_t(std::llround(gain)), 1);
}

LoopOwnerTable::LoopOwnerTable(const Program &program, AncestorTable &ancestors)
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

const LoopOwners &LoopOwnerTable::get(uint32_t loop, uint32_t instance) {
  auto [entry, isNew] = known.try_emplace({loop, instance});
  if (isNew)
    entry->second = find(loop, instance);
  return entry->second;
}

LoopOwners LoopOwnerTable::find(uint32_t loop, uint32_t instance) const {
  llvm::DenseMap<uint32_t, LoopWork> works;
  LoopWork all;
  for (size_t i = begins[loop]; i != begins[loop + 1]; ++i) {
    const Instruction &instruction = program.instructions[instructions[i]];
    if (instruction.node == kNone)
      continue;
    uint64_t divider = 0;
    if (instruction.text < program.strings.size())
      divider = kUnit * getDividerWeight(program.strings[instruction.text]);
    llvm::ArrayRef<uint32_t> owners = ancestors.get(instruction.node, instance);
    for (uint32_t owner : owners) {
      LoopWork &work = works[owner];
      work.instructions += kUnit / owners.size();
      work.divider += divider / owners.size();
      all.instructions += kUnit / owners.size();
      all.divider += divider / owners.size();
    }
    if (works.size() > kMaxOps)
      return {};
  }
  std::vector<std::pair<uint32_t, uint64_t>> sorted;
  for (const auto &[node, work] : works)
    sorted.emplace_back(node, getWeight(all, work));
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
