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

#ifndef MLIR_PROF_PROFILE_PROGRAMMATCH_H
#define MLIR_PROF_PROFILE_PROGRAMMATCH_H

#include "mlir-prof/Profile/Ownership.h"
#include "llvm/ADT/DenseMap.h"

namespace mlirprof {

/// Name of the level that the instructions are.
inline constexpr llvm::StringLiteral kAsmLevel = "asm";

/// Whether `key` is of a place in a program that the profile holds.
inline bool isOfProgram(const OpKey &key) {
  return key.kind == OpKeyKind::Code || key.kind == OpKeyKind::Probe;
}

/// The levels of all programs of `profile`, first to last, "asm" last where a
/// program has instructions. Empty when it has no program.
std::vector<std::string> getLevels(const Profile &profile);

/// The symbol of the program's entry function: what Program::entry says, else
/// that of the only function of its first level; "" where there are several.
llvm::StringRef getEntry(const Program &program);

/// For each node the index by which reports call it (OpNumber::index): its
/// position; at a level of which no positions are known, its place among the
/// nodes of the level, the module being 0.
std::vector<uint32_t> getOpIndices(const Program &program);

/// Index of `level` in Program::levels, that of "asm" being one past the last;
/// kNone when the program has no such level.
uint32_t findLevel(const Program &program, llvm::StringRef level);

/// The op that `node` is a part of: of an op in the body of a structured op
/// that op, else itself.
uint32_t getWholeOp(const Program &program, uint32_t node);

/// What a sample in a loop of several ops counts for.
enum class LoopRule : uint8_t {
  /// All ops of the loop, split by static instruction counts.
  Split,
  /// The op of the instruction that the program counter pointed to.
  Raw,
};

//===----------------------------------------------------------------------===//
// Where nodes come from
//===----------------------------------------------------------------------===//

/// The ancestors at one level of all nodes of a program.
class AncestorTable {
public:
  /// `program` must outlive this. `level` is an index into Program::levels.
  AncestorTable(const Program &program, uint32_t level);

  /// Nodes of the level that `node` came from, ascending; itself if it is of
  /// the level. For bodies of structured ops these ops stand. None for nodes of
  /// earlier levels, and for those that have more than can be told apart
  /// (isTooMany).
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

/// The calls that `node` was inlined through, innermost first: its own and
/// those of what it came from. Of several origins the first counts. They are of
/// levels before the node's.
std::vector<uint32_t> getInlinedCalls(const Program &program, uint32_t node);

/// The function that holds `node`, at the node's level, or kNone.
uint32_t getFunction(const Program &program, uint32_t node);

/// The way from an instruction up to the first level: for each level, first to
/// last, the nodes that it came from.
std::vector<std::vector<uint32_t>> getChain(const Program &program,
                                            uint32_t instruction);

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

/// What row of a table each node is, by index into Profile::programs and node
/// (at the level "asm", instruction); kNone or absent where it is none.
using NodeRows = std::vector<std::vector<uint32_t>>;

/// For each op key of `profile` the rows of its owners at `level`. Keys of
/// other kinds than Code, Probe and Outside stay empty.
std::vector<Match> matchProgramKeys(const Profile &profile,
                                    llvm::StringRef level, const NodeRows &rows,
                                    LoopRule rule = LoopRule::Split);

/// A node of a program (at the level "asm", an instruction).
struct ProgramRow {
  /// Index into Profile::programs, or kNone for the table's first row.
  uint32_t program = kNone;
  /// kNone for functions at the level "asm".
  uint32_t node = kNone;
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
ProgramMatch matchProgramRows(const Profile &profile, llvm::StringRef level,
                              LoopRule rule = LoopRule::Split);

/// The ownership alone.
Ownership matchProgram(const Profile &profile, llvm::StringRef level);

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

/// The loops with time whose samples `match` (with LoopRule::Split, at `level`)
/// split, most time first.
std::vector<LoopSplit> splitLoops(const Profile &profile, llvm::StringRef level,
                                  const ProgramMatch &match);

/// Total time of a row by the split and by the program counter alone: the range
/// in which the truth is to be expected.
struct TotalRange {
  int64_t estimatedPs = 0;
  int64_t rawPs = 0;
};

/// For each row of matchProgramRows(profile, level).
std::vector<TotalRange> getTotalRanges(const Profile &profile,
                                       llvm::StringRef level);

} // namespace mlirprof

#endif // MLIR_PROF_PROFILE_PROGRAMMATCH_H
