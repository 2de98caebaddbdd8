//===- NeighborTier.cpp - Narrowing by operands and users -----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HloMatcher.h"
#include "HloWalk.h"
#include "mlir-prof/Cost/OpKinds.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <map>

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::cost;
using namespace mlirprof::match;
using namespace mlirprof::module;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

namespace {

/// Each sweep may give the next one more matches to start from.
constexpr unsigned kMaxSweeps = 4;

/// As isMovedFreely, for the module's ops.
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

/// Narrows the candidates of one name by matched neighbors.
class NeighborNarrowing {
public:
  NeighborNarrowing(const ModuleIndex &index, const HloProgram &program)
      : index(index), program(program), walk(program.module, program.index) {
    for (uint32_t i = 0; i < program.matches.size(); ++i)
      for (const auto &name : program.matches[i].names) {
        alike[{program.module.instructions[i].opcode, name.name}].push_back(i);
        for (const OwnerCandidate &candidate : name.candidates)
          claimed.insert(index[candidate.op].op);
      }
  }

  bool narrow(uint32_t instruction, InstructionMatch::Name &name) const {
    OwnerCandidates &candidates = name.candidates;
    if (countOps(candidates) > kMaxCandidates)
      return false;
    // One that feeds another may have been merged with it: the surroundings of
    // the first and the last would then not be evidence.
    if (countAlike(instruction, name) < countOps(candidates) &&
        feedEachOther(candidates))
      return false;
    bool changed = false;
    for (Direction direction : {Direction::Operands, Direction::Users})
      for (uint32_t wanted : getKnown(instruction, direction))
        changed |= keepSome(candidates, [&](const OwnerCandidate &candidate) {
          return isLinked(candidate.op, wanted, direction);
        });
    if (changed || isOriginal(instruction, candidates))
      return changed;
    // A copy, or the sum over devices, of another instruction's result.
    llvm::SmallVector<uint32_t> known =
        getKnown(instruction, Direction::Operands);
    return keepSome(candidates, [&](const OwnerCandidate &candidate) {
      return llvm::is_contained(known, candidate.op);
    });
  }

private:
  /// The ops of the nearest instructions with exactly one.
  llvm::SmallVector<uint32_t> getKnown(uint32_t instruction,
                                       Direction direction) const {
    auto isKnown = [&](uint32_t at) {
      uint32_t op = program.matches[at].getOnlyOp();
      return op != kNone && !isTransparent(index[op].op);
    };
    auto isPassed = [&](uint32_t at) {
      return isMovedFreely(program.module.instructions[at].opcode);
    };
    llvm::SmallVector<uint32_t> ops =
        walk.find(instruction, direction, isKnown, isPassed);
    for (uint32_t &op : ops)
      op = program.matches[op].getOnlyOp();
    return ops;
  }

  /// Whether the data of op `op` come from op `wanted`, or go to it, directly
  /// or through ops that pass data on or that the compiler removed.
  bool isLinked(uint32_t op, uint32_t wanted, Direction direction) const {
    llvm::SmallVector<mlir::Operation *> todo = {index[op].op};
    llvm::SmallPtrSet<mlir::Operation *, 16> seen;
    mlir::Operation *target = index[wanted].op;
    auto visit = [&](mlir::Operation *next) {
      if (!next || !seen.insert(next).second)
        return;
      if (next != target && (isTransparent(next) || !claimed.contains(next)))
        todo.push_back(next);
    };
    for (size_t i = 0; i < todo.size() && i < kMaxSearch; ++i) {
      if (direction == Direction::Users) {
        for (mlir::Operation *user : todo[i]->getUsers())
          visit(user);
      } else {
        for (mlir::Value operand : todo[i]->getOperands())
          visit(ModuleIndex::getProducer(operand));
      }
      if (seen.contains(target))
        return true;
    }
    return false;
  }

