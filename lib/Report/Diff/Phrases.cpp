//===- Phrases.cpp - Descriptions of changes ------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Phrases.h"
#include "mlir-prof/Report/Printable.h"
#include "mlir-prof/Support/Units.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>

using namespace mlirprof;
using namespace mlirprof::diff;
using namespace mlirprof::report;

std::string report::formatAmount(int64_t value, DiffQuantity quantity) {
  if (quantity == DiffQuantity::Time)
    return formatTime(value);
  return std::to_string(value);
}

std::string report::formatChange(int64_t value, DiffQuantity quantity) {
  if (value >= 0)
    return "+" + formatAmount(value, quantity);
  return "-" + formatAmount(value == INT64_MIN ? INT64_MAX : -value, quantity);
}

std::string report::formatPart(int64_t change, int64_t before) {
  if (before <= 0)
    return "";
  int64_t size = change == INT64_MIN ? INT64_MAX : std::abs(change);
  return (change < 0 ? "-" : "+") + formatPercent(size, before);
}

std::string report::formatMeanChange(const DiffRow &row,
                                     DiffQuantity quantity) {
  return row.measure == DiffMeasure::WallTime
             ? ""
             : formatChange(row.changePs(), quantity);
}

std::string report::formatInterval(const DiffRow &row, DiffQuantity quantity) {
  if (!isSignificant(row))
    return toString(row.verdict).str();
  if (row.testedBeforePs > 0)
    return formatPart(row.lowPs, row.testedBeforePs) + " to " +
           formatPart(row.highPs, row.testedBeforePs);
  return formatChange(row.lowPs, quantity) + " to " +
         formatChange(row.highPs, quantity);
}

std::string report::formatName(const DiffRow &row) {
  std::string text = row.op;
  if (!row.name.empty())
    text += (text.empty() ? "" : " ") + row.name;
  text = printable(text);
  switch (row.match) {
  case DiffMatch::Key:
    break;
  case DiffMatch::Structure:
    text += " (same structure)";
    break;
  case DiffMatch::Appeared:
    text += " (appeared)";
    break;
  case DiffMatch::Disappeared:
    text += " (disappeared)";
    break;
  }
  if (row.beforeOps > 1 || row.afterOps > 1)
    text += llvm::formatv(" ({0} before, {1} after)",
                          formatCount(row.beforeOps, "op"), row.afterOps)
                .str();
  return text;
}

std::string report::formatBasis(const ProfileDiff &diff) {
  llvm::StringRef unit = toString(diff.unit);
  auto describe = [&](uint64_t units, uint64_t runs) {
    return diff.unit == DiffUnit::Run
               ? formatCount(runs, "run")
               : formatCount(units, unit) + " in " + formatCount(runs, "run");
  };
  return (getQuantityName(diff) + " of one " + unit +
          "; before: " + describe(diff.beforeUnits, diff.beforeRuns) +
          ", after: " + describe(diff.afterUnits, diff.afterRuns))
      .str();
}

std::string report::formatCounts(const ProfileDiff &diff) {
  std::map<DiffVerdict, uint64_t> counts;
  for (const DiffRow &row : diff.rows)
    ++counts[row.verdict];
  std::vector<std::string> parts;
  for (auto [verdict, count] : counts)
    parts.push_back((llvm::Twine(count) + " " + toString(verdict)).str());
  parts.push_back((llvm::Twine(diff.unchanged) + " unchanged").str());
  return llvm::join(parts, ", ");
}

std::string report::formatSum(const ProfileDiff &diff) {
  __int128 known = 0, appeared = 0, disappeared = 0;
  for (const DiffRow &row : diff.rows)
    (row.match == DiffMatch::Appeared      ? appeared
     : row.match == DiffMatch::Disappeared ? disappeared
                                           : known) += row.changePs();
  auto format = [&](__int128 value) {
    return formatChange(int64_t(value), diff.quantity);
  };
  return llvm::formatv("{0} = {1} of ops on both sides, {2} appeared, "
                       "{3} disappeared, {4} rounding",
                       format(diff.total.changePs()), format(known),
                       format(appeared), format(disappeared),
                       format(diff.roundingPs));
}

bool report::isSignificant(const DiffRow &row) {
  return row.verdict == DiffVerdict::Slower ||
         row.verdict == DiffVerdict::Faster;
}
