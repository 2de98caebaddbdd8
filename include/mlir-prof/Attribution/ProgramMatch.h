//===- ProgramMatch.h - Which ops own which code ----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matching by identity: an instruction has a node of the last level, and that
// has ancestors at every earlier one. No MLIR is needed.
//
// Within a loop of machine code that calls nothing the program counter does not
// tell the op: samples pile up where the loop waits for its longest chain of
// dependences. Where the instructions of such a loop belong to several ops of a
// level, all samples of the loop are of the set of these ops, split by how many
// of its instructions belong to each (an instruction of several ops counts in
// equal parts); where there are divisions, by what each op makes the loop
// longer (LoopOwners.cpp). An instruction without an identity belongs to the
// ops of the others of its loop. Loops with calls, and code outside of loops,
// count where the sample was taken.
//
// What a probe measured belongs to the probe's node, at earlier levels to what
// that came from, at later levels to what came from it: a set, split by static
// cost, where these are several.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_ATTRIBUTION_PROGRAMMATCH_H
#define MLIR_PROF_ATTRIBUTION_PROGRAMMATCH_H

#include "mlir-prof/Attribution/Ownership.h"
#include "mlir-prof/Profile/ProgramLevels.h"
#include "llvm/ADT/DenseMap.h"

namespace mlirprof::attribution {

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

/// What row of a table each node is, by index into Profile::programs and node
/// (at the level "asm", instruction); kNone or absent where it is none.
using NodeRows = std::vector<std::vector<uint32_t>>;

/// For each op key of `profile` the rows of its owners at `level`. Keys of
/// other kinds than Code, Probe and Outside stay empty.
std::vector<Match> matchProgramKeys(const profile::Profile &profile,
                                    llvm::StringRef level,
                                    const NodeRows &rows);

/// A node of a program (at the level "asm", an instruction).
struct ProgramRow {
  /// Index into Profile::programs, or kNone for the table's first row.
  uint32_t program = trace::kNone;
  /// kNone for functions at the level "asm".
  uint32_t node = trace::kNone;
};

struct ProgramMatch {
  /// The first op stands for the module; then all nodes of the level, in order
  /// of position. At the level "asm" functions, each followed by its
  /// instructions (op = mnemonic, path = "main+0x1a4").
  Ownership ownership;
  /// One for each of ownership.ops.
  std::vector<ProgramRow> rows;
  NodeRows rowOf;
};

/// Matches `profile` with the ops of `level` as its programs list them. Where
/// no program has such a level, no key has an owner.
ProgramMatch matchProgramRows(const profile::Profile &profile,
                              llvm::StringRef level);

/// The ownership alone.
Ownership matchProgram(const profile::Profile &profile, llvm::StringRef level);

//===----------------------------------------------------------------------===//
// What the split changed
//===----------------------------------------------------------------------===//

/// One op of a loop whose time was split.
struct LoopPart {
  /// Row in ProgramMatch::ownership.ops.
  uint32_t row = 0;
  /// Its instructions in the loop, in units of LoopSplit::unit.
  uint64_t weight = 0;
  /// Its part of the loop's time by the split, and by the program counter.
  int64_t estimatedPs = 0;
  int64_t rawPs = 0;
};

/// A loop of machine code of which samples were split.
struct LoopSplit {
  /// Indices into Profile::programs and Program::loops.
  uint32_t program = 0;
  uint32_t loop = 0;
  int64_t timePs = 0;
  /// Measurements (samples) in it.
  uint64_t count = 0;
  /// Time at instructions without an identity: in timePs, in no rawPs.
  int64_t unidentifiedPs = 0;
  /// Weight of one instruction.
  uint64_t unit = 1;
  /// By row.
  std::vector<LoopPart> parts;
};

/// The loops with time whose samples `match` (at `level`) split, most time
/// first.
std::vector<LoopSplit> splitLoops(const profile::Profile &profile,
                                  llvm::StringRef level,
                                  const ProgramMatch &match);

} // namespace mlirprof::attribution

#endif // MLIR_PROF_ATTRIBUTION_PROGRAMMATCH_H
