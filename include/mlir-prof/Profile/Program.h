//===- Program.h - A compiled model and its levels --------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_PROFILE_PROGRAM_H
#define MLIR_PROF_PROFILE_PROGRAM_H

#include "mlir-prof/Trace/Event.h"

#include <string>
#include <utility>
#include <vector>

namespace mlirprof::profile {

enum class NodeKind : uint8_t {
  Operation,
  Loop,
  Function,
  Call,
  Branch,
  /// An op in the body of a structured op (the arith.mulf of linalg.matmul): a
  /// part of that op's computation, to which its time belongs.
  Body,
};

/// One op at one level of a program: its identity is its index in
/// Program::nodes. Strings are indices into Program::strings, whose first one
/// is always "".
struct ProgramNode {
  /// Index into Program::levels.
  uint32_t level = 0;
  NodeKind kind = NodeKind::Operation;
  /// "linalg.matmul".
  uint32_t op = 0;
  /// The name in its location ("mlp/fc1/matmul"), or for a function its symbol.
  uint32_t name = 0;
  /// Its location as text, for people.
  uint32_t location = 0;
  /// User's source position; file is 0 if unknown.
  uint32_t file = 0;
  uint32_t line = 0;
  /// The node of the enclosing op, at the same level, or kNone. Containers do
  /// not form cycles.
  uint32_t container = trace::kNone;
  /// Its position in the level's IrModule in pre-order (the module is 0), or
  /// kNone.
  uint32_t position = trace::kNone;
  /// Static cost in abstract units; 0 for ops that do not do work.
  uint64_t cost = 0;
  /// Loop with constant bounds: iterations per entry; else -1.
  int64_t trips = -1;
  /// Origins at earlier levels, ascending, no repeats. For inlined code these
  /// belong to the callee.
  std::vector<uint32_t> parents;
  /// Nodes of earlier levels: the calls through which it was inlined since its
  /// parents, innermost first.
  std::vector<uint32_t> callers;
};

/// The kind of a probe's measurement. Ids of probes are their indices:
/// pre-order in the instrumented module.
enum class ProbeKind : uint8_t {
  Function,
  Loop,
  Operation,
  /// Wall time of a parallel region, on the thread that enters it.
  Parallel,
  /// The work of each thread in a parallel region.
  Work,
};

struct ProgramProbe {
  ProbeKind kind = ProbeKind::Operation;
  /// Index into Program::nodes.
  uint32_t node = trace::kNone;
  /// The probe around it, or kNone.
  uint32_t parent = trace::kNone;
  /// Loops around it in its function, and loops nested in it (its height);
  /// the outermost loop has depth 0, the innermost height 0.
  uint32_t depth = 0;
  uint32_t height = 0;
};

/// Kinds of values that a run observes.
enum class ValueKind : uint8_t {
  /// Joint tuples of the dynamic dimensions of a function's arguments.
  Dimensions,
  /// Trip counts of a loop.
  Trips,
  /// The direction of a branch: 0 or 1 (the first region or successor).
  Branch,
  /// Joint tuples of a function's single-integer arguments; i1: 0 or 1.
  Arguments,
};

/// A place that records values. Its index is the number of its table in the
/// runtime.
struct ValueSite {
  ValueKind kind = ValueKind::Dimensions;
  /// Index into Program::nodes.
  uint32_t node = trace::kNone;
  /// One for each element of a tuple ("arg0.dim0").
  std::vector<std::string> names;
};

struct MachineFunction {
  std::string name;
  /// Offsets in the text section.
  uint64_t begin = 0;
  uint64_t end = 0;
};

/// An innermost loop of the machine code.
struct MachineLoop {
  uint64_t begin = 0;
  uint64_t end = 0;
  /// Whether it calls functions: then the position of a sample identifies the
  /// op.
  bool calls = false;
};

struct Instruction {
  /// Offset in the text section.
  uint64_t address = 0;
  /// Node of the last level of Program::levels, or kNone.
  uint32_t node = trace::kNone;
  /// "vfmadd231ps %zmm0, %zmm1, %zmm2": index into Program::strings.
  uint32_t text = 0;
  /// The innermost loop around it: index into Program::loops, or kNone.
  uint32_t loop = trace::kNone;
};

/// A dispatch: one place of the host side that runs a kernel, which other
/// dispatches may run, too. Its number is its index in Program::instances.
struct ProgramInstance {
  /// The op of the host side that runs it, and the kernel's function. All
  /// instances of a program have theirs at one level, "dispatch".
  uint32_t node = trace::kNone;
  uint32_t kernel = trace::kNone;
  /// Where the kernel's ops come from here: an op in `kernel`, and one of its
  /// parents. Ascending, no repeats. The parents of a kernel's op are these of
  /// all instances together.
  std::vector<std::pair<uint32_t, uint32_t>> origins;
};

/// A call of a kernel by the host side's code.
struct MachineCall {
  /// The return address: offset in the text section.
  uint64_t address = 0;
  /// Index into Program::instances.
  uint32_t instance = 0;
};

/// A compiled model: its ops at every level and their origins. The levels are
/// those of MLIR, first to last ("input" ... "llvm"); the level "asm", the
/// instructions, follows implicitly if there are any.
struct Program {
  /// fingerprintProgram() of all that follows.
  std::string fingerprint;
  /// The entry function, and the pipeline by which it was compiled ("default",
  /// a textual pipeline).
  std::string entry;
  std::string pipeline;
  /// The CPU for which the code was compiled.
  std::string target;
  std::vector<std::string> levels;
  std::vector<std::string> strings;
  std::vector<ProgramNode> nodes;
  std::vector<ProgramProbe> probes;
  std::vector<ValueSite> sites;
  std::vector<MachineFunction> functions;
  std::vector<MachineLoop> loops;
  /// By address.
  std::vector<Instruction> instructions;
  /// Empty unless code is shared.
  std::vector<ProgramInstance> instances;
  /// By address.
  std::vector<MachineCall> calls;
};

struct ValueCount {
  std::vector<int64_t> tuple;
  uint64_t count = 0;
};

/// The values observed at one place in a run: exact for the listed tuples.
struct ValueTable {
  ValueKind kind = ValueKind::Dimensions;
  /// Fingerprint of the program, and the node in it.
  std::string program;
  uint32_t node = trace::kNone;
  /// One for each element of a tuple ("arg0.dim0").
  std::vector<std::string> names;
  std::vector<ValueCount> entries;
  /// Observations of tuples that did not fit.
  uint64_t other = 0;
  /// The dispatch in which they were seen, or kNone.
  uint32_t instance = trace::kNone;
};

/// The work of an op of the input level in one execution of the entry function,
/// with the shapes of the run.
struct NodeWork {
  /// Fingerprint of the program, and the node in it.
  std::string program;
  uint32_t node = trace::kNone;
  uint64_t flops = 0;
  /// Bytes of its operands and results, each read or written once.
  uint64_t bytes = 0;
};

} // namespace mlirprof::profile

#endif // MLIR_PROF_PROFILE_PROGRAM_H
