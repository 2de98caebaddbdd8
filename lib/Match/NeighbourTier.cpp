//===- NeighbourTier.cpp - Narrowing by what an op uses and what uses it --===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HloMatcher.h"
#include "OpKinds.h"
#include "OpNames.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;

namespace {

/// Ops and instructions that a search for a neighbour passes through.
constexpr size_t kMaxSearch = 64;
/// Every sweep may give the next one more matches to start from.
constexpr unsigned kMaxSweeps = 4;

/// Opcodes that the compiler moves and makes freely: a search for the op that
/// computed a value goes on behind them.
bool isTransparent(llvm::StringRef opcode) {
  return HloIndex::isFree(opcode) || opcode == "copy" || opcode == "reshape" ||
         opcode == "transpose" || opcode == "broadcast" || opcode == "convert";
}

/// As isTransparent, of the module's ops.
bool isTransparent(mlir::Operation *op) {
  switch (getKind(op)) {
  case OpKind::Free:
  case OpKind::Broadcast:
    return true;
  case OpKind::Movement:
    return isKind("copy", op) || isKind("transpose", op);
  case OpKind::Elementwise:
    return isKind("convert", op);
  default:
    return false;
  }
}

/// Where a computation is called from: parameters of fusions are operands of
/// the fusion.
class CallMap {
public:
  explicit CallMap(const HloModule &module) {
    llvm::DenseMap<int64_t, uint32_t> byId;
    for (uint32_t i = 0; i < module.computations.size(); ++i)
      byId.try_emplace(module.computations[i].id, i);
    for (uint32_t i = 0; i < module.instructions.size(); ++i) {
      const HloInstruction &instruction = module.instructions[i];
      if (instruction.opcode != "fusion" && instruction.opcode != "call")
        continue;
      for (int64_t id : instruction.calledComputationIds) {
        auto found = byId.find(id);
        if (found != byId.end())
          callers[found->second].push_back(i);
      }
    }
  }
  /// The only caller of a computation, or kNone.
  uint32_t getCaller(uint32_t computation) const {
    auto found = callers.find(computation);
    return found != callers.end() && found->second.size() == 1
               ? found->second.front()
               : kNone;
  }

private:
  llvm::DenseMap<uint32_t, llvm::SmallVector<uint32_t, 1>> callers;
};

/// Finds the matched neighbours of instructions and of ops.
class Neighbours {
public:
  Neighbours(const ModuleIndex &index, const HloProgram &program)
      : index(index), program(program), calls(program.module) {}

  /// The ops of the instructions that computed the operands of `instruction`,
  /// as far as they are known.
  llvm::SmallVector<uint32_t> getKnownOperands(uint32_t instruction) const {
    llvm::SmallVector<uint32_t> ops;
    search(instruction, /*usersNotOperands=*/false, ops);
    return ops;
  }
  llvm::SmallVector<uint32_t> getKnownUsers(uint32_t instruction) const {
    llvm::SmallVector<uint32_t> ops;
    search(instruction, /*usersNotOperands=*/true, ops);
    return ops;
  }

  /// Whether `op` uses the result of `wanted`, or is used by it.
  bool isLinked(uint32_t op, uint32_t wanted, bool usersNotOperands) const {
    llvm::SmallVector<mlir::Operation *> todo = {index[op].op};
    llvm::SmallPtrSet<mlir::Operation *, 16> seen;
    for (size_t i = 0; i < todo.size() && i < kMaxSearch; ++i) {
      auto visit = [&](mlir::Operation *next) {
        if (!next || !seen.insert(next).second)
          return false;
        if (index.find(next) == wanted)
          return true;
        if (isTransparent(next))
          todo.push_back(next);
        return false;
      };
      if (usersNotOperands) {
        for (mlir::Operation *user : todo[i]->getUsers())
          if (visit(user))
            return true;
      } else {
        for (mlir::Value operand : todo[i]->getOperands())
          if (visit(ModuleIndex::getProducer(operand)))
            return true;
      }
    }
    return false;
  }

private:
  void search(uint32_t instruction, bool usersNotOperands,
              llvm::SmallVectorImpl<uint32_t> &ops) const {
    llvm::SmallVector<uint32_t> todo = {instruction};
    llvm::DenseSet<uint32_t> seen = {instruction};
    auto visit = [&](uint32_t next) {
      if (next == kNone || !seen.insert(next).second)
        return;
      uint32_t op = program.matches[next].getOnlyOp();
      const HloInstruction &at = program.module.instructions[next];
      if (op != kNone && !isTransparent(index[op].op) && at.opcode != "fusion")
        ops.push_back(op);
      else if (isTransparent(at.opcode) || at.opcode == "fusion")
        todo.push_back(next);
    };
    for (size_t i = 0; i < todo.size() && i < kMaxSearch; ++i)
      usersNotOperands ? visitUsers(todo[i], visit)
                       : visitOperands(todo[i], visit);
  }

