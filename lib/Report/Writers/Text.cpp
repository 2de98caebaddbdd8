//===- Text.cpp - Reports as text for people ------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TextStyle.h"
#include "TextTree.h"
#include "Writers.h"
#include "mlir-prof/Report/Printable.h"
#include "mlir-prof/Support/Units.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::report;
using namespace mlirprof::trace;

namespace {

/// A column in the output.
struct TextColumn {
  /// Position in the table; kNone for the share bar.
  uint32_t column = kNone;
  std::string heading;
  TimeUnit unit;
  unsigned width = 0;
  bool isText = false;
};

/// Writes the rows. Cells are formatted twice, to measure and to print, so a
/// million rows do not need memory.
class TextWriter {
public:
  TextWriter(const Report &report, const WriteOptions &options,
             llvm::raw_ostream &os);
  void write();

private:
  void addColumn(uint32_t column);
  std::string format(const TextColumn &column, const TreeRow &row) const;
  std::string formatName(uint32_t column, const TreeRow &row) const;
  void fitWidths();
  void writeCell(const TextColumn &column, llvm::StringRef text, Style style);
  void writeRow(const TreeRow &row);

  const Report &report;
  const Table &table;
  const WriteOptions &options;
  llvm::raw_ostream &os;
  /// The column that indentation applies to: the first column of a tree.
  static constexpr uint32_t kKeyColumn = 0;
  std::vector<TreeRow> rows;
  std::vector<TextColumn> columns;
};

} // namespace

/// Narrower names are not informative.
static constexpr unsigned kMinNameWidth = 12;
/// Without a limit on the width, longer names stick out: one of them must not
/// widen a million rows.
static constexpr unsigned kMaxPadding = 100;

/// The unit in which `rate` is not below 1: "G" and so on. Units of rates, like
/// those of time, are factors of a thousand apart.
static TimeUnit chooseRateUnit(int64_t rate) {
  static constexpr const char *kPrefixes[] = {"1", "k", "M", "G", "T"};
  TimeUnit unit{kPrefixes[0], 1};
  for (size_t i = 1; i < std::size(kPrefixes) && rate / unit.ps >= 1000; ++i)
    unit = {kPrefixes[i], unit.ps * 1000};
  return unit;
}

TextWriter::TextWriter(const Report &report, const WriteOptions &options,
                       llvm::raw_ostream &os)
    : report(report), table(report.table), options(options), os(os),
      rows(arrangeTree(table, report.view, kKeyColumn)) {
  // Numbers first: their columns are narrow and line up; names are cut last.
  if (table.weightColumn) {
    TextColumn share;
    share.heading = "share";
    columns.push_back(share);
  }
  for (bool names : {false, true})
    for (auto [i, column] : llvm::enumerate(table.getColumns()))
      if (isName(column.kind) == names && column.use != ColumnUse::DataOnly &&
          (table.parents.empty() || column.name != "depth"))
        addColumn(uint32_t(i));
  for (TextColumn &column : columns) {
    column.width = displayWidth(column.heading);
    for (const TreeRow &row : rows)
      column.width = std::max(column.width, displayWidth(format(column, row)));
  }
  fitWidths();
}

void TextWriter::addColumn(uint32_t column) {
  const Column &info = table.getColumns()[column];
  TextColumn text;
  text.column = column;
  text.heading = info.title;
  text.isText = info.kind == ColumnKind::Text || info.kind == ColumnKind::List;
  if (info.kind == ColumnKind::Time) {
    // The unit in which the largest number is not below 1.
    text.unit = {"ps", 1};
    for (const TreeRow &row : rows) {
      TimeUnit unit = chooseTimeUnit(table.getInteger(row.row, column));
      text.unit = unit.ps > text.unit.ps ? unit : text.unit;
    }
    text.heading += " [" + text.unit.name.str() + "]";
  }
  if (info.kind == ColumnKind::Rate) {
    int64_t largest = 0;
    for (const TreeRow &row : rows)
      largest = std::max(largest, table.getInteger(row.row, column));
    text.unit = chooseRateUnit(largest);
    text.heading += " [" + text.unit.name.str() + "/s]";
  }
  columns.push_back(std::move(text));
}

