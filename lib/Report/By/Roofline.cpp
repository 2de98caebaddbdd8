//===- Roofline.cpp - The roofline report ---------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../WorkTable.h"
#include "Reports.h"
#include "mlir-prof/Report/OpNames.h"
#include "mlir-prof/Report/ProgramTimes.h"
#include "mlir-prof/Report/RollUp.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>
#include <map>

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

static constexpr double kPsPerSecond = 1e12;

static bool isWork(NodeKind kind) {
  return kind == NodeKind::Operation || kind == NodeKind::Body;
}

/// For each node, the outermost op within functions, loops and branches that
/// contains it (or the node itself). Work is that of whole ops, and an op's
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
    int64_t totalPs = times.getTotalPs(row);
    if (at.program == kNone || at.node == kNone || totalPs == 0)
      continue;
    uint32_t node = outermost[at.program][at.node];
    addSaturating(result[times.match.rowOf[at.program][node]], totalPs);
  }
  return result;
}

static Cell toCell(double value, bool isKnown = true) {
  if (!isKnown || !std::isfinite(value))
    return {};
  return int64_t(std::llround(std::min(value, 9e18)));
}

namespace {
/// The known limits of an op, and why the others are unknown.
struct Limits {
  Cell flops, bytes;
  Cell flopsPerSecond, bytesPerSecond, intensity;
  Cell attainable, ofPeak;
  llvm::StringRef bound = "unknown";
  std::vector<llvm::StringRef> reasons;
};
} // namespace

/// Finds the limits of an op that does `work` in each of `iterations`, which
/// took `timePs` together.
static void findLimits(Limits &limits, const IterationWork &work,
                       uint64_t iterations, int64_t timePs, const Peak &peak) {
  double seconds = double(timePs) / kPsPerSecond / double(iterations);
  limits.flopsPerSecond = toCell(work.flops / seconds);
  limits.bytesPerSecond = toCell(work.bytes / seconds);
  if (!peak.isKnown()) {
    limits.reasons.push_back("the recording lacks the machine's peak");
    return;
  }
  if (work.flops + work.bytes <= 0) {
    limits.reasons.push_back("it does not do any counted work");
    return;
  }
  // The minimum time of the op by each limit; the longer one binds.
  double compute = work.flops / peak.flops, memory = work.bytes / peak.bytes;
  // Faster than the machine: the measured peak is too low, or the compiler has
  // removed operations. Either way it is not the peak for this code.
  if (compute > seconds) {
    limits.bound = "above peak";
    limits.reasons.push_back("it is faster than the measured peak");
    return;
  }
  limits.ofPeak = toCell(1e6 * work.flops / peak.flops / seconds);
  // Bytes beyond the memory bandwidth came from a cache, whose rate is unknown.
  if (memory > seconds) {
    limits.bound = "cache";
    limits.reasons.push_back(
        "its data is in a cache, whose peak was not measured");
    return;
  }
  limits.attainable = toCell(1e6 * std::max(compute, memory) / seconds);
  limits.bound = compute >= memory ? "compute" : "memory";
}

static Limits getLimits(const ProgramRuns &runs,
                        const std::optional<IterationWork> &work,
                        int64_t timePs) {
  Limits limits;
  if (work) {
    limits.flops = toCell(work->flops);
    limits.bytes = toCell(work->bytes);
    limits.intensity = toCell(1e6 * work->flops / work->bytes, work->bytes > 0);
  } else {
    limits.reasons.push_back(
        runs.hasWork
            ? "its work cannot be counted"
            : "the recording lacks the work of its ops (name the model)");
  }
  if (!runs.iterations)
    limits.reasons.push_back("the number of iterations is not known");
  if (!work || !runs.iterations)
    return limits;
  if (timePs > 0 && *runs.iterations)
    findLimits(limits, *work, *runs.iterations, timePs, runs.peak);
  else
    limits.reasons.push_back("its time is 0");
  return limits;
}

