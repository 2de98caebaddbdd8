//===- Roofline.cpp - The report of what limits ops -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Numbers.h"
#include "../OpNames.h"
#include "../RollUp.h"
#include "Reports.h"
#include "mlir-prof/Report/ProgramTimes.h"
#include "llvm/ADT/DenseMap.h"

#include <cmath>
#include <map>

using namespace mlirprof;

/// The event that says that a thread worked.
static constexpr llvm::StringLiteral kWork = "work";
static constexpr double kPsPerSecond = 1e12;

namespace {
/// What one thread can do at most, a second; 0: unknown.
struct Peak {
  double flops = 0;
  double bytes = 0;
};

/// What the runs of one program did in all.
struct Total {
  uint64_t iterations = 0;
  Peak peak;
};

/// What one op did in all runs.
struct Work {
  double flops = 0;
  double bytes = 0;
  /// Iterations of the runs that know it.
  uint64_t iterations = 0;
};

using NodeKey = std::pair<uint32_t, uint32_t>;

/// The work of the ops of all programs.
struct WorkTable {
  explicit WorkTable(const Profile &profile);

  std::map<uint32_t, Total> totals;
  llvm::DenseMap<NodeKey, Work> works;
};
} // namespace

/// Threads of a run that worked, at least 1.
static uint64_t countThreads(const Profile &profile, const Run &run) {
  uint64_t threads = 0;
  for (const EventSummary &event : run.events)
    threads += event.name < profile.strings.size() &&
               profile.strings[event.name] == kWork && event.total.sum > 0;
  return std::max<uint64_t>(threads, 1);
}

/// Times are those of threads, so that the peak is that of one: of several that
/// share the machine, its part.
static Peak getPeak(const Machine &machine, uint64_t threads) {
  double all = machine.threads ? double(machine.threads) : 1;
  auto choose = [&](uint64_t one, uint64_t together) {
    return threads > 1 && together ? double(together) / all : double(one);
  };
  return {choose(machine.flopsOneThread, machine.flopsAllThreads),
          choose(machine.bytesOneThread, machine.bytesAllThreads)};
}

WorkTable::WorkTable(const Profile &profile) {
  ProgramIndex programs(profile);
  for (const Run &run : profile.runs) {
    llvm::DenseMap<uint32_t, bool> measured;
    for (const OpSummary &op : run.ops)
      if (op.op < profile.opKeys.size())
        measured[programs.find(profile.opKeys[op.op]).program] = true;
    for (auto [program, yes] : measured) {
      if (program == kNone)
        continue;
      Total &total = totals[program];
      addSaturating(total.iterations, run.iterations.count);
      Peak peak = getPeak(run.machine, countThreads(profile, run));
      total.peak.flops = std::max(total.peak.flops, peak.flops);
      total.peak.bytes = std::max(total.peak.bytes, peak.bytes);
    }
    for (const NodeWork &work : run.work) {
      uint32_t program = programs.findProgram(work.program);
      if (program == kNone || !measured.contains(program))
        continue;
      Work &sum = works[{program, work.node}];
      sum.flops += double(work.flops) * double(run.iterations.count);
      sum.bytes += double(work.bytes) * double(run.iterations.count);
      addSaturating(sum.iterations, run.iterations.count);
    }
  }
}

static bool isWork(NodeKind kind) {
  return kind == NodeKind::Operation || kind == NodeKind::Body;
}

/// Of each node the outermost op that holds it, itself included: what
/// functions, loops and branches hold. Work is that of whole ops, and an op's
/// body is part of it.
static std::vector<uint32_t> findOutermost(const Program &program) {
  return descend(program, kNone, [&](uint32_t node, uint32_t above) {
    bool isPart = above != kNone && isWork(program.nodes[node].kind) &&
                  isWork(program.nodes[above].kind);
    return isPart ? above : node;
  });
}

/// Time of the outermost ops of a level, by row.
static std::map<uint32_t, int64_t> rollUpTimes(const Profile &profile,
                                               const LevelTimes &times) {
  std::vector<std::vector<uint32_t>> outermost;
  for (const Program &program : profile.programs)
    outermost.push_back(findOutermost(program));
  std::map<uint32_t, int64_t> result;
  for (uint32_t row = 0; row < times.match.rows.size(); ++row) {
    const ProgramRow &at = times.match.rows[row];
    int64_t heatPs = times.getHeatPs(row);
    if (at.program == kNone || at.node == kNone || heatPs == 0)
      continue;
    uint32_t node = outermost[at.program][at.node];
    addSaturating(result[times.match.rowOf[at.program][node]], heatPs);
  }
  return result;
}

