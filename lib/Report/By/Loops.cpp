//===- Loops.cpp - The report of loops ------------------------------------===//
//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../LoopTable.h"
#include "Reports.h"
#include "mlir-prof/Report/OpNames.h"
#include "mlir-prof/Report/RollUp.h"
#include "llvm/Support/MathExtras.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

/// The cells for a loop's trip count per entry: the constant one, least, most,
/// mean in millionths, and the number of entries whose trips were not kept.
static llvm::SmallVector<Cell> getTrips(const ProgramNode &node,
                                        const ObservedTrips *seen) {
  if (node.trips >= 0)
    return {node.trips, node.trips, node.trips,
            llvm::SaturatingMultiply<uint64_t>(uint64_t(node.trips), 1000000),
            uint64_t(0)};
  if (!seen || seen->entered == seen->other)
    return llvm::SmallVector<Cell>(5);
  __int128 counted = seen->entered - seen->other;
  __int128 ppm = (__int128(seen->sum) * 1000000 + counted / 2) / counted;
  bool isConstant = seen->least == seen->most && seen->other == 0;
  return {isConstant ? Cell(seen->least) : Cell(), seen->least, seen->most,
          int64_t(std::clamp<__int128>(ppm, INT64_MIN, INT64_MAX)),
          seen->other};
}

/// Whether some shown loop has a varying trip count.
static bool haveTripsThatVary(const LoopTable &loops) {
  return llvm::any_of(loops.trips, [](const auto &entry) {
    return entry.second.least != entry.second.most || entry.second.other;
  });
}

/// The best level for showing loops: that of the loops with probes, else
/// "loops", else the last one with loops.
static std::string chooseLevel(const ReportInput &input,
                               llvm::ArrayRef<OpSummary> merged) {
  if (!input.level.empty())
    return input.level.str();
  const Profile &profile = input.profile;
  ProgramIndex programs(profile);
  for (const OpSummary &op : merged) {
    const OpKey &key = profile.opKeys[op.op];
    MeasuredNode measured = programs.find(key);
    if (!key.is<ProbeKey>() || measured.node == kNone ||
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
  std::string place = getPlace(program, loop.node);
  std::string function = loops.getFunction(loop).str();
  Cell executions = loop.hasProbe ? Cell(loop.executions)
                    : trips       ? Cell(trips->entered)
                                  : Cell();
  auto timeOrNull = [&](int64_t ps) {
    return loops.hasTime(loop) ? Cell(ps) : Cell();
  };
  llvm::SmallVector<Cell> cells = {
      getIndexCell(loops.getNumber(loop)),
      orNull(function),
      getString(program, node.op),
      loop.depth,
      loop.height,
      loop.parent == kNone
          ? Cell()
          : getIndexCell(loops.getNumber(loops.loops[loop.parent]))};
  cells.append(getTrips(node, trips));
  cells.append({executions, timeOrNull(loop.timePs), timeOrNull(loop.selfPs),
                orNull(place), program.levels[node.level], loop.program,
                loop.hasProbe ? Cell(loop.rawPs) : Cell(),
                loop.hasProbe ? Cell(loop.rawSelfPs) : Cell()});
  table.addRow(cells);
}

static Table makeTable(llvm::ArrayRef<OpSummary> merged, bool severalPrograms,
                       const LoopTable &loops) {
  auto showIf = [](bool condition) {
    return condition ? ColumnUse::Data : ColumnUse::DataOnly;
  };
  ColumnUse varying = showIf(haveTripsThatVary(loops));
  ColumnUse raw = showIf(loops.hasProbes);
  std::vector<Column> columns = {
      {"index", "#", ColumnKind::Number},
      {"function", "function", ColumnKind::Text},
      {"op", "op", ColumnKind::Text},
      {"depth", "depth", ColumnKind::Number},
      {"height", "height", ColumnKind::Number},
      {"parent", "parent", ColumnKind::Number},
      {"trips", "trips", ColumnKind::Count},
      {"trips_min", "least", ColumnKind::Count, varying},
      {"trips_max", "most", ColumnKind::Count, varying},
      {"trips_mean_ppm", "mean", ColumnKind::Ratio, varying},
      {"trips_other", "other", ColumnKind::Count, varying},
      {"executions", "executions", ColumnKind::Count},
      {"time_ps", "time", ColumnKind::Time},
      {"self_ps", "self", ColumnKind::Time},
      {"location", "location", ColumnKind::Text},
      {"level", "level", ColumnKind::Text},
      getProgramColumn(severalPrograms),
      {"raw_ps", "raw", ColumnKind::Time, raw},
      {"raw_self_ps", "raw self", ColumnKind::Time, raw}};
  Table table(columns);
  uint32_t time = *table.findColumn("time_ps");
  table.defaultOrder = {
      {time, true}, {*table.findColumn("program"), false}, {0, false}};
  table.weightColumn = time;
  table.weightTotal = getOpTimePs(merged);
  return table;
}

static Table build(const ReportInput &input, llvm::ArrayRef<OpSummary> merged,
                   RowSelection selection) {
  LoopTable loops(input.profile, merged, chooseLevel(input, merged));
  Table table = makeTable(merged, input.profile.programs.size() > 1, loops);
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