  void visitOperands(uint32_t at,
                     llvm::function_ref<void(uint32_t)> visit) const {
    const HloInstruction &instruction = program.module.instructions[at];
    uint32_t caller = calls.getCaller(instruction.computation);
    if (instruction.opcode == "parameter" && caller != kNone) {
      const auto &operands = program.module.instructions[caller].operandIds;
      uint64_t number = uint64_t(instruction.parameterNumber);
      if (number < operands.size())
        visit(program.index.findId(operands[number]));
    } else if (instruction.opcode == "fusion") {
      for (int64_t id : instruction.calledComputationIds)
        visit(findRoot(id));
    } else {
      for (int64_t id : instruction.operandIds)
        visit(program.index.findId(id));
    }
  }

  void visitUsers(uint32_t at, llvm::function_ref<void(uint32_t)> visit) const {
    const HloInstruction &instruction = program.module.instructions[at];
    for (uint32_t user : program.index.getUsers(at)) {
      if (program.module.instructions[user].opcode == "fusion")
        visitParameters(user, instruction.id, visit);
      else
        visit(user);
    }
    uint32_t caller = calls.getCaller(instruction.computation);
    if (caller != kNone && isRoot(at))
      for (uint32_t user : program.index.getUsers(caller)) {
        if (program.module.instructions[user].opcode == "fusion")
          visitParameters(user, program.module.instructions[caller].id, visit);
        else
          visit(user);
      }
  }

  /// The parameters in the body of `fusion` that stand for operand `id`.
  void visitParameters(uint32_t fusion, int64_t id,
                       llvm::function_ref<void(uint32_t)> visit) const {
    const HloInstruction &user = program.module.instructions[fusion];
    for (const HloComputation &body : program.module.computations) {
      if (!llvm::is_contained(user.calledComputationIds, body.id))
        continue;
      for (uint32_t i = 0; i < body.size; ++i) {
        uint32_t at = body.firstInstruction + i;
        if (at >= program.module.instructions.size())
          break;
        const HloInstruction &parameter = program.module.instructions[at];
        uint64_t number = uint64_t(parameter.parameterNumber);
        if (parameter.opcode == "parameter" &&
            number < user.operandIds.size() && user.operandIds[number] == id)
          visit(at);
      }
    }
  }

  uint32_t findRoot(int64_t computation) const {
    for (const HloComputation &body : program.module.computations)
      if (body.id == computation)
        return program.index.findId(body.rootId);
    return kNone;
  }
  bool isRoot(uint32_t at) const {
    const HloInstruction &instruction = program.module.instructions[at];
    const auto &computations = program.module.computations;
    return instruction.computation < computations.size() &&
           computations[instruction.computation].rootId == instruction.id;
  }

  const ModuleIndex &index;
  const HloProgram &program;
  CallMap calls;
};

} // namespace

void mlirprof::narrowByNeighbours(const ModuleIndex &index,
                                  HloProgram &program) {
  Neighbours neighbours(index, program);
  for (unsigned sweep = 0; sweep < kMaxSweeps; ++sweep) {
    bool changed = false;
    for (uint32_t i = 0; i < program.matches.size(); ++i) {
      for (auto &name : program.matches[i].names) {
        if (countOps(name.candidates) < 2)
          continue;
        for (bool users : {false, true}) {
          auto known = users ? neighbours.getKnownUsers(i)
                             : neighbours.getKnownOperands(i);
          for (uint32_t wanted : known)
            if (keepSome(name.candidates, [&](const Candidate &candidate) {
                  return neighbours.isLinked(candidate.op, wanted, users);
                })) {
              name.tier = MatchTier::Neighbourhood;
              changed = true;
            }
        }
      }
    }
    if (!changed)
      return;
  }
}

std::vector<std::string> mlirprof::getNeighbourNames(const HloProgram &program,
                                                     uint32_t instruction) {
  const HloModule &module = program.module;
  // Users first: what the compiler makes, it makes for them.
  for (bool users : {true, false}) {
    std::vector<std::string> names;
    llvm::SmallVector<uint32_t> todo = {instruction};
    llvm::DenseSet<uint32_t> seen = {instruction};
    auto visit = [&](uint32_t next) {
      if (next == kNone || !seen.insert(next).second)
        return;
      const HloInstruction &at = module.instructions[next];
      bool free = HloIndex::isFree(at.opcode);
      auto own = expandOpName(at.opName);
      if (own.empty() || free)
        todo.push_back(next);
      else
        names.insert(names.end(), own.begin(), own.end());
    };
    for (size_t i = 0; i < todo.size() && i < kMaxSearch; ++i) {
      if (users) {
        for (uint32_t user : program.index.getConsumers(todo[i]))
          visit(user);
      } else {
        for (int64_t id : module.instructions[todo[i]].operandIds)
          visit(program.index.findId(id));
      }
    }
    if (!names.empty())
      return names;
  }
  return {};
}
