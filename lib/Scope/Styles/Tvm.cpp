//===- Tvm.cpp - Tables of TVM's profiler ---------------------------------===//
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

static std::string writeTable(const std::vector<Cells> &lines) {
  std::vector<size_t> widths(lines.front().size());
  for (const Cells &line : lines)
    for (size_t column = 0; column != line.size(); ++column)
      widths[column] =
          std::max(widths[column], style::countColumns(line[column]));
  size_t length = widths.size() - 1;
  for (size_t width : widths)
    length += width + 2;
  std::string separator(length, '-'), text;
  for (size_t index = 0; index != lines.size(); ++index) {
    for (size_t column = 0; column != widths.size(); ++column) {
      text += column ? "| " : " ";
      text += style::padLeft(lines[index][column], widths[column]) + " ";
    }
    text += "\n";
    if (index == 0)
      text += separator + "\n";
  }
  return text + separator;
}

static StyledText write(const Recordings &recordings,
                        const StyleOptions &options) {
  TableOptions table;
  table.mergesThreads = !options.separatesThreads.value_or(false);
  std::vector<TableRow> rows = makeBestTable(recordings, table);
  sortRows(rows, RowOrder::Total);
  std::string unit = options.unit.empty() ? "min" : options.unit;
  double unitPs = style::getUnitPs(unit);
  double totalPs =
      double(options.totalPs.value_or(style::getSpanPs(recordings)));
  auto makeLine = [&](std::string id, std::string name, double ps) {
    return Cells{std::move(id), std::move(name),
                 style::formatFixed(ps / unitPs, 4),
                 style::formatFixed(style::getRatio(ps, totalPs) * 100, 4)};
  };
  std::vector<Cells> lines = {
      {"ID", "Name", "Time (" + unit + ")", "Percentage"},
      makeLine("", "Total", totalPs)};
  for (const TableRow &row : rows)
    if (row.calls)
      lines.push_back(makeLine(std::to_string(lines.size() - 1),
                               makeCell(row.name, style::kNameColumns),
                               double(row.totalPs)));
  // A total of nothing is all of it.
  lines[1].back() = "100.0000";
  return {writeTable(lines), {}};
}

Style style::Tvm() {
  return {"tvm", "the table of TVM's profiler: minutes and percentages by name",
          {},    {"min", "s", "ms", "us", "ns"},
          {},    write};
}
