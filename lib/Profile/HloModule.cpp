//===- HloModule.cpp - Look-ups in an XLA program -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Profile/HloModule.h"
#include "mlir-prof/Trace/Event.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

bool HloIndex::isFree(llvm::StringRef opcode) {
  return llvm::StringSwitch<bool>(opcode)
      .Cases({"parameter", "constant", "tuple", "get-tuple-element", "bitcast"},
             true)
      .Default(false);
}

/// Calls `edge(operand, user)` once for every pair of instructions, the second
/// of which uses the first.
template <typename Find, typename Edge>
static void forEachEdge(const HloModule &module, Find find, Edge edge) {
  std::vector<int64_t> operands;
  for (uint32_t user = 0; user != module.instructions.size(); ++user) {
    operands = module.instructions[user].operandIds;
    llvm::sort(operands);
    operands.erase(std::unique(operands.begin(), operands.end()),
                   operands.end());
    for (int64_t id : operands) {
      uint32_t operand = find(id);
      if (operand != kNone)
        edge(operand, user);
    }
  }
}

HloIndex::HloIndex(const HloModule &module) : module(module) {
  for (uint32_t i = 0; i != module.instructions.size(); ++i) {
    byName.try_emplace(module.instructions[i].name, i);
    byId.try_emplace(module.instructions[i].id, i);
  }
  for (uint32_t i = 0; i != module.computations.size(); ++i)
    computationById.try_emplace(module.computations[i].id, i);

  // One array for all users: count, turn counts into begins, fill.
  auto find = [this](int64_t id) { return findId(id); };
  userBegin.assign(module.instructions.size() + 1, 0);
  forEachEdge(module, find,
              [&](uint32_t operand, uint32_t) { ++userBegin[operand + 1]; });
  for (size_t i = 1; i < userBegin.size(); ++i)
    userBegin[i] += userBegin[i - 1];
  users.resize(userBegin.back());
  std::vector<uint32_t> next(userBegin.begin(), userBegin.end() - 1);
  forEachEdge(module, find, [&](uint32_t operand, uint32_t user) {
    users[next[operand]++] = user;
  });
}

uint32_t HloIndex::find(llvm::StringRef name) const {
  auto it = byName.find(name);
  return it == byName.end() ? kNone : it->second;
}

uint32_t HloIndex::findId(int64_t id) const {
  auto it = byId.find(id);
  return it == byId.end() ? kNone : it->second;
}

llvm::ArrayRef<uint32_t> HloIndex::getUsers(uint32_t instruction) const {
  if (instruction >= module.instructions.size())
    return {};
  return llvm::ArrayRef<uint32_t>(users).slice(userBegin[instruction],
                                               userBegin[instruction + 1] -
                                                   userBegin[instruction]);
}

static bool runsOthers(const HloInstruction &instruction) {
  return instruction.opcode == "fusion" || instruction.opcode == "call";
}

llvm::SmallVector<uint32_t> HloIndex::getMembers(uint32_t instruction) const {
  llvm::SmallVector<uint32_t> members;
  if (instruction >= module.instructions.size())
    return members;
  // Every computation is entered once, which also breaks cycles.
  llvm::BitVector entered(module.computations.size());
  llvm::SmallVector<uint32_t> pending = {instruction};
  while (!pending.empty()) {
    uint32_t current = pending.pop_back_val();
    const HloInstruction &inst = module.instructions[current];
    if (!runsOthers(inst)) {
      if (!isFree(inst.opcode))
        members.push_back(current);
      continue;
    }
    for (int64_t id : inst.calledComputationIds) {
      auto it = computationById.find(id);
      if (it == computationById.end() || entered.test(it->second))
        continue;
      entered.set(it->second);
      const HloComputation &called = module.computations[it->second];
      uint64_t end = uint64_t(called.firstInstruction) + called.size;
      end = std::min<uint64_t>(end, module.instructions.size());
      for (uint64_t i = called.firstInstruction; i < end; ++i)
        pending.push_back(uint32_t(i));
    }
  }
  // Computations of a hostile module may overlap.
  llvm::sort(members);
  members.erase(std::unique(members.begin(), members.end()), members.end());
  return members;
}

HloIndex::Consumers HloIndex::getConsumers(uint32_t instruction) const {
  // Users that were already seen take time too.
  constexpr size_t kMaxSteps = 16 * kMaxConsumers;
  Consumers result;
  llvm::SmallVectorImpl<uint32_t> &found = result.instructions;
  llvm::DenseSet<uint32_t> seen;
  size_t steps = 0;
  // `found` is the queue as well: breadth first.
  size_t next = 0;
  for (uint32_t current = instruction; !result.isCut;) {
    for (uint32_t user : getUsers(current)) {
      if (++steps > kMaxSteps ||
          (found.size() == kMaxConsumers && !seen.contains(user))) {
        result.isCut = true;
        break;
      }
      if (seen.insert(user).second)
        found.push_back(user);
    }
    while (next != found.size() &&
           !isFree(module.instructions[found[next]].opcode))
      ++next;
    if (next == found.size())
      break;
    current = found[next++];
  }
  llvm::sort(found);
  return result;
}

const HloModule *profile::findHloModule(llvm::ArrayRef<HloModule> modules,
                                        llvm::StringRef name,
                                        std::optional<int64_t> programId) {
  const HloModule *first = nullptr;
  for (const HloModule &module : modules) {
    if (module.name != name)
      continue;
    if (!programId || module.programId == *programId)
      return &module;
    if (!first)
      first = &module;
  }
  return first;
}

HloModuleTable::HloModuleTable(llvm::ArrayRef<HloModule> modules) {
  for (const HloModule &module : modules) {
    OfName &ofName = byName[module.name];
    if (!ofName.first)
      ofName.first = &module;
    ofName.byProgram.try_emplace(module.programId, &module);
    byProgram.try_emplace(module.programId, &module);
  }
}

const HloModule *HloModuleTable::find(llvm::StringRef name,
                                      std::optional<int64_t> programId) const {
  auto ofName = byName.find(name);
  if (ofName == byName.end())
    return nullptr;
  if (programId)
    if (auto it = ofName->second.byProgram.find(*programId);
        it != ofName->second.byProgram.end())
      return it->second;
  return ofName->second.first;
}

const HloModule *HloModuleTable::findProgram(int64_t programId) const {
  auto it = byProgram.find(programId);
  return it == byProgram.end() ? nullptr : it->second;
}
