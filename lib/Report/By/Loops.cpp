//===- Loops.cpp - The report of loops ------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Numbers.h"
#include "../OpNames.h"
#include "../ProgramTimes.h"
#include "../RollUp.h"
#include "Reports.h"
#include "mlir-prof/Report/Units.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlirprof;

namespace {
using NodeKey = std::pair<uint32_t, uint32_t>;

/// Trip counts that runs observed at one loop.
struct Trips {
  int64_t least = 0;
  int64_t most = 0;
  __int128 sum = 0;
  /// How often the loop was entered, and of these how often its trips were
  /// counted as other.
  uint64_t entered = 0;
  uint64_t other = 0;
};

struct Loop {
  uint32_t program = 0;
  uint32_t node = 0;
  /// Position of the loop around it in the list, or kNone.
  uint32_t parent = kNone;
  int64_t depth = 0;
  int64_t height = 0;
  int64_t selfPs = 0;
  int64_t timePs = 0;
  /// Of a loop with a probe: how often it was entered, and its time before the
  /// cost of the probes was subtracted.
  bool hasProbe = false;
  uint64_t executions = 0;
  int64_t rawPs = 0;
  int64_t rawSelfPs = 0;
};

/// Collects the loops of one level.
class LoopTable {
public:
  LoopTable(const Profile &profile, llvm::ArrayRef<OpSummary> merged,
            llvm::StringRef level);

  /// Whether the time of a loop is known: it was sampled, or has a probe.
  bool hasTime(const Loop &loop) const {
    return loop.hasProbe || sampled[loop.program];
  }

  llvm::StringRef getFunction(const Loop &loop) const {
    const Program &program = profile.programs[loop.program];
    uint32_t function = functions[loop.program][loop.node];
    return function == kNone ? llvm::StringRef()
                             : getString(program, program.nodes[function].name);
  }

  std::vector<Loop> loops;
  /// Whether some loop has a probe.
  bool hasProbes = false;
  llvm::DenseMap<NodeKey, Trips> trips;
  const LevelTimes times;

private:
  void findLoops(llvm::StringRef level);
  void nest();
  void chargeSamples();
  void chargeProbes(llvm::ArrayRef<OpSummary> merged);
  void observe();

  const Profile &profile;
  llvm::DenseMap<NodeKey, uint32_t> positions;
  /// Of each program and node the innermost loop that holds it, itself
  /// included, or kNone.
  std::vector<std::vector<uint32_t>> loopOf;
  std::vector<uint32_t> innermostFirst;
  std::vector<std::vector<uint32_t>> functions;
  /// Of each program whether its instructions were sampled: then every loop has
  /// all of its time.
  std::vector<bool> sampled;
};
} // namespace

LoopTable::LoopTable(const Profile &profile, llvm::ArrayRef<OpSummary> merged,
                     llvm::StringRef level)
    : times(getLevelTimes(profile, level)), profile(profile),
      sampled(profile.programs.size()) {
  findLoops(level);
  nest();
  chargeSamples();
  chargeProbes(merged);
  observe();
}

void LoopTable::findLoops(llvm::StringRef level) {
  for (uint32_t program = 0; program < profile.programs.size(); ++program) {
    const Program &info = profile.programs[program];
    uint32_t index = findLevel(info, level);
    for (uint32_t node = 0; node < info.nodes.size(); ++node)
      if (info.nodes[node].level == index &&
          info.nodes[node].kind == NodeKind::Loop) {
        positions[{program, node}] = uint32_t(loops.size());
        Loop &loop = loops.emplace_back();
        loop.program = program;
        loop.node = node;
      }
  }
}

void LoopTable::nest() {
  for (uint32_t program = 0; program < profile.programs.size(); ++program) {
    const Program &info = profile.programs[program];
    auto find = [&](uint32_t node) { return positions.find({program, node}); };
    loopOf.push_back(descend(info, kNone, [&](uint32_t node, uint32_t above) {
      auto it = find(node);
      return it == positions.end() ? above : it->second;
    }));
    functions.push_back(findFunctions(info));
    std::vector<uint32_t> depths =
        descend(info, 0, [&](uint32_t node, uint32_t above) {
          return above + (find(node) != positions.end());
        });
    for (Loop &loop : loops)
      if (loop.program == program) {
        uint32_t container = info.nodes[loop.node].container;
        loop.parent =
            container < info.nodes.size() ? loopOf.back()[container] : kNone;
        loop.depth = int64_t(depths[loop.node]) - 1;
      }
  }
  for (uint32_t loop = 0; loop < loops.size(); ++loop)
    innermostFirst.push_back(loop);
  llvm::sort(innermostFirst, [&](uint32_t a, uint32_t b) {
    return loops[a].depth > loops[b].depth;
  });
  for (uint32_t loop : innermostFirst)
    if (uint32_t parent = loops[loop].parent; parent != kNone)
      loops[parent].height =
          std::max(loops[parent].height, loops[loop].height + 1);
}

