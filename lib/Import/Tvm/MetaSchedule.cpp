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
#include "llvm/ADT/SmallVector.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

static constexpr llvm::StringLiteral kColumns[] = {"ID", "Name", "Time (min)",
                                                   "Percentage"};

using Fields = llvm::SmallVector<llvm::StringRef, 5>;

static Fields splitRow(llvm::StringRef line) {
  Fields fields;
  line.split(fields, '|');
  for (llvm::StringRef &field : fields)
    field = field.trim();
  return fields;
}

static bool isHeader(llvm::StringRef line) {
  return llvm::ArrayRef<llvm::StringRef>(splitRow(line)) ==
         llvm::ArrayRef<llvm::StringRef>(
             {kColumns[0], kColumns[1], kColumns[2], kColumns[3]});
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
    Fields fields = splitRow(line);
    if (line.trim(" -").empty())
      continue;
    if (fields.size() != 4)
      return fail("has " + llvm::Twine(fields.size()) + " columns, not 4");
    bool isShifted = fields[0] == kTotal;
    int64_t ps;
    if (!parseMinutes(fields[isShifted ? 1 : 2], ps))
      return fail("has a time that is not a number");
    if (isShifted || fields[1] == kTotal) {
      totalPs = ps;
      continue;
    }
    namedPs = saturatingAdd(namedPs, ps);
    // Time of the tuner rather than of a model's ops.
    totals.add(makeOutsideKey(fields[1], OutsideKind::Tuning),
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
