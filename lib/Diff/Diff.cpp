//===- Diff.cpp - Comparing two profiles ----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Diff/Diff.h"
#include "Checks.h"
#include "Judge.h"
#include "Rows.h"
#include "mlir-prof/Attribution/ProgramMatch.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <tuple>

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::diff;
using namespace mlirprof::trace;

int64_t DiffRow::changePs() const { return saturatingSub(afterPs, beforePs); }

int64_t DiffRow::testedAfterPs() const {
  return saturatingAdd(testedBeforePs, testedPs);
}

std::optional<int64_t> DiffRow::getPpm(int64_t partPs) const {
  if (basePs <= 0)
    return std::nullopt;
  __int128 ppm = __int128(partPs) * 1000000 / basePs;
  return int64_t(std::clamp<__int128>(ppm, INT64_MIN, INT64_MAX));
}

namespace {

/// Creates the rows of a diff.
class Differ {
public:
  Differ(const DiffSide &before, const DiffSide &after,
         const DiffOptions &options, ProfileDiff &diff)
      : before(before), after(after), options(options), diff(diff),
        rows(before.profile, after.profile, diff, options) {}

  llvm::Error run();

private:
  void addRows(const std::vector<Pair> &pairs);
  llvm::Error checkModels(const std::vector<Pair> &pairs);

  const DiffSide &before;
  const DiffSide &after;
  const DiffOptions &options;
  ProfileDiff &diff;
  RowMaker rows;
};

} // namespace

/// Fails if no op is on both sides; adds a note if few are.
llvm::Error Differ::checkModels(const std::vector<Pair> &pairs) {
  __int128 both = 0, all = 0;
  bool isAny = false;
  for (const Pair &pair : pairs) {
    bool isPaired = pair.before && pair.after;
    isAny |= isPaired;
    for (const std::optional<Unit> *unit : {&pair.before, &pair.after})
      if (*unit) {
        all += (*unit)->sumPs;
        both += isPaired ? (*unit)->sumPs : 0;
      }
  }
  if (!isAny)
    return inputError(after.name,
                      "does not have any op of " + before.name +
                          ": the models differ",
                      "Compare recordings of one model; where it was rebuilt "
                      "and its names changed, give its modules with --model-a "
                      "and --model-b.");
  if (both * 2 < all)
    diff.notes.push_back("less than half of the time belongs to ops that both "
                         "have: is it one model?");
  return llvm::Error::success();
}

static bool isIdle(const Pair &pair) {
  return (!pair.before || pair.before->sumPs == 0) &&
         (!pair.after || pair.after->sumPs == 0);
}

void Differ::addRows(const std::vector<Pair> &pairs) {
  __int128 explained = 0;
  double unchanged = 0, alpha = double(options.alphaPpm) / 1e6;

  for (const Pair &pair : pairs) {
    DiffRow row = rows.makeRow(pair);
    explained += row.changePs();
    // An op with less than a picosecond per unit has still appeared.
    if (row.changePs() != 0 || row.pValue < alpha || !pair.before ||
        !pair.after) {
      diff.rows.push_back(std::move(row));
      continue;
    }
    ++diff.unchanged;
    if (isTested(diff, row, options)) {
      ++diff.tests;
      unchanged += getShare(diff, row);
    }
  }
  diff.roundingPs = int64_t(__int128(diff.total.changePs()) - explained);
  judge(diff, unchanged, options);
}

llvm::Error Differ::run() {
  std::vector<Pair> pairs = pairUnits(collectUnits(before, diff.quantity),
                                      collectUnits(after, diff.quantity));
  llvm::erase_if(pairs, isIdle);
  if (llvm::Error error = checkModels(pairs))
    return error;
  rows.addWhole(pairs);
  addRows(pairs);
  addNotes(diff, rows.getTurns());
  llvm::sort(diff.rows, [](const DiffRow &a, const DiffRow &b) {
    auto rank = [](const DiffRow &row) {
      return std::make_tuple(-std::abs(double(row.testedPs)), row.name, row.op,
                             row.match, row.beforePs, row.pValue);
    };
    return rank(a) < rank(b);
  });
  return llvm::Error::success();
}

/// If no op owns the code of recordings by `mlir-prof record`, the ops of the
/// first level do: machine code changes with every build.
static std::optional<Ownership> matchOwn(const DiffSide &side) {
  if (side.ownership || side.profile.programs.empty())
    return std::nullopt;
  return matchProgram(side.profile, "input");
}

llvm::Expected<ProfileDiff> diff::diffProfiles(const DiffSide &before,
                                               const DiffSide &after,
                                               const DiffOptions &options) {
  ProfileDiff diff;
  auto quantity = findQuantity(before, after);
  if (!quantity)
    return quantity.takeError();
  diff.quantity = *quantity;
  auto unit = findCountedUnit(before, after);
  if (!unit)
    return unit.takeError();
  if (!unit->empty()) {
    diff.quantity = DiffQuantity::Counts;
    diff.countedUnit = std::move(*unit);
  }
  if (llvm::Error error = checkOrigin(before, after, options.machines, diff))
    return std::move(error);
  bool areKnown =
      knowsIterations(before.profile) && knowsIterations(after.profile);
  diff.unit = areKnown ? DiffUnit::Iteration : DiffUnit::Run;
  if (!areKnown)
    diff.notes.push_back("the number of iterations is not known for both: "
                         "whole runs are compared");
  diff.beforeRuns = before.profile.runs.size();
  diff.afterRuns = after.profile.runs.size();
  std::optional<Ownership> ownBefore = matchOwn(before),
                           ownAfter = matchOwn(after);
  DiffSide first = before, second = after;
  if (ownBefore)
    first.ownership = &*ownBefore;
  if (ownAfter)
    second.ownership = &*ownAfter;
  diff.beforeUnits = countUnits(before.profile, diff.unit);
  diff.afterUnits = countUnits(after.profile, diff.unit);
  if (llvm::Error error = Differ(first, second, options, diff).run())
    return std::move(error);
  return std::move(diff);
}
