//===- Judge.cpp - Verdicts on rows ---------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Judge.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlirprof;
using namespace mlirprof::diff;

double diff::getTotalWeight(const ProfileDiff &diff) {
  return diff.wall ? 0.2 : 0.5;
}

double diff::getWallWeight(const ProfileDiff &diff, bool isQuiet) {
  if (isQuiet)
    return 0.2;
  return diff.quiet ? 0.1 : 0.3;
}

double diff::getShare(const ProfileDiff &diff, const DiffRow &row) {
  double most = double(std::max(diff.total.beforePs, diff.total.afterPs));
  return most > 0 ? double(std::max(row.beforePs, row.afterPs)) / most : 0;
}

static bool isTooSmall(const ProfileDiff &diff, const DiffRow &row,
                       const DiffOptions &options) {
  int64_t most = std::max(diff.total.beforePs, diff.total.afterPs);
  __int128 own = std::max(row.beforePs, row.afterPs);
  return own <= 0 || own * 1000000 < __int128(most) * options.minSharePpm;
}

bool diff::isTested(const ProfileDiff &diff, const DiffRow &row,
                    const DiffOptions &options) {
  return row.basis != DiffBasis::None && !isTooSmall(diff, row, options);
}

static void setVerdict(DiffRow &row, double alpha) {
  if (row.basis == DiffBasis::None)
    row.verdict = DiffVerdict::Unknown;
  else if (row.adjusted >= alpha || row.testedPs == 0)
    row.verdict = DiffVerdict::NotSignificant;
  else
    row.verdict = row.testedPs > 0 ? DiffVerdict::Slower : DiffVerdict::Faster;
}

void diff::judge(ProfileDiff &diff, double unchanged,
                 const DiffOptions &options) {
  double alpha = double(options.alphaPpm) / 1e6;
  std::vector<WeightedTest> whole, ops;
  auto addWhole = [&](DiffRow &row, double weight) {
    if (row.basis != DiffBasis::None)
      whole.push_back({&row, weight});
  };
  if (diff.quiet)
    addWhole(*diff.quiet, getWallWeight(diff, /*isQuiet=*/true));
  if (diff.wall)
    addWhole(*diff.wall, getWallWeight(diff, /*isQuiet=*/false));
  addWhole(diff.total, getTotalWeight(diff));
  for (DiffRow &row : diff.rows)
    if (isTested(diff, row, options))
      ops.push_back({&row, getShare(diff, row)});
  correct(whole, ops, unchanged, alpha);
  diff.tests += ops.size();
  for (DiffRow &row : diff.rows) {
    setVerdict(row, alpha);
    if (isTooSmall(diff, row, options))
      row.verdict = DiffVerdict::TooSmall;
  }
  for (const WeightedTest &test : whole)
    setVerdict(*test.row, alpha);
}

void diff::addNotes(ProfileDiff &diff, const Turns &turns) {
  bool hasOne = diff.beforeRuns < 2 || diff.afterRuns < 2;
  std::optional<uint64_t> detectable = getDetectablePpm(diff);
  if (!detectable)
    diff.notes.push_back(
        "the differences between runs are unknown, so the total cannot be "
        "judged: record at least three runs of each, alternately");
  else if (hasOne)
    diff.notes.push_back(
        llvm::formatv("one run on a side: from its iterations, changes of the "
                      "total below {0:F1} % cannot be detected; record at "
                      "least three runs of each, alternately",
                      double(*detectable) / 1e4)
            .str());
  if (!hasOne && turns.areKnown && !turns.areInTurns)
    diff.notes.push_back("the runs do not alternate: changes of the machine in "
                         "the meantime count as changes");
}
