//===- RollUp.cpp - Times of groups of ops --------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Report/RollUp.h"
#include "mlir-prof/Profile/CallCounts.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::trace;

uint32_t OpGroups::add(llvm::StringRef key, uint32_t parent) {
  auto [it, inserted] = ids.try_emplace(key, uint32_t(keys.size()));
  if (inserted) {
    keys.push_back(it->first());
    parents.push_back(parent);
  }
  return it->second;
}

bool report::hasOwners(const Match &match) {
  return match.matchClass != MatchClass::Unmatched && !match.ops.empty();
}

std::vector<uint64_t> report::getWeights(const Match &match) {
  std::vector<uint64_t> weights = match.weights;
  weights.resize(match.ops.size());
  return weights;
}

namespace {
/// Charges one measured op after another to the groups of its owners.
class GroupCharger {
public:
  explicit GroupCharger(const OpGroups &groups)
      : groups(groups), times(groups.size()), owners(groups.size()),
        parts(groups.size()) {}

  void charge(const Match &match, int64_t timePs);
  std::vector<GroupTime> take() { return std::move(times); }

private:
  const OpGroups &groups;
  std::vector<GroupTime> times;
  /// For the current measured op: how many owners each group has, their
  /// estimated parts, and which groups have any.
  std::vector<uint32_t> owners;
  std::vector<int64_t> parts;
  std::vector<uint32_t> touched;
};
} // namespace

void GroupCharger::charge(const Match &match, int64_t timePs) {
  std::vector<int64_t> split = splitExactly(timePs, getWeights(match));
  for (auto [op, part] : llvm::zip_equal(match.ops, split))
    for (uint32_t group = groups.groupOfOp[op]; group != kNone;
         group = groups.getParent(group)) {
      if (owners[group]++ == 0)
        touched.push_back(group);
      parts[group] += part;
    }
  for (uint32_t group : touched) {
    GroupTime &time = times[group];
    if (owners[group] == match.ops.size() &&
        (match.matchClass != MatchClass::Partial || match.ops.size() == 1)) {
      addSaturating(time.solePs, timePs);
    } else {
      addSaturating(time.sharedPs, timePs);
      addSaturating(time.estimatedPs, parts[group]);
    }
    owners[group] = 0;
    parts[group] = 0;
  }
  touched.clear();
}

std::vector<GroupTime> report::rollUp(const ReportInput &input,
                                      llvm::ArrayRef<OpSummary> merged,
                                      const OpGroups &groups) {
  GroupCharger charger(groups);
  for (const OpSummary &op : merged) {
    const Match &match = input.ownership->matches[op.op];
    if (hasOwners(match) && !op.measurements.empty())
      charger.charge(match, op.getTimePs());
  }
  std::vector<GroupTime> times = charger.take();
  std::vector<uint64_t> calls = countCalls(
      input.profile, merged, groups.size(), [&](uint32_t op, TakeOwners take) {
        const Match &match = input.ownership->matches[op];
        if (!hasOwners(match))
          return;
        llvm::SmallSetVector<uint32_t, 8> around;
        for (uint32_t owner : match.ops)
          for (uint32_t group = groups.groupOfOp[owner];
               group != kNone && around.insert(group);
               group = groups.getParent(group))
            ;
        take(around.getArrayRef());
      });
  for (auto [time, count] : llvm::zip_equal(times, calls))
    time.count = count;
  return times;
}

int64_t report::getOpTimePs(llvm::ArrayRef<OpSummary> merged) {
  int64_t sum = 0;
  for (const OpSummary &op : merged)
    addSaturating(sum, op.getTimePs());
  return sum;
}

Table report::makeRollUpTable(llvm::ArrayRef<OpSummary> merged,
                              llvm::StringRef keyTitle, Shape shape,
                              llvm::ArrayRef<Column> parts) {
  std::vector<Column> columns = {
      {"key", keyTitle.str(), ColumnKind::Text},
      {"count", "count", ColumnKind::Count},
      {"sole_ps", "sole", ColumnKind::Time},
      {"shared_ps", "shared", ColumnKind::Time},
      {"estimated_ps", "estimated", ColumnKind::Time},
      {"total_ps", "total", ColumnKind::Time}};
  if (shape == Shape::Tree)
    columns.push_back(
        {"depth", "depth", ColumnKind::Number, ColumnUse::TextOnly});
  llvm::append_range(columns, parts);
  Table table(columns);
  table.defaultOrder = {{5, true}, {0, false}};
  table.weightColumn = 5;
  table.weightTotal = getOpTimePs(merged);
  return table;
}

void report::addRollUpRow(Table &table, llvm::StringRef key,
                          const GroupTime &time, std::optional<int64_t> depth,
                          llvm::ArrayRef<Cell> parts) {
  int64_t total = time.solePs;
  addSaturating(total, time.estimatedPs);
  llvm::SmallVector<Cell> cells = {key,           time.count,       time.solePs,
                                   time.sharedPs, time.estimatedPs, total};
  if (depth)
    cells.push_back(*depth);
  cells.append(parts.begin(), parts.end());
  table.addRow(cells);
}

Table report::buildFlatRollUp(
    const ReportInput &input, llvm::ArrayRef<OpSummary> merged,
    RowSelection selection, llvm::StringRef keyTitle,
    llvm::function_ref<std::string(const MlirOp &)> keyOf,
    const KeyParts &parts) {
  OpGroups groups;
  std::vector<uint32_t> firstOf;
  for (auto [i, op] : llvm::enumerate(input.ownership->ops)) {
    groups.groupOfOp.push_back(groups.add(keyOf(op)));
    if (groups.size() != firstOf.size())
      firstOf.push_back(uint32_t(i));
  }
  std::vector<GroupTime> times = rollUp(input, merged, groups);
  Table table = makeRollUpTable(merged, keyTitle, Shape::Flat, parts.columns);
  for (uint32_t group = 0; group < groups.size(); ++group)
    if (times[group].count || selection == RowSelection::All)
      addRollUpRow(table, groups.getKey(group), times[group], std::nullopt,
                   parts.get(firstOf[group]));
  return table;
}

Table report::buildMeasuredRollUp(
    llvm::ArrayRef<OpSummary> merged, llvm::StringRef keyTitle,
    llvm::function_ref<std::string(uint32_t)> keyOf, const KeyParts &parts) {
  llvm::StringMap<uint32_t> positions;
  std::vector<std::pair<llvm::StringRef, GroupTime>> rows;
  std::vector<uint32_t> firstOf;
  for (const OpSummary &op : merged) {
    if (op.measurements.empty())
      continue;
    auto [it, inserted] = positions.try_emplace(keyOf(op.op), rows.size());
    if (inserted) {
      rows.push_back({it->first(), {}});
      firstOf.push_back(op.op);
    }
    GroupTime &time = rows[it->second].second;
    addSaturating(time.count, op.getCount());
    addSaturating(time.solePs, op.getTimePs());
  }
  Table table = makeRollUpTable(merged, keyTitle, Shape::Flat, parts.columns);
  for (auto [row, first] : llvm::zip_equal(rows, firstOf))
    addRollUpRow(table, row.first, row.second, std::nullopt, parts.get(first));
  return table;
}