std::string TextWriter::formatName(uint32_t column, const TreeRow &row) const {
  if (table.getColumns()[column].kind == ColumnKind::List)
    return formatList(table.getList(row.row, column));
  llvm::StringRef name = table.getText(row.row, column);
  if (column != kKeyColumn || table.parents.empty())
    return printable(name);
  return std::string(2 * row.indent, ' ') +
         printable(name.drop_front(row.skip));
}

std::string TextWriter::format(const TextColumn &column,
                               const TreeRow &row) const {
  if (column.column == kNone) {
    int64_t part = table.getInteger(row.row, *table.weightColumn);
    std::string percent = formatPercent(part, table.weightTotal);
    return makeBar(part, table.weightTotal) +
           std::string(percent.size() < 8 ? 8 - percent.size() : 0, ' ') +
           percent;
  }
  if (table.isNull(row.row, column.column))
    return "-";
  if (column.isText)
    return formatName(column.column, row);
  if (table.getColumns()[column.column].kind == ColumnKind::Decimal)
    return table.getText(row.row, column.column).str();
  int64_t value = table.getInteger(row.row, column.column);
  switch (table.getColumns()[column.column].kind) {
  case ColumnKind::Time:
  case ColumnKind::Rate:
    return formatTimeIn(value, column.unit);
  case ColumnKind::Ratio:
    return formatTimeIn(value, kMillionths);
  case ColumnKind::Share:
    return formatPercent(value, kMillionths.ps);
  default:
    return std::to_string(value);
  }
}

void TextWriter::fitWidths() {
  auto getTotal = [&] {
    unsigned total = 2 * unsigned(columns.size() - 1);
    for (const TextColumn &column : columns)
      total += column.width;
    return total;
  };
  // Derived columns are dropped before names are cut.
  if (options.width && getTotal() > options.width)
    llvm::erase_if(columns, [&](const TextColumn &column) {
      return column.column != kNone &&
             table.getColumns()[column.column].use == ColumnUse::TextOnly;
    });
  unsigned total = getTotal();
  while (options.width && total > options.width) {
    TextColumn *widest = nullptr;
    for (TextColumn &column : columns)
      if (column.isText && (!widest || column.width > widest->width))
        widest = &column;
    if (!widest || widest->width <= kMinNameWidth)
      return;
    --widest->width;
    --total;
  }
}

void TextWriter::writeCell(const TextColumn &column, llvm::StringRef text,
                           Style style) {
  bool first = &column == &columns.front(), last = &column == &columns.back();
  std::string shown = column.isText && options.width
                          ? fitMiddle(text, column.width)
                          : text.str();
  unsigned limit = column.isText && !options.width
                       ? std::min(column.width, kMaxPadding)
                       : column.width;
  unsigned used = displayWidth(shown);
  std::string padding(limit > used ? limit - used : 0, ' ');
  os << (first ? "" : "  ");
  if (!column.isText && column.column != kNone)
    os << padding;
  writeStyled(shown, style, options.color, os);
  if ((column.isText || column.column == kNone) && !last)
    os << padding;
}

void TextWriter::writeRow(const TreeRow &row) {
  for (const TextColumn &column : columns)
    writeCell(column, format(column, row),
              column.column == kNone
                  ? getHeatStyle(table.getInteger(row.row, *table.weightColumn),
                                 table.weightTotal)
                  : Style::Plain);
  os << '\n';
}

void TextWriter::write() {
  writeHeader(report, options, os);
  for (const TextColumn &column : columns)
    writeCell(column, column.heading, Style::Heading);
  os << '\n';
  for (const TreeRow &row : rows)
    writeRow(row);
  writeFooter(report, options, os);
}

static void write(const Report &report, const WriteOptions &options,
                  llvm::raw_ostream &os) {
  TextWriter(report, options, os).write();
}

ReportWriter writer::Text() {
  return {"text", "aligned columns with bars, followed by coverage and losses",
          write};
}