/// The time of each op is of the loop around it and, inclusive, of all loops
/// around that.
void LoopTable::chargeSamples() {
  for (uint32_t row = 0; row < times.match.rows.size(); ++row) {
    const ProgramRow &at = times.match.rows[row];
    int64_t heatPs = times.getHeatPs(row);
    // At the level of instructions rows are no nodes, and there are no loops.
    if (at.program == kNone || at.node >= loopOf[at.program].size() ||
        heatPs == 0 || loops.empty())
      continue;
    uint32_t loop = loopOf[at.program][at.node];
    if (loop != kNone)
      addSaturating(loops[loop].selfPs, heatPs);
  }
  for (uint32_t loop : innermostFirst) {
    addSaturating(loops[loop].timePs, loops[loop].selfPs);
    if (uint32_t parent = loops[loop].parent; parent != kNone)
      addSaturating(loops[parent].timePs, loops[loop].timePs);
  }
}

/// What was measured around a loop itself takes the place of what its ops add
/// up to.
void LoopTable::chargeProbes(llvm::ArrayRef<OpSummary> merged) {
  ProgramIndex programs(profile);
  for (const OpSummary &op : merged) {
    const OpKey &key = profile.opKeys[op.op];
    MeasuredNode measured = programs.find(key);
    if (measured.index == kNone || op.measurements.empty())
      continue;
    if (key.kind == OpKeyKind::Code) {
      sampled[measured.program] = true;
      continue;
    }
    ProbeKind kind =
        profile.programs[measured.program].probes[measured.index].kind;
    auto it = positions.find({measured.program, measured.node});
    if (it == positions.end() ||
        (kind != ProbeKind::Loop && kind != ProbeKind::Parallel))
      continue;
    Loop &loop = loops[it->second];
    if (!loop.hasProbe)
      loop.timePs = loop.selfPs = 0;
    loop.hasProbe = hasProbes = true;
    addSaturating(loop.executions, op.getCount());
    addSaturating(loop.timePs, op.getSum(Quantity::Execute));
    addSaturating(loop.selfPs, op.getTimePs());
    addSaturating(loop.rawPs, op.getSum(Quantity::RawExecute));
    addSaturating(loop.rawSelfPs, op.getSum(Quantity::RawSelf));
  }
}

void LoopTable::observe() {
  ProgramIndex programs(profile);
  for (const Run &run : profile.runs)
    for (const ValueTable &values : run.values) {
      uint32_t program = programs.findProgram(values.program);
      if (values.kind != ValueKind::Trips || program == kNone)
        continue;
      Trips &seen = trips[{program, values.node}];
      for (const ValueCount &entry : values.entries) {
        if (entry.tuple.empty() || entry.count == 0)
          continue;
        int64_t value = entry.tuple.front();
        bool first = seen.entered == seen.other;
        seen.least = first ? value : std::min(seen.least, value);
        seen.most = first ? value : std::max(seen.most, value);
        seen.sum += __int128(value) * __int128(entry.count);
        addSaturating(seen.entered, entry.count);
      }
      addSaturating(seen.entered, values.other);
      addSaturating(seen.other, values.other);
    }
}

/// "64", "3..17 mean 8.250", or "" when unknown.
static std::string formatTrips(const ProgramNode &node, const Trips *seen) {
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
                   const Loop &loop) {
  const Program &program = profile.programs[loop.program];
  const ProgramNode &node = program.nodes[loop.node];
  auto seen = loops.trips.find({loop.program, loop.node});
  const Trips *trips = seen == loops.trips.end() ? nullptr : &seen->second;
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
  for (const Loop &loop : loops.loops)
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
