//===- KeptCheck.cpp - Checking kept events against their sums ------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Wire.h"
#include "mlir-prof/Trace/IntegerMap.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::profile::schema;
using namespace mlirprof::trace;

namespace {

/// The sums of the kept events of one track and name.
struct KeptSum {
  uint32_t track = 0;
  uint32_t name = 0;
  uint64_t count = 0;
  __int128 sum = 0;
  int64_t min = std::numeric_limits<int64_t>::max();
  int64_t max = std::numeric_limits<int64_t>::min();
};

} // namespace

static uint64_t getKey(uint32_t track, uint32_t name) {
  return uint64_t(track) << 32 | name;
}

static std::vector<KeptSum> addUp(const EventColumns &kept, IntegerMap &index) {
  std::vector<KeptSum> sums;
  for (size_t i = 0; i != kept.size(); ++i) {
    uint32_t &place = index[getKey(kept.track[i], kept.name[i])];
    if (place == kNone) {
      place = uint32_t(sums.size());
      sums.push_back({kept.track[i], kept.name[i]});
    }
    KeptSum &sum = sums[place];
    ++sum.count;
    sum.sum += kept.durationPs[i];
    sum.min = std::min(sum.min, kept.durationPs[i]);
    sum.max = std::max(sum.max, kept.durationPs[i]);
  }
  return sums;
}

/// Whether the kept events can be a part of all events.
static bool isPart(const KeptSum &kept, const Summary &all) {
  if (kept.count > all.count || kept.min < all.min || kept.max > all.max)
    return false;
  if (all.saturated)
    return true;
  return kept.count == all.count ? kept.sum == all.sum : kept.sum <= all.sum;
}

/// Names without a sum belong to samples and to the parts of a run.
static std::string findSumFault(const Run &run) {
  IntegerMap index;
  std::vector<KeptSum> sums = addUp(run.kept, index);
  for (size_t i = 0; i != run.events.size(); ++i) {
    const EventSummary &event = run.events[i];
    uint32_t place = index.find(getKey(event.track, event.name));
    if (place != kNone && event.total.count != 0 &&
        !isPart(sums[place], event.total))
      return "events[" + std::to_string(i) +
             "].total: the kept events of the name contradict it";
  }
  return "";
}

/// The number of kept events per track.
static std::vector<uint64_t> countTracks(const Run &run) {
  std::vector<uint64_t> counts(run.tracks.size());
  for (uint32_t track : run.kept.track)
    ++counts[track];
  return counts;
}

static std::string findTrackFault(const Run &run,
                                  llvm::ArrayRef<uint64_t> kept) {
  // 0 if unknown.
  for (size_t i = 0; i != kept.size(); ++i)
    if (run.tracks[i].events != 0 && kept[i] > run.tracks[i].events)
      return "tracks[" + std::to_string(i) +
             "].events: more events of the track were kept";
  return "";
}

/// If all events were kept, the first event of an op determines its begin.
/// Samples begin before the sampled moment, at which their op begins.
static std::string findBeginFault(const Run &run,
                                  llvm::ArrayRef<uint64_t> kept) {
  if (run.samplePeriodPs != 0)
    return "";
  for (size_t i = 0; i != kept.size(); ++i)
    if (kept[i] != run.tracks[i].events)
      return "";
  // Kept events are in order.
  IntegerMap firsts;
  for (uint32_t i = 0; i != run.kept.size(); ++i)
    if (run.kept.op[i] != kNone)
      if (uint32_t &first = firsts[run.kept.op[i]]; first == kNone)
        first = i;
  for (size_t i = 0; i != run.ops.size(); ++i) {
    uint32_t first = firsts.find(run.ops[i].op);
    if (first != kNone && run.ops[i].firstBeginPs != run.kept.beginPs[first])
      return "ops[" + std::to_string(i) +
             "].first_begin_ps: the kept events of the op contradict it";
  }
  return "";
}

std::string schema::findKeptFault(const Run &run) {
  if (run.kept.empty())
    return "";
  std::vector<uint64_t> counts = countTracks(run);
  std::string fault = findSumFault(run);
  if (fault.empty())
    fault = findTrackFault(run, counts);
  return fault.empty() ? findBeginFault(run, counts) : fault;
}
