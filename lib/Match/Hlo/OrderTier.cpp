//===- OrderTier.cpp - Narrowing by order of execution --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HloMatcher.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::match;
using namespace mlirprof::module;

namespace {

/// One name of an instruction with several remaining ops.
struct Open {
  uint32_t instruction;
  InstructionMatch::Name *name;
};

bool haveSameOps(const OwnerCandidates &a, const OwnerCandidates &b) {
  return a.size() == b.size() && llvm::all_of(llvm::zip(a, b), [](auto pair) {
           return std::get<0>(pair).op == std::get<1>(pair).op;
         });
}

/// Whether all candidates are in one block, whose order is meaningful.
bool areInOneBlock(const ModuleIndex &index,
                   const OwnerCandidates &candidates) {
  return llvm::all_of(candidates, [&](const OwnerCandidate &candidate) {
    return index[candidate.op].op->getBlock() ==
           index[candidates.front().op].op->getBlock();
  });
}

} // namespace

void match::narrowByOrder(const ModuleIndex &index, HloProgram &program) {
  // The order of instructions is meaningful only within their computation.
  std::map<std::tuple<uint32_t, std::string, std::string>, std::vector<Open>>
      groups;
  for (uint32_t i = 0; i < program.matches.size(); ++i)
    for (auto &name : program.matches[i].names)
      if (countOps(name.candidates) > 1)
        groups[{program.module.instructions[i].computation,
                program.module.instructions[i].opcode, name.name}]
            .push_back({i, &name});
  for (auto &[key, group] : groups) {
    const OwnerCandidates candidates = group.front().name->candidates;
    bool alike = llvm::all_of(group, [&](const Open &open) {
      return haveSameOps(open.name->candidates, candidates);
    });
    if (!alike || group.size() != candidates.size() ||
        countOps(candidates) != candidates.size() ||
        !areInOneBlock(index, candidates))
      continue;
    for (size_t n = 0; n < group.size(); ++n) {
      group[n].name->candidates = {candidates[n]};
      group[n].name->tier = MatchTier::ExecutionOrder;
    }
  }
}
