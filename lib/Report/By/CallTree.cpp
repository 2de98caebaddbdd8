//===- CallTree.cpp - The report of call trees ----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reports.h"
#include "mlir-prof/Attribution/Instances.h"
#include "mlir-prof/Report/ProgramTimes.h"
#include "mlir-prof/Report/RollUp.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

/// Limit on the depth: deeper inlined calls count for the deepest one shown, as
/// do calls without room for their names; longer names are cut. Each row
/// contains the names of all rows above it.
static constexpr size_t kMaxDepth = 64;
static constexpr size_t kMaxRows = 1 << 16;
static constexpr size_t kMaxName = 200;

namespace {
/// The tree of functions and of the calls inlined into them.
class CallPaths {
public:
  /// Adds `timePs` to the self time of the innermost of `path`, and to the
  /// total of all.
  void charge(llvm::ArrayRef<std::string> path, int64_t timePs);
  Table takeTable(llvm::ArrayRef<OpSummary> merged) const;

private:
  struct Row {
    std::string key;
    uint32_t parent;
    int64_t depth;
    int64_t selfPs = 0;
    int64_t totalPs = 0;
  };
  std::vector<Row> rows;
  llvm::StringMap<uint32_t> ids;
};
} // namespace

void CallPaths::charge(llvm::ArrayRef<std::string> path, int64_t timePs) {
  uint32_t row = kNone;
  std::string key;
  for (const std::string &component : path.take_front(kMaxDepth)) {
    key += (key.empty() ? "" : "/") + component.substr(0, kMaxName);
    if (rows.size() >= kMaxRows && row != kNone && !ids.contains(key))
      break;
    auto [it, inserted] = ids.try_emplace(key, uint32_t(rows.size()));
    if (inserted)
      rows.push_back({key, row, row == kNone ? 0 : rows[row].depth + 1});
    row = it->second;
    addSaturating(rows[row].totalPs, timePs);
  }
  if (row != kNone)
    addSaturating(rows[row].selfPs, timePs);
}

Table CallPaths::takeTable(llvm::ArrayRef<OpSummary> merged) const {
  Table table({{"key", "function", ColumnKind::Text},
               {"total_ps", "total", ColumnKind::Time},
               {"self_ps", "self", ColumnKind::Time},
               {"depth", "depth", ColumnKind::Number, ColumnUse::TextOnly}});
  table.defaultOrder = {{1, true}, {0, false}};
  table.weightColumn = 1;
  table.weightTotal = getOpTimePs(merged);
  for (const Row &row : rows) {
    table.addRow({row.key, row.totalPs, row.selfPs, row.depth});
    table.parents.push_back(row.parent);
  }
  return table;
}

static std::string getFunctionOr(const Program &program, uint32_t node) {
  llvm::StringRef name = getFunctionName(program, node);
  return name.empty() ? "(no function)" : name.str();
}

/// Functions from the outermost caller to the one that owns `node`: the one
/// where the code was written, thus that of the node's first origin.
static std::vector<std::string> getPath(const Program &program, uint32_t node,
                                        uint32_t instance,
                                        AncestorTable &inputs,
                                        llvm::ArrayRef<uint32_t> indices) {
  std::vector<uint32_t> calls = getInlinedCalls(program, node, instance);
  llvm::ArrayRef<uint32_t> origins = inputs.get(node, instance);
  uint32_t owner = origins.empty() ? node : origins.front();
  std::vector<std::string> path = {
      getFunctionOr(program, calls.empty() ? owner : calls.back())};
  for (size_t i = calls.size(); i-- > 0;) {
    std::string callee = getFunctionOr(program, i ? calls[i - 1] : owner);
    std::string place = getPlace(program, calls[i]);
    path.push_back(
        callee + " at " +
        (place.empty() ? "call #" + llvm::utostr(indices[calls[i]]) : place));
  }
  return path;
}

/// Charges the measurements of one program. Time of instructions is split among
/// the ops of their loops, at the last level, which distinguishes ops best.
static void chargeProgram(CallPaths &tree, const Profile &profile,
                          llvm::ArrayRef<OpSummary> merged, uint32_t index) {
  const Program &program = profile.programs[index];
  if (program.levels.empty())
    return;
  AncestorTable inputs(program, 0);
  std::vector<uint32_t> indices = getOpIndices(program);
  LevelTimes times = getLevelTimes(profile, program.levels.back());
  InstanceFinder instances(program);
  auto charge = [&](const OpKey &key, uint32_t node, int64_t timePs) {
    if (!timePs || node >= program.nodes.size())
      return;
    for (auto [instance, partPs] : instances.split(key, timePs))
      if (partPs)
        tree.charge(getPath(program, node, instance, inputs, indices), partPs);
  };
  ProgramIndex programs(profile);
  for (const OpSummary &op : merged) {
    const OpKey &key = profile.opKeys[op.op];
    MeasuredNode measured = programs.find(key);
    if (measured.program != index || op.measurements.empty())
      continue;
    // A loop or function with a probe may not have any code left.
    if (key.is<ProbeKey>()) {
      charge(key, measured.node, op.getTimePs());
      continue;
    }
    const Match &match = times.match.ownership.matches[op.op];
    if (!hasOwners(match))
      continue;
    std::vector<int64_t> parts =
        splitExactly(op.getTimePs(), getWeights(match));
    for (auto [row, part] : llvm::zip_equal(match.ops, parts))
      charge(key, times.match.rows[row].node, part);
  }
}

static Table build(const ReportInput &input, llvm::ArrayRef<OpSummary> merged,
                   RowSelection) {
  CallPaths tree;
  for (uint32_t i = 0; i < input.profile.programs.size(); ++i)
    chargeProgram(tree, input.profile, merged, i);
  return tree.takeTable(merged);
}

ReportKind report::CallTree() {
  return {"call-tree",
          "functions, and in them the calls that were inlined: a callee owns "
          "its time, callers roll it up",
          Needs::Program, build};
}
