//===- Regressions.cpp - Regressions that fail a gate ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Diff/Diff.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::diff;

std::vector<const DiffRow *> diff::getWhole(const ProfileDiff &diff) {
  std::vector<const DiffRow *> rows;
  if (diff.quiet)
    rows.push_back(&*diff.quiet);
  if (diff.wall)
    rows.push_back(&*diff.wall);
  rows.push_back(&diff.total);
  return rows;
}

std::vector<const DiffRow *> diff::findRegressions(const ProfileDiff &diff,
                                                   uint64_t limitPpm) {
  std::vector<const DiffRow *> result;
  auto check = [&](const DiffRow &row) {
    if (row.verdict != DiffVerdict::Slower)
      return;
    int64_t base = row.beforePs > 0 ? row.beforePs : diff.total.beforePs;
    if (__int128(row.testedPs) * 1000000 >= __int128(base) * limitPpm)
      result.push_back(&row);
  };
  for (const DiffRow *row : getWhole(diff))
    check(*row);
  for (const DiffRow &row : diff.rows)
    check(row);
  return result;
}

std::optional<uint64_t> diff::getDetectablePpm(const ProfileDiff &diff) {
  std::optional<uint64_t> least;
  for (const DiffRow *row : getWhole(diff)) {
    if (row->basis == DiffBasis::None || row->beforePs <= 0)
      continue;
    __int128 part = __int128(row->detectablePs) * 1000000 / row->beforePs;
    auto ppm = uint64_t(std::min<__int128>(part, INT64_MAX));
    least = std::min(least.value_or(ppm), ppm);
  }
  return least;
}