static Cell toCell(double value, bool isKnown = true) {
  if (!isKnown || !std::isfinite(value))
    return {};
  return int64_t(std::llround(std::min(value, 9e18)));
}

/// The cells of an op from its rates on; nulls where they are unknown.
static llvm::SmallVector<Cell> getLimits(const Work *work, int64_t timePs,
                                         const Peak &peak) {
  llvm::SmallVector<Cell> cells(5);
  cells.push_back("unknown");
  if (!work || timePs <= 0)
    return cells;
  double seconds = double(timePs) / kPsPerSecond;
  double flops = work->flops / seconds, bytes = work->bytes / seconds;
  cells[0] = toCell(flops);
  cells[1] = toCell(bytes);
  cells[2] = toCell(1000 * work->flops / work->bytes, work->bytes > 0);
  if (peak.flops <= 0 || peak.bytes <= 0 || work->flops + work->bytes <= 0)
    return cells;
  // The time that the op needs at least by each limit; the longer one binds.
  double compute = work->flops / peak.flops, memory = work->bytes / peak.bytes;
  cells[4] = toCell(1000 * work->flops / peak.flops / seconds);
  // More bytes than memory can give came from a cache, whose rate is not known.
  if (memory > compute && memory > seconds) {
    cells[5] = "cache";
    return cells;
  }
  cells[3] = toCell(1000 * std::max(compute, memory) / seconds);
  cells[5] = compute >= memory ? "compute" : "memory";
  return cells;
}

static Table makeTable() {
  Table table({{"index", "#", ColumnKind::Number},
               {"op", "op", ColumnKind::Text},
               {"location", "location", ColumnKind::Text},
               {"time_ps", "time/iteration", ColumnKind::Time},
               {"flops", "flop", ColumnKind::Count},
               {"bytes", "bytes", ColumnKind::Count},
               {"flops_per_second", "flop", ColumnKind::Rate},
               {"bytes_per_second", "bytes", ColumnKind::Rate},
               {"intensity_milli", "flop/byte", ColumnKind::Milli},
               {"attainable_permille", "of attainable", ColumnKind::Permille},
               {"peak_permille", "of flop peak", ColumnKind::Permille},
               {"bound", "bound", ColumnKind::Text}});
  table.defaultOrder = {{3, true}, {2, false}, {0, false}};
  table.weightColumn = 3;
  return table;
}

static void addRow(Table &table, const LevelTimes &times, uint32_t row,
                   int64_t timePs, const WorkTable &work) {
  const ProgramRow &at = times.match.rows[row];
  const MlirOp &op = times.getOp(row);
  auto total = work.totals.find(at.program);
  uint64_t iterations =
      total == work.totals.end() ? 0 : total->second.iterations;
  auto found = work.works.find({at.program, at.node});
  // Times hold all runs; work that not all know would look like less.
  const Work *known = iterations && found != work.works.end() &&
                              found->second.iterations == iterations
                          ? &found->second
                          : nullptr;
  double each = double(std::max<uint64_t>(iterations, 1));
  llvm::SmallVector<Cell> cells = {row,
                                   op.op,
                                   getPlace(op),
                                   toCell(double(timePs) / each),
                                   known ? toCell(known->flops / each) : Cell(),
                                   known ? toCell(known->bytes / each)
                                         : Cell()};
  cells.append(getLimits(
      known, timePs, total == work.totals.end() ? Peak() : total->second.peak));
  table.addRow(cells);
  addSaturating(table.weightTotal, std::llround(double(timePs) / each));
}

static Table build(const ReportInput &input, llvm::ArrayRef<OpSummary>,
                   RowSelection) {
  Table table = makeTable();
  // Work is known of the input alone.
  std::vector<std::string> levels = getLevels(input.profile);
  if (levels.empty())
    return table;
  LevelTimes times = getLevelTimes(input.profile, levels.front());
  WorkTable work(input.profile);
  for (auto [row, timePs] : rollUpTimes(input.profile, times))
    addRow(table, times, row, timePs, work);
  return table;
}

ReportKind report::Roofline() {
  return {"roofline",
          "ops of the input: operations and bytes, rates of a thread, and how "
          "near they are to what the machine can do",
          Needs::Program, build};
}
