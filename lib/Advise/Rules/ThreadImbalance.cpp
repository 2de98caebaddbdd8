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

#include <algorithm>
#include <map>

using namespace mlirprof;
using namespace mlirprof::advise;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

/// Share of the busiest thread's time, by which the mean is below it.
static constexpr int64_t kImbalancePpm = 200000;
/// Ratio of the work of all threads to the time in which any worked: below it,
/// they hardly ever worked together, and taking turns is not an imbalance.
static constexpr int64_t kParallelPpm = 1200000;
/// Minimum share of the pool in the time of all ops.
static constexpr int64_t kHotPpm = 50000;

namespace {
struct Thread {
  std::string name;
  int64_t busyPs = 0;
};
using Pool = std::vector<Thread>;
} // namespace

/// The common part of the names of a pool's threads: "tf_Compute/-5095" and
/// "tf_Compute/7720" are in one pool.
static std::string getPoolName(const TrackInfo &track) {
  llvm::StringRef name = track.name.empty() ? track.displayName : track.name;
  return track.plane + "\n" + name.rtrim("0123456789").rtrim("-_/:# ").str();
}

/// The pools of a run, by name. In recordings by `mlir-prof record` all threads
/// are one pool.
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

/// The part of `belowPs`, in which some threads of `threads` run while others
/// do not, that an even distribution saves. All of it if each thread has its
/// own core; threads that share one are faster alone, so that with a speed-up
/// of s by all n of them (1 - 1/s) / (1 - 1/n) of it is saved. The measured
/// peaks tell s.
static int64_t getSavingPs(const Machine &machine, int64_t threads,
                           int64_t belowPs) {
  int64_t one = int64_t(std::min<uint64_t>(machine.flopsOneThread, INT64_MAX)),
          all = int64_t(std::min<uint64_t>(machine.flopsAllThreads, INT64_MAX));
  if (one <= 0 || all <= 0 || machine.threads < 2 || threads < 2)
    return belowPs;
  // Extra speed of the machine's threads, then of these, in thousandths above
  // one.
  int64_t extra = std::clamp<int64_t>(scale(all, 1000, one) - 1000, 0,
                                      int64_t(machine.threads - 1) * 1000);
  extra = std::min((threads - 1) * 1000,
                   scale(extra, threads - 1, machine.threads - 1));
  int64_t shared = scale(belowPs, extra, extra + 1000);
  return scale(shared, threads, threads - 1);
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
  if (getPpm(belowPs, mostPs) < kImbalancePpm ||
      getPpm(sumPs, run.opBusyPs) < kParallelPpm ||
      !context.isShareOfOps(sumPs, kHotPpm))
    return std::nullopt;
  Advice advice = context.makeAdvice(
      getSavingPs(run.machine, int64_t(pool.size()), belowPs));
  // The gain is wall time, as the other threads wait for the busiest.
  advice.basis = GainBasis::BusyTime;
  advice.basisPs = run.opBusyPs;
  addCount(advice, "threads", pool.size());
  addTime(advice, "busiest_ps", mostPs);
  addTime(advice, "mean_ps", meanPs);
  addPpm(advice, "below_ppm", getPpm(belowPs, mostPs));
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
      "the busiest of {threads} threads works for {busiest_ps}, and the mean "
      "is {mean_ps}: {below_ppm} less",
      "Split the work into more or more even parts, or use fewer threads.",
      "habit_sum",
      "the sum of each thread's events, without time that does not recur; the "
      "maximum and the mean of the threads",
      "mlir-prof optimize {MODEL} --profile={PROFILE} --technique=threads "
      "--threads={threads} -o balanced.mlir",
      find,
      {"threads"},
      "mlir-prof report {PROFILE} --by=thread"};
}