  /// The number of instructions of this one's kind and name for these
  /// candidates, including those that were narrowed to some of them.
  size_t countAlike(uint32_t instruction,
                    const InstructionMatch::Name &name) const {
    auto isAmong = [&](const OwnerCandidate &candidate) {
      return llvm::any_of(name.candidates, [&](const OwnerCandidate &other) {
        return other.op == candidate.op;
      });
    };
    auto group = alike.find(
        {program.module.instructions[instruction].opcode, name.name});
    return llvm::count_if(group->second, [&](uint32_t other) {
      return llvm::any_of(program.matches[other].names,
                          [&](const auto &otherName) {
                            return otherName.name == name.name &&
                                   llvm::all_of(otherName.candidates, isAmong);
                          });
    });
  }

  bool feedEachOther(const OwnerCandidates &candidates) const {
    for (const OwnerCandidate &a : candidates)
      for (const OwnerCandidate &b : candidates)
        if (a.op != b.op && isLinked(a.op, b.op, Direction::Operands))
          return true;
    return false;
  }

  /// Whether the instruction has the kind of a candidate, and was not created
  /// next to it.
  bool isOriginal(uint32_t instruction,
                  const OwnerCandidates &candidates) const {
    llvm::StringRef opcode = program.module.instructions[instruction].opcode;
    return llvm::any_of(candidates, [&](const OwnerCandidate &candidate) {
      return isKind(opcode, index[candidate.op].op);
    });
  }

  static constexpr size_t kMaxCandidates = 16;

  const ModuleIndex &index;
  const HloProgram &program;
  HloWalk walk;
  /// Instructions by opcode and name.
  std::map<std::pair<llvm::StringRef, llvm::StringRef>, std::vector<uint32_t>>
      alike;
  /// Ops from which some instruction may have come. XLA removed the others.
  llvm::DenseSet<mlir::Operation *> claimed;
};

/// Whether an instruction does work that no reshape or transpose can do: its
/// name came from an op that was folded into the work.
bool isWork(llvm::StringRef opcode) {
  return opcode == "dot" || opcode == "convolution" || opcode == "reduce" ||
         opcode == "reduce-window";
}

/// Moves a dot that is named after the transpose of its result to the dot's op.
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
      name.tier = MatchTier::Neighborhood;
    }
  }
}

} // namespace

bool match::isMovedFreely(llvm::StringRef opcode) {
  return HloIndex::isFree(opcode) || opcode == "copy" || opcode == "reshape" ||
         opcode == "transpose" || opcode == "broadcast" || opcode == "convert";
}

uint32_t match::findFoldedWork(const ModuleIndex &index, uint32_t op,
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

void match::narrowByNeighbors(const ModuleIndex &index, HloProgram &program) {
  moveToFoldedWork(index, program);
  NeighborNarrowing narrowing(index, program);
  for (unsigned sweep = 0; sweep < kMaxSweeps; ++sweep) {
    bool changed = false;
    for (uint32_t i = 0; i < program.matches.size(); ++i)
      for (auto &name : program.matches[i].names)
        if (countOps(name.candidates) > 1 && narrowing.narrow(i, name)) {
          name.tier = MatchTier::Neighborhood;
          changed = true;
        }
    if (!changed)
      return;
  }
}

llvm::SmallVector<uint32_t> match::findNamedNeighbors(const HloProgram &program,
                                                      uint32_t instruction) {
  HloWalk walk(program.module, program.index);
  auto isNamed = [&](uint32_t at) {
    // After a neighbor whose op is gone, there is work of others.
    return !HloIndex::isFree(program.module.instructions[at].opcode) &&
           llvm::any_of(program.matches[at].names, [&](const auto &n) {
             return !n.candidates.empty() || program.isAligned;
           });
  };
  auto isAny = [](uint32_t) { return true; };
  // Users first: the compiler creates instructions for them.
  auto found = walk.find(instruction, Direction::Users, isNamed, isAny);
  return found.empty()
             ? walk.find(instruction, Direction::Operands, isNamed, isAny)
             : found;
}
