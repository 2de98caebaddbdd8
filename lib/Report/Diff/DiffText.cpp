//===- DiffText.cpp - Diffs as text for people ----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Writers/TextStyle.h"
#include "Phrases.h"
#include "Writers.h"
#include "mlir-prof/Report/Printable.h"
#include "mlir-prof/Support/Units.h"

#include <array>

using namespace mlirprof;
using namespace mlirprof::diff;
using namespace mlirprof::report;

/// Tested change, part, interval, before, after, measure, change of the means,
/// name.
using Line = std::array<std::string, 8>;
static constexpr size_t kName = 7;

static Line makeLine(const DiffRow &row, DiffQuantity quantity) {
  return {formatChange(row.testedPs, quantity),
          formatPart(row.testedPs, row.testedBeforePs),
          formatInterval(row, quantity),
          formatAmount(row.testedBeforePs, quantity),
          formatAmount(row.testedAfterPs(), quantity),
          toString(row.measure).str(),
          formatMeanChange(row, quantity),
          formatName(row)};
}

static Style getStyle(const DiffRow &row) {
  return row.verdict == DiffVerdict::Slower ? Style::Hot : Style::Plain;
}

static void write(const DiffReport &report, const WriteOptions &options,
                  llvm::raw_ostream &os) {
  const ProfileDiff &diff = report.diff;
  os << printable(report.before) << " -> " << printable(report.after) << '\n'
     << formatBasis(diff) << "\n\n";
  std::vector<std::pair<Line, Style>> lines;
  lines.push_back({{"change", "", "interval", "before", "after", "measure",
                    "mean change", "op"},
                   Style::Heading});
  auto add = [&](const DiffRow &row) {
    lines.push_back({makeLine(row, diff.quantity), getStyle(row)});
  };
  for (const DiffRow *row : getWhole(diff))
    add(*row);
  for (uint32_t row : report.view.rows)
    add(diff.rows[row]);
  std::array<unsigned, std::tuple_size_v<Line>> widths = {};
  for (const auto &[line, style] : lines)
    for (size_t i = 0; i != line.size(); ++i)
      widths[i] = std::max(widths[i], displayWidth(line[i]));
  unsigned used = 0;
  for (size_t i = 0; i != kName; ++i)
    used += widths[i] + 2;
  for (const auto &[line, style] : lines) {
    std::string text;
    for (size_t i = 0; i != kName; ++i)
      text +=
          std::string(widths[i] - displayWidth(line[i]), ' ') + line[i] + "  ";
    text += options.width > used + 12
                ? fitMiddle(line[kName], options.width - used)
                : line[kName];
    writeStyled(text, style, options.color, os);
    os << '\n';
  }
  if (report.view.rows.size() != diff.rows.size())
    os << "(" << report.view.rows.size() << " of "
       << formatCount(diff.rows.size(), "op") << ")\n";
  os << "\nmeans: " << formatSum(diff) << '\n' << formatCounts(diff) << '\n';
}

DiffWriter report::diffwriter::Text() {
  return {"text", "a table for people", write};
}
