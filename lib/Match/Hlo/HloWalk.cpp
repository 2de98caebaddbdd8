//===- HloWalk.cpp - Walking along the data of an HLO program -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HloWalk.h"
#include "mlir-prof/Trace/Event.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlirprof;
using namespace mlirprof::match;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

HloWalk::HloWalk(const HloModule &module, const HloIndex &index)
    : module(module), index(index), callers(module.computations.size()) {
  for (uint32_t i = 0; i < module.computations.size(); ++i)
    computations.try_emplace(module.computations[i].id, i);
  for (uint32_t i = 0; i < module.instructions.size(); ++i) {
    const HloInstruction &instruction = module.instructions[i];
    if (instruction.opcode != "fusion" && instruction.opcode != "call")
      continue;
    for (int64_t id : instruction.calledComputationIds)
      if (uint32_t called = findComputation(id); called != kNone)
        callers[called].push_back(i);
  }
}

uint32_t HloWalk::getCaller(uint32_t computation) const {
  return computation < callers.size() && callers[computation].size() == 1
             ? callers[computation].front()
             : kNone;
}

uint32_t HloWalk::findComputation(int64_t id) const {
  auto found = computations.find(id);
  return found == computations.end() ? kNone : found->second;
}

uint32_t HloWalk::findRoot(int64_t computation) const {
  uint32_t number = findComputation(computation);
  return number == kNone ? kNone
                         : index.findId(module.computations[number].rootId);
}

bool HloWalk::isRoot(uint32_t at) const {
  const HloInstruction &instruction = module.instructions[at];
  return instruction.computation < module.computations.size() &&
         module.computations[instruction.computation].rootId == instruction.id;
}

llvm::SmallVector<uint32_t>
HloWalk::find(uint32_t start, Direction direction,
              llvm::function_ref<bool(uint32_t)> isFound,
              llvm::function_ref<bool(uint32_t)> isPassed) const {
  llvm::SmallVector<uint32_t> found;
  llvm::SmallVector<uint32_t> todo = {start};
  llvm::DenseSet<uint32_t> seen = {start};
  auto visit = [&](uint32_t next) {
    if (next == kNone || !seen.insert(next).second)
      return;
    if (!isFusion(next) && isFound(next))
      found.push_back(next);
    else if (isFusion(next) || isPassed(next))
      todo.push_back(next);
  };
  for (size_t i = 0; i < todo.size() && i < kMaxSearch; ++i)
    direction == Direction::Users ? visitUsers(todo[i], visit)
                                  : visitOperands(todo[i], visit);
  return found;
}

void HloWalk::visitOperands(uint32_t at, Visit visit) const {
  const HloInstruction &instruction = module.instructions[at];
  uint32_t caller = getCaller(instruction.computation);
  if (instruction.opcode == "parameter" && caller != kNone) {
    const auto &operands = module.instructions[caller].operandIds;
    uint64_t number = uint64_t(instruction.parameterNumber);
    if (number < operands.size())
      visit(index.findId(operands[number]));
  } else if (isFusion(at)) {
    for (int64_t id : instruction.calledComputationIds)
      visit(findRoot(id));
  } else {
    for (int64_t id : instruction.operandIds)
      visit(index.findId(id));
  }
}

void HloWalk::addInputs(uint32_t at,
                        llvm::SmallVectorImpl<uint32_t> &inputs) const {
  auto add = [&](uint32_t next) {
    if (next != kNone)
      inputs.push_back(next);
  };
  visitOperands(at, add);
  llvm::StringRef opcode = module.instructions[at].opcode;
  if (opcode == "call" || opcode == "while" || opcode == "conditional")
    for (int64_t id : module.instructions[at].calledComputationIds)
      add(findRoot(id));
}

void HloWalk::visitUsersOf(uint32_t at, Visit visit) const {
  for (uint32_t user : index.getUsers(at)) {
    if (isFusion(user))
      visitParameters(user, module.instructions[at].id, visit);
    else
      visit(user);
  }
}

void HloWalk::visitUsers(uint32_t at, Visit visit) const {
  visitUsersOf(at, visit);
  uint32_t caller = getCaller(module.instructions[at].computation);
  if (caller != kNone && isRoot(at))
    visitUsersOf(caller, visit);
}

void HloWalk::visitParameters(uint32_t fusion, int64_t id, Visit visit) const {
  const HloInstruction &user = module.instructions[fusion];
  for (int64_t called : user.calledComputationIds) {
    uint32_t number = findComputation(called);
    if (number == kNone)
      continue;
    const HloComputation &body = module.computations[number];
    llvm::ArrayRef<HloInstruction> all = module.instructions;
    all = all.drop_front(std::min<size_t>(body.firstInstruction, all.size()));
    all = all.take_front(body.size);
    for (const HloInstruction &parameter : all) {
      uint64_t position = uint64_t(parameter.parameterNumber);
      if (parameter.opcode == "parameter" &&
          position < user.operandIds.size() && user.operandIds[position] == id)
        visit(uint32_t(&parameter - module.instructions.data()));
    }
  }
}
