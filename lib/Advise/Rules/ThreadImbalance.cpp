//===- ThreadImbalance.cpp - Threads that wait for the slowest ------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Context.h"
#include "../Words.h"
#include "Rules.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace mlirprof;

/// Of the busiest thread's time, by which the mean is below it.
static constexpr int64_t kImbalancePermille = 200;
/// Work of all threads to the time in which any worked: with less, they hardly
/// ever worked together, and taking turns is no imbalance.
static constexpr int64_t kParallelPermille = 1200;
/// Of the time of all ops, that the pool must have for it to matter.
static constexpr int64_t kHotPermille = 50;

namespace {
struct Thread {
  std::string name;
  int64_t busyPs = 0;
};
using Pool = std::vector<Thread>;
} // namespace

/// What the names of a pool's threads have in common: "tf_Compute/-5095" and
/// "tf_Compute/7720" are of one.
static std::string getPoolName(const TrackInfo &track) {
  llvm::StringRef name = track.name.empty() ? track.displayName : track.name;
  return track.plane + "\n" + name.rtrim("0123456789").rtrim("-_/:# ").str();
}

/// The pools of a run, by name. In our own recordings all threads are one.
static std::map<std::string, Pool> getPools(const Profile &profile,
                                            const Run &run) {
  std::vector<int64_t> busyPs(run.tracks.size());
  for (const EventSummary &event : run.events)
    if (event.track < run.tracks.size() &&
        event.name < profile.strings.size() &&
        !isWaiting(profile.strings[event.name]) &&
        profile.strings[event.name] != "outside")
      busyPs[event.track] =
          saturatingAdd(busyPs[event.track], getHabitPs(event.self));
  std::map<std::string, Pool> pools;
  for (auto [track, timePs] : llvm::zip_equal(run.tracks, busyPs))
    if (track.events != 0)
      pools[isOwnRecording(run) ? "" : getPoolName(track)].push_back(
          {track.name, timePs});
  for (auto it = pools.begin(); it != pools.end();)
    it = it->second.size() < 2 ? pools.erase(it) : std::next(it);
  return pools;
}

static std::optional<Advice> checkPool(const AdviseContext &context,
                                       const Run &run, const Pool &pool) {
  int64_t sumPs = 0, mostPs = 0;
  for (const Thread &thread : pool) {
    sumPs = saturatingAdd(sumPs, thread.busyPs);
    mostPs = std::max(mostPs, thread.busyPs);
  }
  int64_t meanPs = getMean(sumPs, pool.size());
  int64_t belowPs = saturatingSub(mostPs, meanPs);
  if (getPermille(belowPs, mostPs) < kImbalancePermille ||
      getPermille(sumPs, run.opBusyPs) < kParallelPermille ||
      !context.isShareOfOps(sumPs, kHotPermille))
    return std::nullopt;
  Advice advice = context.makeAdvice(belowPs);
  addCount(advice, "threads", pool.size());
  addTime(advice, "busiest_ps", mostPs);
  addTime(advice, "mean_ps", meanPs);
  addPermille(advice, "below_permille", getPermille(belowPs, mostPs));
  for (const Thread &thread : pool)
    advice.subjects.push_back({thread.name, "", thread.busyPs});
  keepHottest(advice);
  return advice;
}

static Findings find(const AdviseContext &context) {
  Findings findings;
  for (const Run &run : context.profile.runs)
    for (const auto &[name, pool] : getPools(context.profile, run)) {
      if (run.opBusyPs <= 0)
        continue;
      if (!findings)
        findings.emplace();
      if (std::optional<Advice> advice = checkPool(context, run, pool))
        findings->push_back(std::move(*advice));
    }
  return findings;
}

AdviceRule rule::ThreadImbalance() {
  return {
      "thread-imbalance",
      "one thread of a pool works much longer than the others",
      "tracks of at least two threads of a pool, and ops",
      "of {threads} threads the busiest works for {busiest_ps}, all on "
      "average for {mean_ps}: {below_permille} less",
      "Split the work into more or more even parts, or use fewer threads.",
      "habit_sum",
      "the sum of each thread's events, without what does not come back; of "
      "the threads, the busiest one and the mean",
      "mlir-prof optimize {MODEL} --profile={PROFILE} --technique=threads "
      "--threads={threads} -o balanced.mlir",
      find,
      {"threads"}};
}