namespace {
/// One op of the input.
struct RooflineRow {
  uint32_t row = 0;
  int64_t timePs = 0;
  ProgramRuns runs;
  Limits limits;
};
} // namespace

static Table makeTable(llvm::ArrayRef<RooflineRow> rows, bool severalPrograms) {
  auto showIf = [](bool condition) {
    return condition ? ColumnUse::Data : ColumnUse::DataOnly;
  };
  bool lacksIterations = llvm::any_of(
      rows, [](const RooflineRow &row) { return !row.runs.iterations; });
  bool hasReasons = llvm::any_of(
      rows, [](const RooflineRow &row) { return !row.limits.reasons.empty(); });
  Table table(
      {{"index", "#", ColumnKind::Number},
       {"op", "op", ColumnKind::Text},
       {"location", "location", ColumnKind::Text},
       {"time_ps", "time", ColumnKind::Time, showIf(lacksIterations)},
       {"iterations", "iterations", ColumnKind::Count, ColumnUse::DataOnly},
       {"iteration_ps", "time/iteration", ColumnKind::Time, ColumnUse::Data,
        Total::None},
       {"flops", "flop", ColumnKind::Count},
       {"bytes", "bytes", ColumnKind::Count},
       {"flops_per_second", "flop", ColumnKind::Rate},
       {"bytes_per_second", "bytes", ColumnKind::Rate},
       {"intensity_ppm", "flop/byte", ColumnKind::Ratio},
       {"attainable_ppm", "of attainable", ColumnKind::Share},
       {"peak_ppm", "of flop peak", ColumnKind::Share},
       {"bound", "bound", ColumnKind::Text},
       {"reason", "why not all is known", ColumnKind::Text, showIf(hasReasons)},
       getProgramColumn(severalPrograms)});
  table.defaultOrder = {{3, true}, {2, false}, {0, false}};
  table.weightColumn = 3;
  return table;
}

static void addRow(Table &table, const LevelTimes &times,
                   const RooflineRow &row) {
  const MlirOp &op = times.getOp(row.row);
  OpNumber number = times.match.ownership.getNumber(row.row);
  const Limits &limits = row.limits;
  std::optional<uint64_t> iterations = row.runs.iterations;
  std::string reason = llvm::join(limits.reasons, "; ");
  table.addRow({getIndexCell(number), op.op, getPlace(op), row.timePs,
                iterations ? Cell(*iterations) : Cell(),
                iterations && *iterations
                    ? toCell(double(row.timePs) / double(*iterations))
                    : Cell(),
                limits.flops, limits.bytes, limits.flopsPerSecond,
                limits.bytesPerSecond, limits.intensity, limits.attainable,
                limits.ofPeak, limits.bound,
                reason.empty() ? Cell() : Cell(reason), number.program});
  addSaturating(table.weightTotal, row.timePs);
}

static Table build(const ReportInput &input, llvm::ArrayRef<OpSummary>,
                   RowSelection) {
  bool severalPrograms = input.profile.programs.size() > 1;
  // Work is known for the input level only.
  std::vector<std::string> levels = getLevels(input.profile);
  if (levels.empty())
    return makeTable({}, severalPrograms);
  LevelTimes times = getLevelTimes(input.profile, levels.front());
  WorkTable work(input.profile);
  std::vector<RooflineRow> rows;
  for (auto [row, timePs] : rollUpTimes(input.profile, times)) {
    const ProgramRow &at = times.match.rows[row];
    const ProgramRuns &runs = work.getRuns(at.program);
    rows.push_back({row, timePs, runs,
                    getLimits(runs, work.find(at.program, at.node), timePs)});
  }
  Table table = makeTable(rows, severalPrograms);
  for (const RooflineRow &row : rows)
    addRow(table, times, row);
  return table;
}

ReportKind report::Roofline() {
  return {"roofline",
          "ops of the input: operations and bytes, rates per thread, and how "
          "close they are to the machine's limits",
          Needs::Program, build};
}
