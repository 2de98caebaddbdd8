//===- Loops.cpp - The report of loops ------------------------------------===//
//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../LoopTable.h"
#include "../RollUp.h"
#include "Reports.h"
#include "mlir-prof/Report/Units.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlirprof;

/// "64", "3..17 mean 8.250", or "" when unknown.
static std::string formatTrips(const ProgramNode &node,
                               const ObservedTrips *seen) {
  if (node.trips >= 0)
    return llvm::itostr(node.trips);
  if (!seen || seen->entered == seen->other)
    return "";
  std::string text = llvm::itostr(seen->least);
  if (seen->most != seen->least) {
    __int128 counted = seen->entered - seen->other;
    int64_t milli = int64_t((seen->sum * 1000 + counted / 2) / counted);
    text += ".." + llvm::itostr(seen->most) + " mean " +
            formatTimeIn(milli, {"", 1000});
  }
  return seen->other ? text + " and others" : text;
}

/// The level that loops are best shown at: that of the loops that have probes,
/// else "loops", else the last that has loops.
static std::string chooseLevel(const ReportInput &input,
                               llvm::ArrayRef<OpSummary> merged) {
  if (!input.level.empty())
    return input.level.str();
  const Profile &profile = input.profile;
  ProgramIndex programs(profile);
  for (const OpSummary &op : merged) {
    const OpKey &key = profile.opKeys[op.op];
    MeasuredNode measured = programs.find(key);
    if (key.kind != OpKeyKind::Probe || measured.node == kNone ||
        op.measurements.empty())
      continue;
    const Program &program = profile.programs[measured.program];
    if (program.nodes[measured.node].kind == NodeKind::Loop)
      return program.levels[program.nodes[measured.node].level];
  }
  std::string last;
  for (const Program &program : profile.programs) {
    if (findLevel(program, "loops") != kNone)
      return "loops";
    uint32_t level = 0;
    for (const ProgramNode &node : program.nodes)
      if (node.kind == NodeKind::Loop && node.level >= level) {
        level = node.level;
        last = program.levels[level];
      }
  }
  return last;
}

static Cell orNull(const std::string &text) {
  return text.empty() ? Cell() : Cell(text);
}

static void addRow(Table &table, const Profile &profile, const LoopTable &loops,
                   const ProgramLoop &loop) {
  const Program &program = profile.programs[loop.program];
  const ProgramNode &node = program.nodes[loop.node];
  auto seen = loops.trips.find({loop.program, loop.node});
  const ObservedTrips *trips =
      seen == loops.trips.end() ? nullptr : &seen->second;
  std::string text = formatTrips(node, trips);
  std::string place = getPlace(program, loop.node);
  std::string function = loops.getFunction(loop).str();
  Cell executions = loop.hasProbe ? Cell(loop.executions)
                    : trips       ? Cell(trips->entered)
                                  : Cell();
  auto timeOrNull = [&](int64_t ps) {
    return loops.hasTime(loop) ? Cell(ps) : Cell();
  };
  llvm::SmallVector<Cell> cells = {
      loop.node,
      orNull(function),
      getString(program, node.op),
      loop.depth,
      loop.height,
      loop.parent == kNone ? Cell() : Cell(loops.loops[loop.parent].node),
      orNull(text),
      executions,
      timeOrNull(loop.timePs),
      timeOrNull(loop.selfPs),
      orNull(place)};
  if (profile.programs.size() > 1)
    cells.push_back(loop.program);
  if (loops.hasProbes)
    cells.append({loop.hasProbe ? Cell(loop.rawPs) : Cell(),
                  loop.hasProbe ? Cell(loop.rawSelfPs) : Cell()});
  table.addRow(cells);
}

static Table makeTable(llvm::ArrayRef<OpSummary> merged, bool severalPrograms,
                       bool hasProbes) {
  std::vector<Column> columns = {
      {"id", "id", ColumnKind::Number},
      {"function", "function", ColumnKind::Text},
      {"op", "op", ColumnKind::Text},
      {"depth", "depth", ColumnKind::Number},
      {"height", "height", ColumnKind::Number},
      {"parent", "parent", ColumnKind::Number},
      {"trips", "trips", ColumnKind::Text},
      {"executions", "executions", ColumnKind::Count},
      {"time_ps", "time", ColumnKind::Time},
      {"self_ps", "self", ColumnKind::Time},
      {"location", "location", ColumnKind::Text}};
  if (severalPrograms)
    columns.push_back({"program", "program", ColumnKind::Number});
  if (hasProbes) {
    columns.push_back({"raw_ps", "raw", ColumnKind::Time});
    columns.push_back({"raw_self_ps", "raw self", ColumnKind::Time});
  }
  Table table(columns);
  table.defaultOrder = {{8, true}, {0, false}};
  if (severalPrograms)
    table.defaultOrder.insert(table.defaultOrder.begin() + 1, {11, false});
  table.weightColumn = 8;
  table.weightTotal = getOpTimePs(merged);
  return table;
}

static Table build(const ReportInput &input, llvm::ArrayRef<OpSummary> merged,
                   RowSelection selection) {
  LoopTable loops(input.profile, merged, chooseLevel(input, merged));
  Table table =
      makeTable(merged, input.profile.programs.size() > 1, loops.hasProbes);
  for (const ProgramLoop &loop : loops.loops)
    if ((loops.hasTime(loop) && (loop.timePs || loop.executions)) ||
        selection == RowSelection::All)
      addRow(table, input.profile, loops, loop);
  return table;
}

ReportKind report::Loops() {
  return {"loop",
          "loops: how they nest, their trips and executions, and their time "
          "with and without the loops in them",
          Needs::Program, build};
}
