//===- ProgramMatch.h - Ops that own machine code ---------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matching by identity: an instruction has a node of the last level, which has
// ancestors at every earlier level. MLIR is not needed.
//
// In a machine-code loop without calls the program counter does not identify
// the op: samples pile up where the loop waits for its longest dependence
// chain. If the instructions of such a loop belong to several ops of a level,
// all samples of the loop belong to the set of these ops, split by the number
// of instructions of each (an instruction of several ops counts in equal
// parts); if there are divisions, by how much each op lengthens the loop
// (LoopOwners.cpp). An instruction without an identity belongs to the ops of
// the other instructions of its loop. In loops with calls, and in code outside
// of loops, a sample counts for the instruction where it was taken.
//
// Code of a kernel serves several dispatches (Program::instances). A
// measurement names the one that ran it, which determines its owners at the
// levels before that of the dispatches. One that does not is split among all
// dispatches of the kernel by their static cost.
//
// A probe's measurement belongs to the probe's node, at earlier levels to the
// node's ancestors, and at later levels to its descendants: a set, split by
// static cost, if there are several.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_ATTRIBUTION_PROGRAMMATCH_H
#define MLIR_PROF_ATTRIBUTION_PROGRAMMATCH_H

#include "mlir-prof/Attribution/Ownership.h"
#include "mlir-prof/Profile/ProgramLevels.h"
#include "llvm/ADT/DenseMap.h"

#include <memory>

namespace mlirprof::attribution {

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

/// The table row of each node, by index into Profile::programs and node (at the
/// level "asm", instruction); kNone or absent if it does not have a row.
using NodeRows = std::vector<std::vector<uint32_t>>;

/// Finds the rows of the owners of measurements by `mlir-prof record`, key by
/// key.
class ProgramKeyMatcher {
public:
  /// `profile` and `rows` must outlive it.
  ProgramKeyMatcher(const profile::Profile &profile, llvm::StringRef level,
                    const NodeRows &rows);
  ~ProgramKeyMatcher();

  /// The owners of `key` of the profile; none for other kinds than Code, Probe
  /// and Outside. Call it for keys in their order: the number of owners that
  /// are distinguished is limited over all of them.
  Match match(const profile::OpKey &key);

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

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
  /// The first op represents the module; then all nodes of the level follow, in
  /// order of position. At the level "asm" functions, each followed by its
  /// instructions (op = mnemonic, path = "main+0x1a4").
  Ownership ownership;
  /// One for each of ownership.ops.
  std::vector<ProgramRow> rows;
  NodeRows rowOf;
};

/// Matches `profile` with the ops of `level` as listed in its programs. If no
/// program has such a level, keys do not have owners.
ProgramMatch matchProgramRows(const profile::Profile &profile,
                              llvm::StringRef level);

/// The ownership alone.
Ownership matchProgram(const profile::Profile &profile, llvm::StringRef level);

//===----------------------------------------------------------------------===//
// Changes made by the split
//===----------------------------------------------------------------------===//

/// One op of a loop whose time was split.
struct LoopPart {
  /// Row in ProgramMatch::ownership.ops.
  uint32_t row = 0;
  /// Its instructions in the loop, in units of LoopSplit::unit.
  uint64_t weight = 0;
  /// Its part of the loop's time, by the split and by the program counter.
  int64_t estimatedPs = 0;
  int64_t rawPs = 0;
};

/// A machine-code loop whose samples were split.
struct LoopSplit {
  /// Indices into Profile::programs and Program::loops.
  uint32_t program = 0;
  uint32_t loop = 0;
  /// The dispatch that ran it, if the loop's ops differ between dispatches;
  /// else kNone. Samples whose dispatch is unknown are left out then.
  uint32_t instance = trace::kNone;
  int64_t timePs = 0;
  /// Number of measurements (samples) in it.
  uint64_t count = 0;
  /// Time at instructions without an identity: included in timePs, but not in
  /// any rawPs.
  int64_t unidentifiedPs = 0;
  /// Weight of one instruction.
  uint64_t unit = 1;
  /// In order of rows.
  std::vector<LoopPart> parts;
};

/// The loops with time whose samples `match` (at `level`) split, most time
/// first.
std::vector<LoopSplit> splitLoops(const profile::Profile &profile,
                                  llvm::StringRef level,
                                  const ProgramMatch &match);

} // namespace mlirprof::attribution

#endif // MLIR_PROF_ATTRIBUTION_PROGRAMMATCH_H
