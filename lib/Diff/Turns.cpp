//===- Turns.cpp - Runs taken in turns ------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Turns.h"
#include "llvm/ADT/STLExtras.h"

#include <tuple>

using namespace mlirprof;
using namespace mlirprof::diff;
using namespace mlirprof::profile;

/// In picoseconds since the epoch; none if the clock does not tell.
static std::optional<__int128> getBegin(const Run &run) {
  if (!run.clock.hasAnchor)
    return std::nullopt;
  int64_t firstPs = INT64_MAX;
  for (const Step &step : run.steps)
    firstPs = std::min(firstPs, step.beginPs);
  for (const OpSummary &op : run.ops)
    if (run.steps.empty())
      firstPs = std::min(firstPs, op.firstBeginPs);
  if (firstPs == INT64_MAX)
    return std::nullopt;
  return __int128(run.clock.anchorNs) * 1000 + firstPs;
}

Turns diff::findTurns(const Profile &before, const Profile &after) {
  /// Begin, side, number.
  std::vector<std::tuple<__int128, bool, uint32_t>> runs;
  bool areKnown = true;
  // Both sides may be one profile.
  for (bool isAfter : {false, true})
    for (auto [number, run] :
         llvm::enumerate((isAfter ? after : before).runs)) {
      std::optional<__int128> begin = getBegin(run);
      areKnown &= begin.has_value();
      runs.emplace_back(begin.value_or(0), isAfter, uint32_t(number));
    }
  if (areKnown)
    llvm::sort(runs);
  Turns turns;
  turns.areKnown = areKnown;
  for (auto [begin, isAfter, number] : runs)
    (isAfter ? turns.after : turns.before).push_back(number);
  turns.areInTurns = areKnown && turns.before.size() == turns.after.size();
  for (size_t i = 0; i + 1 < runs.size(); i += 2)
    turns.areInTurns &= std::get<1>(runs[i]) != std::get<1>(runs[i + 1]);
  return turns;
}
