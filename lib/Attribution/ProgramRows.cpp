//===- ProgramRows.cpp - The ops of a level as rows -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Attribution/ProgramMatch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <tuple>

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

namespace {

/// Lists the ops of a level.
class RowBuilder {
public:
  RowBuilder(const Profile &profile, ProgramMatch &match)
      : profile(profile), match(match) {
    addRow("builtin.module", {}, {});
    match.rowOf.resize(profile.programs.size());
  }

  void addNodes(uint32_t program, uint32_t level);
  void addCode(uint32_t program);

private:
  MlirOp &addRow(llvm::StringRef op, ProgramRow row, OpNumber number) {
    match.rows.push_back(row);
    match.ownership.numbers.push_back(number);
    match.ownership.ops.emplace_back();
    match.ownership.ops.back().op = op.str();
    return match.ownership.ops.back();
  }

  const Profile &profile;
  ProgramMatch &match;
};

} // namespace

void RowBuilder::addNodes(uint32_t index, uint32_t level) {
  const Program &program = profile.programs[index];
  std::vector<uint32_t> nodes;
  for (uint32_t i = 0; i != program.nodes.size(); ++i)
    if (program.nodes[i].level == level)
      nodes.push_back(i);
  llvm::sort(nodes, [&](uint32_t a, uint32_t b) {
    return std::make_tuple(program.nodes[a].position, a) <
           std::make_tuple(program.nodes[b].position, b);
  });
  std::vector<uint32_t> indices = getOpIndices(program);
  std::vector<uint32_t> &rowOf = match.rowOf[index];
  rowOf.assign(program.nodes.size(), kNone);
  for (uint32_t node : nodes) {
    const ProgramNode &from = program.nodes[node];
    rowOf[node] = uint32_t(match.rows.size());
    MlirOp &op =
        addRow(program.strings[from.op], {index, node}, {index, indices[node]});
    // As for the ops of modules, functions are not part of the paths.
    if (from.kind != NodeKind::Function)
      op.path = program.strings[from.name];
    op.location = program.strings[from.location];
    op.file = program.strings[from.file];
    op.line = from.line;
    op.cost = from.cost;
  }
  for (uint32_t node : nodes)
    if (uint32_t container = program.nodes[node].container; container != kNone)
      match.ownership.ops[rowOf[node]].parent = rowOf[container];
}

void RowBuilder::addCode(uint32_t index) {
  const Program &program = profile.programs[index];
  std::vector<uint32_t> order(program.functions.size());
  for (uint32_t i = 0; i != order.size(); ++i)
    order[i] = i;
  llvm::sort(order, [&](uint32_t a, uint32_t b) {
    return std::make_tuple(program.functions[a].begin, a) <
           std::make_tuple(program.functions[b].begin, b);
  });
  std::vector<uint32_t> &rowOf = match.rowOf[index];
  rowOf.assign(program.instructions.size(), kNone);
  const MachineFunction *function = nullptr;
  uint32_t functionRow = 0;
  size_t next = 0;
  // Functions and instructions are numbered like ops: after the module, in
  // order.
  uint32_t position = 0;
  for (auto [i, instruction] : llvm::enumerate(program.instructions)) {
    for (; next != order.size() &&
           program.functions[order[next]].begin <= instruction.address;
         ++next) {
      function = &program.functions[order[next]];
      functionRow = uint32_t(match.rows.size());
      addRow("function", {index, kNone}, {index, ++position}).path =
          function->name;
    }
    bool isInside = function && instruction.address < function->end;
    rowOf[i] = uint32_t(match.rows.size());
    llvm::StringRef text = program.strings[instruction.text];
    MlirOp &op = addRow(text.take_until(llvm::isSpace), {index, uint32_t(i)},
                        {index, ++position});
    op.path =
        (isInside ? function->name : std::string("text")) + "+0x" +
        llvm::utohexstr(instruction.address - (isInside ? function->begin : 0),
                        /*LowerCase=*/true);
    op.location = op.path;
    op.parent = isInside ? functionRow : 0;
    op.cost = 1;
  }
}

ProgramMatch attribution::matchProgramRows(const Profile &profile,
                                           llvm::StringRef level) {
  ProgramMatch match;
  RowBuilder builder(profile, match);
  for (uint32_t i = 0; i != profile.programs.size(); ++i) {
    const Program &program = profile.programs[i];
    uint32_t number = findLevel(program, level);
    if (number == program.levels.size())
      builder.addCode(i);
    else if (number != kNone)
      builder.addNodes(i, number);
  }
  match.ownership.matches = matchProgramKeys(profile, level, match.rowOf);
  return match;
}

Ownership attribution::matchProgram(const Profile &profile,
                                    llvm::StringRef level) {
  return matchProgramRows(profile, level).ownership;
}
