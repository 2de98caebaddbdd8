//===- Diff.cpp - What changed between two profiles -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Profile/Diff.h"
#include "Checks.h"
#include "Welch.h"
#include "mlir-prof/Profile/ProgramMatch.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <tuple>

using namespace mlirprof;
using namespace mlirprof::diff;

/// From so many runs on each side their scatter is the one that counts.
static constexpr size_t kEnoughRuns = 3;

int64_t DiffRow::changePs() const { return saturatingSub(afterPs, beforePs); }

/// Iterations of a run, 0 when unknown.
static uint64_t countIterations(const Run &run) {
  return run.iterations.count ? run.iterations.count : run.steps.size();
}

static bool knowsIterations(const Profile &profile) {
  return llvm::all_of(profile.runs,
                      [](const Run &run) { return countIterations(run) != 0; });
}

/// `sum / units`, rounded to the nearest.
static int64_t divide(int64_t sum, uint64_t units) {
  __int128 wide = sum, half = units / 2;
  wide = wide < 0 ? wide - half : wide + half;
  return int64_t(wide / __int128(units));
}

namespace {

/// One side with what its times are divided by.
struct Divisor {
  std::vector<double> perRun;
  uint64_t units = 0;

  Divisor(const Profile &profile, DiffUnit unit) {
    for (const Run &run : profile.runs) {
      uint64_t count = unit == DiffUnit::Run ? 1 : countIterations(run);
      perRun.push_back(double(count));
      units = llvm::SaturatingAdd(units, count);
    }
  }
  std::vector<double> observe(llvm::ArrayRef<int64_t> sums) const {
    std::vector<double> values;
    for (size_t i = 0; i != perRun.size(); ++i)
      values.push_back(sums.empty() ? 0 : double(sums[i]) / perRun[i]);
    return values;
  }
};

/// Makes the rows of a diff.
class Differ {
public:
  Differ(const DiffSide &before, const DiffSide &after,
         const DiffOptions &options, ProfileDiff &diff)
      : before(before), after(after), options(options), diff(diff),
        divideBefore(before.profile, diff.unit),
        divideAfter(after.profile, diff.unit) {}

  llvm::Error run();

private:
  DiffRow makeRow(const Pair &pair);
  void addTotal(const std::vector<Pair> &pairs);
  void addWall();
  bool isTooSmall(const DiffRow &row) const;
  void judge();
  llvm::Error checkModels(const std::vector<Pair> &pairs);
  double getConfidence() const { return 1 - getAlpha(); }
  double getAlpha() const { return double(options.alphaPpm) / 1e6; }
  bool useRuns() const {
    return before.profile.runs.size() >= kEnoughRuns &&
           after.profile.runs.size() >= kEnoughRuns;
  }

  const DiffSide &before;
  const DiffSide &after;
  const DiffOptions &options;
  ProfileDiff &diff;
  Divisor divideBefore;
  Divisor divideAfter;
  uint64_t unchangedTests = 0;
};

} // namespace

/// What is not there scatters like nothing.
static const Scatter &getScatter(const std::optional<Unit> &unit) {
  static const Scatter none;
  return unit ? unit->scatter : none;
}

static llvm::ArrayRef<int64_t> getRuns(const std::optional<Unit> &unit) {
  return unit ? llvm::ArrayRef(unit->perRun) : llvm::ArrayRef<int64_t>();
}

