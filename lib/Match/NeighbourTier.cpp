//===- NeighbourTier.cpp - Narrowing by what an op uses and what uses it --===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HloMatcher.h"
#include "OpKinds.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

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

enum class Direction : uint8_t { Operands, Users };

/// Walks from instruction to instruction along the data, in and out of fusions.
class HloWalk {
public:
  explicit HloWalk(const HloProgram &program)
      : program(program), calls(program.module) {}

  /// The nearest instructions from `start` on for which `isFound` holds. The
  /// search goes on behind fusions and what `isPassed` holds for.
  llvm::SmallVector<uint32_t>
  find(uint32_t start, Direction direction,
       llvm::function_ref<bool(uint32_t)> isFound,
       llvm::function_ref<bool(uint32_t)> isPassed) const {
    llvm::SmallVector<uint32_t> found;
    llvm::SmallVector<uint32_t> todo = {start};
    llvm::DenseSet<uint32_t> seen = {start};
    auto visit = [&](uint32_t next) {
      if (next == kNone || !seen.insert(next).second)
        return;
      bool isFusion = program.module.instructions[next].opcode == "fusion";
      if (!isFusion && isFound(next))
        found.push_back(next);
      else if (isFusion || isPassed(next))
        todo.push_back(next);
    };
    for (size_t i = 0; i < todo.size() && i < kMaxSearch; ++i)
      direction == Direction::Users ? visitUsers(todo[i], visit)
                                    : visitOperands(todo[i], visit);
    return found;
  }

private:
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

  const HloProgram &program;
  CallMap calls;
};

/// Whether the data of op `op` come from op `wanted`, or go to it, directly or
/// through ops that only pass data on.
bool isLinked(const ModuleIndex &index, uint32_t op, uint32_t wanted,
              Direction direction) {
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
    if (direction == Direction::Users) {
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

/// Narrows the candidates of one name by matched neighbours.
class NeighbourNarrowing {
public:
  NeighbourNarrowing(const ModuleIndex &index, const HloProgram &program)
      : index(index), program(program), walk(program) {}

  bool narrow(uint32_t instruction, Candidates &candidates) const {
    // One that feeds another may have become one instruction with it: what is
    // before the first and after the last would then tell nothing.
    if (countOps(candidates) > kMaxCandidates || feedEachOther(candidates))
      return false;
    bool changed = false;
    for (Direction direction : {Direction::Operands, Direction::Users})
      for (uint32_t wanted : getKnown(instruction, direction))
        changed |= keepSome(candidates, [&](const Candidate &candidate) {
          return isLinked(index, candidate.op, wanted, direction);
        });
    if (changed || isOriginal(instruction, candidates))
      return changed;
    // A copy, or the sum over devices, of what another instruction computed.
    llvm::SmallVector<uint32_t> known =
        getKnown(instruction, Direction::Operands);
    return keepSome(candidates, [&](const Candidate &candidate) {
      return llvm::is_contained(known, candidate.op);
    });
  }

private:
  /// The ops of the nearest instructions that have exactly one.
  llvm::SmallVector<uint32_t> getKnown(uint32_t instruction,
                                       Direction direction) const {
    auto isKnown = [&](uint32_t at) {
      uint32_t op = program.matches[at].getOnlyOp();
      return op != kNone && !isTransparent(index[op].op);
    };
    auto isPassed = [&](uint32_t at) {
      return isTransparent(program.module.instructions[at].opcode);
    };
    llvm::SmallVector<uint32_t> ops =
        walk.find(instruction, direction, isKnown, isPassed);
    for (uint32_t &op : ops)
      op = program.matches[op].getOnlyOp();
    return ops;
  }

  bool feedEachOther(const Candidates &candidates) const {
    for (const Candidate &a : candidates)
      for (const Candidate &b : candidates)
        if (a.op != b.op && isLinked(index, a.op, b.op, Direction::Operands))
          return true;
    return false;
  }

  /// Whether the instruction is of the kind of a candidate, not made beside it.
  bool isOriginal(uint32_t instruction, const Candidates &candidates) const {
    llvm::StringRef opcode = program.module.instructions[instruction].opcode;
    return llvm::any_of(candidates, [&](const Candidate &candidate) {
      return isKind(opcode, index[candidate.op].op);
    });
  }

  static constexpr size_t kMaxCandidates = 16;

  const ModuleIndex &index;
  const HloProgram &program;
  HloWalk walk;
};

/// Whether an instruction is work that no reshape or transpose can be: such a
/// name came from an op that was folded into the work.
bool isWork(llvm::StringRef opcode) {
  return opcode == "dot" || opcode == "convolution" || opcode == "reduce" ||
         opcode == "reduce-window";
}

/// The only op of kind `opcode` whose result reaches `op` through ops that pass
/// data on, or kNone.
uint32_t findFoldedWork(const ModuleIndex &index, uint32_t op,
                        llvm::StringRef opcode) {
  llvm::SmallVector<mlir::Operation *> todo = {index[op].op};
  uint32_t found = kNone;
  for (size_t i = 0; i < todo.size() && i < kMaxSearch; ++i)
    for (mlir::Value operand : todo[i]->getOperands()) {
      mlir::Operation *producer = ModuleIndex::getProducer(operand);
      if (!producer)
        continue;
      if (isKind(opcode, producer)) {
        uint32_t number = index.find(producer);
        if (found != kNone && found != number)
          return kNone;
        found = number;
      } else if (isTransparent(producer)) {
        todo.push_back(producer);
      }
    }
  return found;
}

/// A dot that is named after the transpose of its result is the dot.
void moveToFoldedWork(const ModuleIndex &index, HloProgram &program) {
  for (uint32_t i = 0; i < program.matches.size(); ++i) {
    llvm::StringRef opcode = program.module.instructions[i].opcode;
    uint32_t op = isWork(opcode) ? program.matches[i].getOnlyOp() : kNone;
    if (op == kNone || !isTransparent(index[op].op))
      continue;
    uint32_t work = findFoldedWork(index, op, opcode);
    if (work == kNone)
      continue;
    for (auto &name : program.matches[i].names) {
      name.candidates = {{work, index.getLocation(work).frame}};
      name.tier = MatchTier::Neighbourhood;
    }
  }
}

} // namespace

void mlirprof::narrowByNeighbours(const ModuleIndex &index,
                                  HloProgram &program) {
  moveToFoldedWork(index, program);
  NeighbourNarrowing narrowing(index, program);
  for (unsigned sweep = 0; sweep < kMaxSweeps; ++sweep) {
    bool changed = false;
    for (uint32_t i = 0; i < program.matches.size(); ++i)
      for (auto &name : program.matches[i].names)
        if (countOps(name.candidates) > 1 &&
            narrowing.narrow(i, name.candidates)) {
          name.tier = MatchTier::Neighbourhood;
          changed = true;
        }
    if (!changed)
      return;
  }
}

llvm::SmallVector<uint32_t>
mlirprof::findNamedNeighbours(const HloProgram &program, uint32_t instruction) {
  HloWalk walk(program);
  auto isNamed = [&](uint32_t at) {
    return !HloIndex::isFree(program.module.instructions[at].opcode) &&
           llvm::any_of(program.matches[at].names,
                        [](const auto &n) { return !n.candidates.empty(); });
  };
  auto isAny = [](uint32_t) { return true; };
  // Users first: what the compiler makes, it makes for them.
  auto found = walk.find(instruction, Direction::Users, isNamed, isAny);
  return found.empty()
             ? walk.find(instruction, Direction::Operands, isNamed, isAny)
             : found;
}
