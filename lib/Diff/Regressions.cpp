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
    if (__int128(row.testedPs) * 1000000 >= __int128(row.basePs) * limitPpm)
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
    std::optional<int64_t> ppm = row->getPpm(row->detectablePs);
    if (row->basis != DiffBasis::None && ppm)
      least = std::min(least.value_or(UINT64_MAX), uint64_t(*ppm));
  }
  return least;
}
