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
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>
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

//===----------------------------------------------------------------------===//
// Where nodes come from
//===----------------------------------------------------------------------===//

/// The ancestors at one level of all nodes of a program.
class AncestorTable {
public:
  /// `program` must outlive this. `level` is an index into Program::levels.
  AncestorTable(const Program &program, uint32_t level);

  /// Origins of `node` at the level, ascending; itself if it is of the level.
  /// For ops in bodies of structured ops, these ops are listed. Empty for nodes
  /// of earlier levels, and for nodes with more origins than can be
  /// distinguished (isTooMany).
  llvm::ArrayRef<uint32_t> get(uint32_t node) const;
  bool isTooMany(uint32_t node) const { return sets[node] == kTooMany; }

private:
  /// Indices into `begins`.
  static constexpr uint32_t kEmpty = 0;
  static constexpr uint32_t kTooMany = 1;
  void addNode(uint32_t node);
  uint32_t addSet(llvm::ArrayRef<uint32_t> set);

  const Program &program;
  uint32_t level;
  /// The set of each node; nodes with one parent share its set.
  std::vector<uint32_t> sets;
  std::vector<size_t> begins;
  std::vector<uint32_t> members;
  size_t budget;
};

/// The calls through which `node` was inlined, innermost first: its own and
/// those of its origins. Among several origins the first counts. They are at
/// levels before the node's.
std::vector<uint32_t> getInlinedCalls(const Program &program, uint32_t node);

/// The function that contains `node`, at the node's level, or kNone.
uint32_t getFunction(const Program &program, uint32_t node);

/// The path from an instruction up to the first level: for each level, first to
/// last, its origins.
std::vector<std::vector<uint32_t>> getChain(const Program &program,
                                            uint32_t instruction);

} // namespace mlirprof::profile

#endif // MLIR_PROF_PROFILE_PROGRAMLEVELS_H
