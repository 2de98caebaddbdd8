//===- Tree.cpp - Scopes below those around them --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Text.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::scope;

using Cells = std::vector<std::string>;

/// Times in parentheses, of open and linked scopes, are raw.
static constexpr const char *kBase = ", without what recording took\n";

namespace {
struct Order {
  const char *name;
  RowOrder order;
};
} // namespace

static constexpr Order kOrders[] = {
    {"total", RowOrder::Total},     {"self", RowOrder::Self},
    {"calls", RowOrder::Calls},     {"first-end", RowOrder::FirstEnd},
    {"min", RowOrder::Min},         {"max", RowOrder::Max},
    {"average", RowOrder::Average}, {"name", RowOrder::Name}};

/// The unit in which the longest row has at least one digit before the point.
static std::string chooseUnit(const std::vector<TableRow> &rows) {
  int64_t most = 0;
  for (const TableRow &row : rows)
    most = std::max(most, row.totalPs);
  for (const char *unit : {"s", "ms", "us"})
    if (double(most) >= style::getUnitPs(unit))
      return unit;
  return "ns";
}

static std::string makeThread(const Recordings &recordings, const TableRow &row,
                              const std::vector<std::string> &machines) {
  const Recording &recording = *recordings[row.recording];
  const Thread &thread = recording.threads[row.thread];
  std::string name =
      makeCell(thread.name.empty() ? "thread" : thread.name, 32) + " " +
      std::to_string(thread.id);
  if (recordings.size() < 2)
    return name;
  std::string process = "process " + std::to_string(recording.process);
  if (row.recording < machines.size() && !machines[row.recording].empty())
    process += " on " + makeCell(machines[row.recording], 64);
  return process + ", " + name;
}

static std::string writeTable(const std::vector<Cells> &lines) {
  std::vector<size_t> widths(lines.front().size());
  // Lines of one cell are titles.
  for (const Cells &line : lines)
    for (size_t column = 0; line.size() != 1 && column != line.size(); ++column)
      widths[column] =
          std::max(widths[column], style::countColumns(line[column]));
  std::string text;
  for (const Cells &line : lines) {
    for (size_t column = 0; column + 1 < line.size(); ++column)
      text += style::padLeft(line[column], widths[column]) + "  ";
    text += line.back() + "\n";
  }
  return text;
}

/// The amounts that rows have.
static uint32_t findCounts(const std::vector<TableRow> &rows) {
  uint32_t known = 0;
  for (const TableRow &row : rows)
    known |= row.knownCounts;
  return known;
}

static Cells makeHeader(uint32_t counts) {
  Cells cells = {"calls", "total", "self", "min", "average",
                 "p50",   "p90",   "p99",  "max"};
  for (size_t kind = 0; kind != kCounts; ++kind)
    if (counts >> kind & 1)
      cells.emplace_back(getCountName(Count(kind)));
  cells.push_back("scope");
  return cells;
}

static Cells makeLine(const TableRow &row, double unitPs, uint32_t counts) {
  auto time = [&](int64_t ps) {
    return style::formatFixed(double(ps) / unitPs, 3);
  };
  std::string name = std::string(2 * std::min<size_t>(row.depth, 40), ' ') +
                     makeCell(row.name, style::kNameColumns);
  if (row.open)
    name +=
        " (" + std::to_string(row.open) + " open for " + time(row.openPs) + ")";
  if (row.linked)
    name += " (" + std::to_string(row.linked) + " on other threads for " +
            time(row.linkedPs) + ")";
  Cells cells = {std::to_string(row.calls), time(row.totalPs),
                 (row.isSelfBound ? "<= " : "") + time(row.selfPs)};
  for (int64_t ps : {row.minPs, row.getAveragePs(), row.p50Ps, row.p90Ps,
                     row.p99Ps, row.maxPs})
    cells.push_back(row.isGroup ? "" : time(ps));
  for (size_t kind = 0; kind != kCounts; ++kind)
    if (counts >> kind & 1)
      cells.push_back(row.has(Count(kind)) ? std::to_string(row.counts[kind])
                                           : "");
  cells.push_back(std::move(name));
  return cells;
}

static StyledText write(const Recordings &recordings,
                        const StyleOptions &options) {
  TableOptions table;
  // Those of statistics do not have paths.
  if (!haveBetterStatistics(recordings))
    table.key = RowKey::Path;
  table.mergesThreads = !options.separatesThreads.value_or(false);
  table.separator = options.separator;
  std::vector<TableRow> rows = makeBestTable(recordings, table);
  for (const Order &order : kOrders)
    if (order.name == (options.sort.empty() ? kOrders[0].name : options.sort))
      sortRows(rows, order.order);
  std::string unit = options.unit.empty() ? chooseUnit(rows) : options.unit;
  double unitPs = style::getUnitPs(unit);
  uint32_t counts = findCounts(rows);
  std::vector<Cells> lines = {makeHeader(counts)};
  if (table.mergesThreads) {
    for (const TableRow &row : rows)
      lines.push_back(makeLine(row, unitPs, counts));
    return {"times in " + unit + kBase + writeTable(lines), {}};
  }
  // Each thread is a table with the same columns.
  std::stable_sort(rows.begin(), rows.end(),
                   [](const TableRow &a, const TableRow &b) {
                     return std::make_pair(a.recording, a.thread) <
                            std::make_pair(b.recording, b.thread);
                   });
  const TableRow *last = nullptr;
  for (const TableRow &row : rows) {
    if (!last || last->recording != row.recording || last->thread != row.thread)
      lines.push_back({makeThread(recordings, row, options.machines)});
    last = &row;
    lines.push_back(makeLine(row, unitPs, counts));
  }
  return {"times in " + unit + kBase + writeTable(lines), {}};
}

Style style::Tree() {
  std::vector<const char *> sorts;
  for (const Order &order : kOrders)
    sorts.push_back(order.name);
  return {"tree",
          "scopes below those around them, with self time and percentiles",
          std::move(sorts),
          {"s", "ms", "us", "ns"},
          {},
          write};
}
