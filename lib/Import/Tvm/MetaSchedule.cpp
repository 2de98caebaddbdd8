//===- MetaSchedule.cpp - Time of TVM's tuning ----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Common/TextLines.h"
#include "../Importers.h"
#include "Tvm.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Trace/Time.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

static constexpr llvm::StringLiteral kColumns[] = {"ID", "Name", "Time (min)",
                                                   "Percentage"};

namespace {
struct Row {
  llvm::StringRef id;
  llvm::StringRef name;
  llvm::StringRef minutes;
  llvm::StringRef percentage;
};
} // namespace

/// Splits a row, of which only the name may contain bars and line ends. Names
/// are aligned to the right, with a space behind them.
static std::optional<Row> splitRow(llvm::StringRef text) {
  Row row;
  size_t first = text.find('|'), last = text.rfind('|');
  size_t middle = last == text.npos ? last : text.take_front(last).rfind('|');
  if (middle == text.npos || middle <= first)
    return std::nullopt;
  row.id = text.take_front(first).trim();
  row.name = text.slice(first + 1, middle).ltrim();
  row.name.consume_back(" ");
  row.minutes = text.slice(middle + 1, last).trim();
  row.percentage = text.drop_front(last + 1).trim();
  return row;
}

static bool isHeader(llvm::StringRef line) {
  std::optional<Row> row = splitRow(line);
  return row && row->id == kColumns[0] && row->name == kColumns[1] &&
         row->minutes == kColumns[2] && row->percentage == kColumns[3];
}

static bool detect(llvm::StringRef bytes) {
  return isHeader(bytes.take_front(1 << 10).split('\n').first);
}

/// Reads minutes with four decimals, as in the table.
static bool parseMinutes(llvm::StringRef text, int64_t &ps) {
  return table::parseDuration(text, json::DecimalUnit::Seconds, ps) &&
         !__builtin_mul_overflow(ps, int64_t(60), &ps);
}

static constexpr llvm::StringLiteral kTotal = "Total";

/// A name with more is damage.
static constexpr size_t kMostLines = 100;

/// Rows are "ID | Name | minutes | percent". Up to TVM 0.23 the row of the
/// total has a name but not an ID, and a section that took as long may come
/// first in its place; in later versions it lacks a name, with its numbers one
/// column to the left.
static llvm::Error read(const ImportInput &input, ProfileBuilder &builder) {
  table::Totals totals(builder);
  int64_t totalPs = 0, namedPs = 0;
  llvm::StringRef rest = input.bytes;
  for (size_t number = 1; !rest.empty(); ++number) {
    llvm::StringRef line = takeLine(rest);
    auto fail = [&](const llvm::Twine &what) {
      return inputError(input.where + ": line " + llvm::Twine(number), what,
                        "A row of the table is 'ID | Name | Time (min) | "
                        "Percentage'.");
    };
    if (number == 1) {
      if (!isHeader(line))
        return fail("is not a header of this table");
      continue;
    }
    if (line.trim(" -").empty())
      continue;
    // A name may contain line ends.
    std::optional<Row> row = splitRow(line);
    size_t lines = 1;
    for (; !row && !rest.empty() && lines != kMostLines; ++lines) {
      llvm::StringRef more = takeLine(rest);
      line = llvm::StringRef(line.data(), more.end() - line.data());
      row = splitRow(line);
    }
    if (!row)
      return fail("has " + llvm::Twine(line.count('|') + 1) +
                  " columns, not 4");
    bool isShifted = row->id == kTotal;
    int64_t ps;
    if (!parseMinutes(isShifted ? row->name.trim() : row->minutes, ps))
      return fail("has a time that is not a number");
    number += lines - 1;
    if (isShifted || row->name == kTotal) {
      totalPs = ps;
      continue;
    }
    namedPs = saturatingAdd(namedPs, ps);
    // Time of the tuner rather than of a model's ops.
    totals.add(makeOutsideKey(row->name, OutsideKind::Tuning),
               table::makeEvenSummary(1, ps));
  }
  if (totalPs > namedPs)
    builder.loss("time of the tuning without a name", 1, totalPs - namedPs);
  totals.finish();
  return llvm::Error::success();
}

Importer importer::TvmMetaSchedule() {
  return {"tvm-tuning", "table of the time that TVM's meta_schedule spent",
          detect, read};
}
