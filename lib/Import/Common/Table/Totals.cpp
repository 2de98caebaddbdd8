//===- Totals.cpp - Ops with only totals ----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Totals.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::table;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

Summary table::makeEvenSummary(uint64_t count, int64_t sum) {
  Summary summary;
  if (count == 0)
    return summary;
  int64_t each = sum / int64_t(count);
  summary.count = count;
  summary.sum = sum;
  summary.min = each;
  summary.max = each + (sum % int64_t(count) != 0);
  summary.histogram.add(each, count);
  unsigned __int128 square = (unsigned __int128)((__int128)each * each);
  if (__builtin_mul_overflow(square, (unsigned __int128)count,
                             &summary.sumSquares)) {
    summary.sumSquares = ~(unsigned __int128)0;
    summary.saturated = true;
  }
  return summary;
}

bool table::parseDuration(llvm::StringRef text, json::DecimalUnit unit,
                          int64_t &ps) {
  json::WidePs wide;
  if (!json::parseDecimalTime(text, unit, wide) || wide < 0 ||
      wide > std::numeric_limits<int64_t>::max())
    return false;
  ps = int64_t(wide);
  return true;
}

bool table::parseCount(llvm::StringRef text, uint64_t &count) {
  text.consume_back(".0");
  return !text.getAsInteger(10, count) && count > 0 && count >> 48 == 0;
}

bool Totals::add(OpKey key, const Summary &summary, int64_t selfPs) {
  int64_t sum;
  if (__builtin_add_overflow(sumPs, std::max<int64_t>(selfPs, 0), &sum)) {
    builder.loss("op whose time exceeds 64 bits of picoseconds together with "
                 "those before it, left out",
                 1, selfPs);
    return false;
  }
  sumPs = sum;
  Total &total = totals[builder.addOpKey(std::move(key))];
  total.execute.merge(summary);
  total.self.merge(
      selfPs == summary.sum ? summary : makeEvenSummary(summary.count, selfPs));
  return true;
}

void Totals::finish() {
  for (auto &[op, total] : totals) {
    builder.setMeasurement(op, Quantity::Execute, std::move(total.execute));
    builder.setMeasurement(op, Quantity::Self, std::move(total.self));
  }
}