DiffRow Differ::makeRow(const Pair &pair) {
  DiffRow row;
  const Unit &named = pair.after ? *pair.after : *pair.before;
  row.op = named.op;
  row.name = named.name;
  row.match = pair.match;
  row.beforeOps = pair.before ? pair.before->members : 0;
  row.afterOps = pair.after ? pair.after->members : 0;
  row.beforePs =
      pair.before ? divide(pair.before->sumPs, divideBefore.units) : 0;
  row.afterPs = pair.after ? divide(pair.after->sumPs, divideAfter.units) : 0;
  std::optional<Estimate> first, second;
  if (useRuns()) {
    row.basis = DiffBasis::Runs;
    first = estimate(divideBefore.observe(getRuns(pair.before)));
    second = estimate(divideAfter.observe(getRuns(pair.after)));
  } else {
    const Scatter &a = getScatter(pair.before), &b = getScatter(pair.after);
    row.basis =
        a.isSampled || b.isSampled ? DiffBasis::Samples : DiffBasis::Events;
    first = estimate(a, double(divideBefore.units));
    second = estimate(b, double(divideAfter.units));
  }
  if (first && second)
    test(row, *first, *second, getConfidence());
  else
    row.basis = DiffBasis::None;
  return row;
}

void Differ::addTotal(const std::vector<Pair> &pairs) {
  Pair total{Unit(), Unit(), DiffMatch::Key};
  total.before->perRun.resize(before.profile.runs.size());
  total.after->perRun.resize(after.profile.runs.size());
  for (const Pair &pair : pairs) {
    if (pair.before)
      total.before->add(*pair.before);
    if (pair.after)
      total.after->add(*pair.after);
  }
  diff.total = makeRow(total);
  diff.total.name = "all ops";
  diff.total.beforeOps = diff.total.afterOps = 0;
}

/// All iterations of runs as one summary.
static Summary sumIterations(llvm::ArrayRef<Run> runs) {
  Summary sum;
  for (const Run &run : runs) {
    sum.merge(run.iterations);
    if (run.iterations.count == 0)
      for (const Step &step : run.steps)
        sum.add(step.durationPs);
  }
  return sum;
}

static std::vector<double> meanIterations(const Profile &profile) {
  std::vector<double> means;
  for (const Run &run : profile.runs) {
    Summary sum = sumIterations(run);
    means.push_back(double(sum.sum) / double(sum.count));
  }
  return means;
}

void Differ::addWall() {
  if (diff.unit != DiffUnit::Iteration)
    return;
  Summary a = sumIterations(before.profile.runs);
  Summary b = sumIterations(after.profile.runs);
  DiffRow row;
  row.name = "wall time";
  row.beforePs = divide(a.sum, a.count);
  row.afterPs = divide(b.sum, b.count);
  std::optional<Estimate> first, second;
  if (useRuns()) {
    row.basis = DiffBasis::Runs;
    first = estimate(meanIterations(before.profile));
    second = estimate(meanIterations(after.profile));
  } else {
    row.basis = DiffBasis::Iterations;
    first = estimate(a);
    second = estimate(b);
  }
  if (first && second)
    test(row, *first, *second, getConfidence());
  else
    row.basis = DiffBasis::None;
  diff.wall = std::move(row);
}

static void setVerdict(DiffRow &row, double alpha) {
  if (row.basis == DiffBasis::None)
    row.verdict = DiffVerdict::Unknown;
  else if (row.adjusted >= alpha || row.changePs() == 0)
    row.verdict = DiffVerdict::NotSignificant;
  else
    row.verdict =
        row.changePs() > 0 ? DiffVerdict::Slower : DiffVerdict::Faster;
}

bool Differ::isTooSmall(const DiffRow &row) const {
  int64_t most = std::max(diff.total.beforePs, diff.total.afterPs);
  __int128 own = std::max(row.beforePs, row.afterPs);
  return own * 1000000 < __int128(most) * options.minSharePpm;
}

void Differ::judge() {
  std::vector<DiffRow *> tested;
  for (DiffRow &row : diff.rows) {
    if (isTooSmall(row))
      row.verdict = DiffVerdict::TooSmall;
    else if (row.basis != DiffBasis::None)
      tested.push_back(&row);
  }
  correct(tested, unchangedTests);
  diff.tests = tested.size() + unchangedTests;
  for (DiffRow &row : diff.rows)
    if (row.verdict != DiffVerdict::TooSmall)
      setVerdict(row, getAlpha());
  setVerdict(diff.total, getAlpha());
  if (diff.wall)
    setVerdict(*diff.wall, getAlpha());
}

