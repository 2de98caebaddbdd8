//===- ProgramLevels.h - Levels of a recorded program -----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_PROFILE_PROGRAMLEVELS_H
#define MLIR_PROF_PROFILE_PROGRAMLEVELS_H

#include "mlir-prof/Profile/Profile.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace mlirprof::profile {

/// Name of the level of instructions.
inline constexpr llvm::StringLiteral kAsmLevel = "asm";

/// The levels of all programs of `profile`, first to last, "asm" last if a
/// program has instructions. Empty if there is no program.
std::vector<std::string> getLevels(const Profile &profile);

/// The symbol of the program's entry function: Program::entry, else the only
/// function of its first level; "" if there are several.
llvm::StringRef getEntry(const Program &program);

/// For each node its index in reports (OpNumber::index): its position; at a
/// level without known positions, its rank among the nodes of the level, where
/// the module is 0.
std::vector<uint32_t> getOpIndices(const Program &program);

/// Index of `level` in Program::levels, that of "asm" being one past the last;
/// kNone if the program does not have such a level.
uint32_t findLevel(const Program &program, llvm::StringRef level);

/// The op of which `node` is a part: for an op in the body of a structured op,
/// that op, else itself.
uint32_t getWholeOp(const Program &program, uint32_t node);

/// Computes a value per node: the result of `step` for the node and the value
/// of the op that contains it, or `outside`. Nodes may nest as deep as a file
/// specifies; this takes linear time.
std::vector<uint32_t>
descend(const Program &program, uint32_t outside,
        llvm::function_ref<uint32_t(uint32_t node, uint32_t above)> step);

/// For each node, the function that contains it (or the node itself), or kNone.
std::vector<uint32_t> findFunctions(const Program &program);

/// The function that contains `node`, at the node's level, or kNone.
uint32_t getFunction(const Program &program, uint32_t node);

/// The level of the program's dispatches and kernels; kNone if it does not have
/// any.
uint32_t getInstanceLevel(const Program &program);

//===----------------------------------------------------------------------===//
// Where nodes come from
//===----------------------------------------------------------------------===//
//
// Code of a kernel serves several dispatches, whose ops differ at the levels
// before theirs. Functions that take an `instance` (an index into
// Program::instances) give the origins in that dispatch; for kNone, and for
// code that is not of the dispatch's kernel, they give those in all.

/// The parents of `node` in `instance`.
std::vector<uint32_t> getParents(const Program &program, uint32_t node,
                                 uint32_t instance);

/// The ancestors at one level of all nodes of a program.
class AncestorTable {
public:
  /// `program` must outlive this. `level` is an index into Program::levels.
  AncestorTable(const Program &program, uint32_t level);

  /// Origins of `node` at the level, ascending; itself if it is of the level.
  /// For ops in bodies of structured ops, these ops are listed. Empty for nodes
  /// of earlier levels, and for nodes with more origins than can be
  /// distinguished (isTooMany).
  llvm::ArrayRef<uint32_t> get(uint32_t node) const {
    return getSet(sets[node]);
  }
  bool isTooMany(uint32_t node) const { return sets[node] == kTooMany; }

  /// The same in `instance`. The result is valid until the next call.
  llvm::ArrayRef<uint32_t> get(uint32_t node, uint32_t instance) {
    return getSet(find(node, instance));
  }
  bool isTooMany(uint32_t node, uint32_t instance) {
    return find(node, instance) == kTooMany;
  }

private:
  /// Indices into `begins`.
  static constexpr uint32_t kEmpty = 0;
  static constexpr uint32_t kTooMany = 1;
  void addNode(uint32_t node);
  uint32_t addSet(llvm::ArrayRef<uint32_t> set);
  uint32_t mergeSets(llvm::SmallVectorImpl<uint32_t> &origins);
  llvm::ArrayRef<uint32_t> getSet(uint32_t set) const {
    return llvm::ArrayRef(members).slice(begins[set],
                                         begins[set + 1] - begins[set]);
  }
  bool dependsOn(uint32_t instance, uint32_t node) const;
  uint32_t find(uint32_t node, uint32_t instance);
  uint32_t findDirect(uint32_t node, uint32_t instance);

  const Program &program;
  uint32_t level;
  uint32_t instanceLevel;
  /// The set of each node; nodes with one parent share its set.
  std::vector<uint32_t> sets;
  std::vector<size_t> begins;
  std::vector<uint32_t> members;
  size_t budget;
  /// The sets of nodes in single instances, as far as they were asked for.
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, uint32_t> ofInstance;
  std::vector<uint32_t> functions;
  size_t instanceBudget;
};

/// The calls through which `node` was inlined, innermost first: its own and
/// those of its origins. Among several origins the first counts. They are at
/// levels before the node's.
std::vector<uint32_t> getInlinedCalls(const Program &program, uint32_t node,
                                      uint32_t instance = trace::kNone);

/// The path from an instruction up to the first level: for each level, first to
/// last, its origins.
std::vector<std::vector<uint32_t>> getChain(const Program &program,
                                            uint32_t instruction,
                                            uint32_t instance = trace::kNone);

} // namespace mlirprof::profile

#endif // MLIR_PROF_PROFILE_PROGRAMLEVELS_H
