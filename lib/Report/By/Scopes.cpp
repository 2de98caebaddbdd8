//===- Scopes.cpp - The report of scopes ----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reports.h"
#include "mlir-prof/Report/ModelCalls.h"
#include "mlir-prof/Scope/Table.h"
#include "mlir-prof/Trace/Time.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using scope::TableRow;

/// Limits of keys, each of which contains the names of all rows above: longer
/// names are cut there, and rows below longer keys have the same key.
static constexpr size_t kMaxName = 200;
static constexpr size_t kMaxKey = 4096;

static std::vector<Column> makeColumns() {
  constexpr auto kHidden = ColumnUse::DataOnly;
  return {
      {"key", "scope", ColumnKind::Text},
      {"name", "name", ColumnKind::Text, kHidden},
      {"calls", "calls", ColumnKind::Count},
      {"total_ps", "total", ColumnKind::Time},
      {"self_ps", "self", ColumnKind::Time},
      {"min_ps", "min", ColumnKind::Time, kHidden},
      {"average_ps", "average", ColumnKind::Time, ColumnUse::Data, Total::None},
      {"p50_ps", "p50", ColumnKind::Time, ColumnUse::Data, Total::None},
      {"p90_ps", "p90", ColumnKind::Time, kHidden},
      {"p99_ps", "p99", ColumnKind::Time, ColumnUse::Data, Total::None},
      {"p999_ps", "p99.9", ColumnKind::Time, kHidden},
      {"max_ps", "max", ColumnKind::Time, ColumnUse::Data, Total::Most},
      {"raw_total_ps", "raw total", ColumnKind::Time, kHidden},
      {"raw_self_ps", "raw self", ColumnKind::Time, kHidden},
      {"first_end_ps", "first end", ColumnKind::Time, kHidden},
      {"open", "open", ColumnKind::Count, kHidden},
      {"open_ps", "open for", ColumnKind::Time, kHidden},
      {"linked", "linked", ColumnKind::Count, kHidden},
      {"linked_ps", "linked for", ColumnKind::Time, kHidden},
      {"self_is_bound", "self is a bound", ColumnKind::Number, kHidden},
      {"allocations", "allocations", ColumnKind::Count, kHidden},
      {"allocated_bytes", "bytes", ColumnKind::Count, kHidden},
      {"cpu_ps", "CPU", ColumnKind::Time, kHidden},
      {"cycles", "cycles", ColumnKind::Count, kHidden},
      {"instructions", "instructions", ColumnKind::Count, kHidden},
      {"cache_misses", "cache misses", ColumnKind::Count, kHidden},
      {"branch_misses", "branch misses", ColumnKind::Count, kHidden},
      {"page_faults", "page faults", ColumnKind::Count, kHidden},
      {"context_switches", "switches", ColumnKind::Count, kHidden},
      {"depth", "depth", ColumnKind::Number, ColumnUse::TextOnly}};
}

/// An amount, or nothing if it was not counted.
static Cell makeCount(const TableRow &row, scope::Count count) {
  if (!row.has(count))
    return {};
  uint64_t amount = row.counts[unsigned(count)];
  // Nanoseconds, where a column has picoseconds.
  if (count == scope::Count::CpuTime)
    return trace::saturatingMul(int64_t(std::min<uint64_t>(amount, INT64_MAX)),
                                1000);
  return amount;
}

static std::string makeKey(const TableRow &row, llvm::StringRef parent) {
  if (parent.size() > kMaxKey)
    return parent.str();
  std::string name = row.name.substr(0, kMaxName);
  return parent.empty() ? name : (parent + "/" + name).str();
}

static Table build(const ReportInput &input, llvm::ArrayRef<OpSummary>,
                   RowSelection) {
  scope::Recordings recordings;
  for (const Run &run : input.profile.runs)
    if (run.scopes)
      recordings.push_back(run.scopes.get());
  scope::TableOptions options;
  // Those of statistics do not have paths.
  if (!haveBetterStatistics(recordings))
    options.key = scope::RowKey::Path;
  std::vector<TableRow> rows = makeBestTable(recordings, options);
  addModelRows(input.profile, rows);
  Table table(makeColumns());
  scope::TableNotes notes = describeBestTable(recordings);
  table.notes = std::move(notes.missing);
  if (!notes.names.empty())
    table.notes.push_back(std::move(notes.names));
  table.defaultOrder = {{3, true}, {0, false}};
  // Totals of scopes that overlap are not parts of one another's.
  table.weightColumn = 4;
  std::vector<std::string> keys;
  for (const TableRow &row : rows) {
    bool isRoot = row.parent == scope::kNoScope;
    keys.push_back(makeKey(row, isRoot ? "" : keys[row.parent]));
    llvm::SmallVector<Cell> cells = {
        keys.back(),        row.name,
        row.calls,          row.totalPs,
        row.selfPs,         row.minPs,
        row.getAveragePs(), row.p50Ps,
        row.p90Ps,          row.p99Ps,
        row.p999Ps,         row.maxPs,
        row.rawTotalPs,     row.rawSelfPs,
        row.firstEndPs,     row.open,
        row.openPs,         row.linked,
        row.linkedPs,       uint32_t(row.isSelfBound)};
    for (size_t kind = 0; kind != scope::kCounts; ++kind)
      cells.push_back(makeCount(row, scope::Count(kind)));
    cells.push_back(row.depth);
    table.addRow(cells);
    table.parents.push_back(isRoot ? trace::kNone : row.parent);
    trace::addSaturating(table.weightTotal, row.selfPs);
  }
  return table;
}

ReportKind report::Scopes() {
  return {"scope", "scopes that a program names, below those around them",
          Needs::Profile, build};
}