/// Fails when no op is on both sides; says so when few are.
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
                      "has no op of " + before.name +
                          ": they are of different models",
                      "Compare recordings of one model; where it was rebuilt "
                      "and its names changed, give its modules with --model-a "
                      "and --model-b.");
  if (both * 2 < all)
    diff.notes.push_back("less than half of the time is of ops that both have: "
                         "is it one model?");
  return llvm::Error::success();
}

static bool isIdle(const Pair &pair) {
  return (!pair.before || pair.before->sumPs == 0) &&
         (!pair.after || pair.after->sumPs == 0);
}

llvm::Error Differ::run() {
  std::vector<Pair> pairs = pairUnits(collectUnits(before, diff.quantity),
                                      collectUnits(after, diff.quantity));
  llvm::erase_if(pairs, isIdle);
  if (llvm::Error error = checkModels(pairs))
    return error;
  addTotal(pairs);
  addWall();
  __int128 explained = 0;
  for (const Pair &pair : pairs) {
    DiffRow row = makeRow(pair);
    explained += row.changePs();
    // One that takes less than a picosecond a unit has appeared all the same.
    if (row.changePs() != 0 || !pair.before || !pair.after) {
      diff.rows.push_back(std::move(row));
      continue;
    }
    ++diff.unchanged;
    unchangedTests += row.basis != DiffBasis::None && !isTooSmall(row);
  }
  diff.roundingPs = int64_t(__int128(diff.total.changePs()) - explained);
  judge();
  llvm::sort(diff.rows, [](const DiffRow &a, const DiffRow &b) {
    auto rank = [](const DiffRow &row) {
      return std::make_tuple(-std::abs(double(row.changePs())), row.name,
                             row.op, row.match, row.beforePs, row.pValue);
    };
    return rank(a) < rank(b);
  });
  return llvm::Error::success();
}

/// Where nothing owns the code of our own recordings, the ops of the first
/// level do: machine code changes with every build.
static std::optional<Ownership> matchOwn(const DiffSide &side) {
  if (side.ownership || side.profile.programs.empty())
    return std::nullopt;
  return matchProgram(side.profile, "input");
}

llvm::Expected<ProfileDiff> mlirprof::diffProfiles(const DiffSide &before,
                                                   const DiffSide &after,
                                                   const DiffOptions &options) {
  ProfileDiff diff;
  auto quantity = findQuantity(before, after);
  if (!quantity)
    return quantity.takeError();
  diff.quantity = *quantity;
  if (llvm::Error error = checkOrigin(before, after, options.machines, diff))
    return std::move(error);
  bool areKnown =
      knowsIterations(before.profile) && knowsIterations(after.profile);
  diff.unit = areKnown ? DiffUnit::Iteration : DiffUnit::Run;
  if (!areKnown)
    diff.notes.push_back("how often the model ran is not known of both: "
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
  diff.beforeUnits = Divisor(before.profile, diff.unit).units;
  diff.afterUnits = Divisor(after.profile, diff.unit).units;
  if (llvm::Error error = Differ(first, second, options, diff).run())
    return std::move(error);
  return std::move(diff);
}

std::vector<const DiffRow *> mlirprof::findRegressions(const ProfileDiff &diff,
                                                       uint64_t limitPpm) {
  std::vector<const DiffRow *> result;
  auto check = [&](const DiffRow &row) {
    if (row.verdict != DiffVerdict::Slower)
      return;
    int64_t base = row.beforePs > 0 ? row.beforePs : diff.total.beforePs;
    if (__int128(row.changePs()) * 1000000 >= __int128(base) * limitPpm)
      result.push_back(&row);
  };
  check(diff.total);
  if (diff.wall)
    check(*diff.wall);
  for (const DiffRow &row : diff.rows)
    check(row);
  return result;
}
