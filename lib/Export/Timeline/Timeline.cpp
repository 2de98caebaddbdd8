//===- Timeline.cpp - The single events of a profile ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Timeline.h"
#include "LaneFinder.h"
#include "mlir-prof/Profile/KeptSamples.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"

#include <numeric>
#include <queue>

using namespace mlirprof;
using namespace mlirprof::exporter;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

static int64_t getEnd(const EventColumns &kept, size_t event) {
  return saturatingAdd(kept.beginPs[event],
                       std::max<int64_t>(kept.durationPs[event], 0));
}

int64_t Timeline::getBeginPs(uint32_t run, size_t event) const {
  return saturatingAdd(getEvents(run).beginPs[event], shiftPs[run]);
}

int64_t Timeline::getEndPs(uint32_t run, size_t event) const {
  return saturatingAdd(getEnd(getEvents(run), event), shiftPs[run]);
}

static bool hasEvents(const Run &run) {
  return !run.kept.empty() || ScopeEvents::isFor(run);
}

/// Puts all runs with an anchor on one clock, whose zero is that of the
/// earliest. Times of other clocks are not comparable, so they are not changed.
void Timeline::align(LossList *losses) {
  shiftPs.assign(profile->runs.size(), 0);
  for (const Run &run : profile->runs)
    if (run.clock.hasAnchor && hasEvents(run))
      anchorNs =
          std::min(anchorNs.value_or(run.clock.anchorNs), run.clock.anchorNs);
  for (auto [run, shift] : llvm::zip_equal(profile->runs, shiftPs)) {
    if (!hasEvents(run) || profile->runs.size() == 1)
      continue;
    int64_t ns = 0;
    bool aligned =
        run.clock.hasAnchor &&
        !__builtin_sub_overflow(run.clock.anchorNs, *anchorNs, &ns) &&
        !__builtin_mul_overflow(ns, int64_t(1000), &shift);
    if (aligned)
      continue;
    shift = 0;
    if (losses)
      losses->add("run whose clock is unrelated to the others, shown from its "
                  "own zero");
  }
}

static bool isInOrder(const EventColumns &kept) {
  for (size_t event = 1; event < kept.size(); ++event)
    if (kept.beginPs[event] < kept.beginPs[event - 1] ||
        (kept.beginPs[event] == kept.beginPs[event - 1] &&
         getEnd(kept, event) > getEnd(kept, event - 1)))
      return false;
  return true;
}

/// Assigns lanes to the events of a run.
void Timeline::addRun(uint32_t run) {
  const EventColumns &kept = getEvents(run);
  std::vector<uint32_t> &order = orders[run];
  if (!isInOrder(kept)) {
    order.resize(kept.size());
    std::iota(order.begin(), order.end(), 0);
    llvm::sort(order, [&](uint32_t a, uint32_t b) {
      if (kept.beginPs[a] != kept.beginPs[b])
        return kept.beginPs[a] < kept.beginPs[b];
      int64_t endA = getEnd(kept, a), endB = getEnd(kept, b);
      return endA != endB ? endA > endB : a < b;
    });
  }
  std::vector<LaneFinder> tracks(getTracks(run).size());
  laneOf[run].resize(kept.size());
  for (size_t i = 0; i < kept.size(); ++i) {
    size_t event = at(run, i);
    laneOf[run][event] = tracks[kept.track[event]].place(kept.beginPs[event],
                                                         getEnd(kept, event));
  }
  // First a number within the lanes of the track; now an index among all lanes.
  std::vector<uint32_t> first;
  for (auto [track, finder] : llvm::enumerate(tracks)) {
    first.push_back(uint32_t(lanes.size()));
    for (uint32_t number = 0; number < finder.size(); ++number)
      lanes.push_back({run, uint32_t(track), number, 0});
  }
  for (size_t event = 0; event < kept.size(); ++event) {
    laneOf[run][event] += first[kept.track[event]];
    ++lanes[laneOf[run][event]].events;
  }
}

void Timeline::addLaunches(uint32_t run) {
  const std::vector<uint32_t> &launch = getEvents(run).launch;
  for (uint32_t event = 0; event < launch.size(); ++event)
    if (launch[event] != kNone)
      launched[run].emplace_back(launch[event], event);
  llvm::sort(launched[run]);
}

llvm::ArrayRef<std::pair<uint32_t, uint32_t>>
Timeline::getLaunched(uint32_t run, size_t event) const {
  llvm::ArrayRef<std::pair<uint32_t, uint32_t>> all = launched[run];
  auto first = llvm::partition_point(
      all, [&](const auto &pair) { return pair.first < event; });
  auto last = std::find_if(
      first, all.end(), [&](const auto &pair) { return pair.first != event; });
  return llvm::ArrayRef(first, last);
}

/// Makes intervals of samples and events of scopes, and numbers all names.
void Timeline::addSlices(const ExportInput &input) {
  slices.resize(profile->runs.size());
  scopes.resize(profile->runs.size());
  firstOwnName.assign(profile->runs.size(), 0);
  nameCount = profile->strings.size();
  Processes processes(*profile);
  for (uint32_t run = 0; run < profile->runs.size(); ++run) {
    if (ScopeEvents::isFor(profile->runs[run])) {
      scopes[run] = std::make_unique<ScopeEvents>(*profile, run, processes);
      firstOwnName[run] = uint32_t(nameCount);
      nameCount += scopes[run]->getRecording().sites.size();
      continue;
    }
    if (profile->runs[run].kept.empty() || !keepsSamples(profile->runs[run]))
      continue;
    slices[run] = std::make_unique<SampleSlices>(input, run);
    firstOwnName[run] = uint32_t(nameCount);
    nameCount += slices[run]->getTexts().size();
  }
}

llvm::StringRef Timeline::getText(uint32_t name) const {
  if (name < profile->strings.size())
    return profile->strings[name];
  for (uint32_t run = 0; run < slices.size(); ++run) {
    if (name < firstOwnName[run])
      continue;
    size_t index = name - firstOwnName[run];
    if (slices[run] && index < slices[run]->getTexts().size())
      return slices[run]->getTexts()[index].name;
    if (scopes[run] && index < scopes[run]->getRecording().sites.size())
      return scopes[run]->getRecording().sites[index].name;
  }
  return "";
}

/// Advice for a profile without events, depending on its last run.
static std::string getHint(const Profile &profile) {
  constexpr llvm::StringLiteral kOthers =
      " --format=speedscope, pprof and folded do not need events.";
  if (profile.runs.empty())
    return "It does not contain a recording.";
  const Run &run = profile.runs.back();
  if (std::string how = describeKeeping(run); !how.empty())
    return how + kOthers.str();
  bool hasEvents = llvm::any_of(
      run.tracks, [](const TrackInfo &track) { return track.events != 0; });
  if (hasEvents || run.producer.format == "perf-script")
    return "Give the recording itself, or keep its events: mlir-prof import " +
           run.source + " --keep-events -o FILE." + kOthers.str();
  return "A recording of the format " + run.producer.format +
         " has sums only: there is no timeline in it." + kOthers.str();
}

llvm::Expected<Timeline> Timeline::make(const ExportInput &input) {
  const Profile &profile = input.profile;
  uint64_t withoutEvents = llvm::count_if(
      profile.runs, [](const Run &run) { return !hasEvents(run); });
  if (withoutEvents == profile.runs.size())
    return inputError(input.where, "contains only sums, without single events",
                      getHint(profile));
  if (withoutEvents && input.losses)
    input.losses->add("run without single events, left out", withoutEvents);
  for (const Run &run : profile.runs)
    if (uint64_t hidden = ScopeEvents::countHidden(run); hidden && input.losses)
      input.losses->add("scope, left out since the run keeps other events",
                        hidden);
  Timeline timeline(profile);
  timeline.laneOf.resize(profile.runs.size());
  timeline.orders.resize(profile.runs.size());
  timeline.launched.resize(profile.runs.size());
  timeline.addSlices(input);
  timeline.align(input.losses);
  timeline.firstPs = std::numeric_limits<int64_t>::max();
  for (uint32_t run = 0; run < profile.runs.size(); ++run) {
    if (!hasEvents(profile.runs[run]))
      continue;
    timeline.addRun(run);
    timeline.addLaunches(run);
    timeline.firstPs = std::min(timeline.firstPs,
                                timeline.getBeginPs(run, timeline.at(run, 0)));
  }
  return std::move(timeline);
}

namespace {
struct OpenEvent {
  int64_t endPs;
  /// Inner events come later and end first.
  size_t serial;
  size_t event;
  bool operator<(const OpenEvent &other) const {
    return endPs != other.endPs ? endPs > other.endPs : serial < other.serial;
  }
};
} // namespace

void Timeline::walk(uint32_t run, llvm::ArrayRef<uint32_t> order,
                    llvm::function_ref<void(size_t event)> onBegin,
                    llvm::function_ref<void(size_t event)> onEnd) const {
  const EventColumns &kept = getEvents(run);
  std::priority_queue<OpenEvent> open;
  size_t count = order.empty() ? kept.size() : order.size();
  for (size_t i = 0; i < count; ++i) {
    size_t event = order.empty() ? at(run, i) : order[i];
    for (; !open.empty() && open.top().endPs <= kept.beginPs[event]; open.pop())
      onEnd(open.top().event);
    onBegin(event);
    open.push({getEnd(kept, event), i, event});
  }
  for (; !open.empty(); open.pop())
    onEnd(open.top().event);
}

std::vector<std::vector<uint32_t>> Timeline::getEventsOfLanes() const {
  std::vector<std::vector<uint32_t>> events(lanes.size());
  for (auto [list, lane] : llvm::zip_equal(events, lanes))
    list.reserve(lane.events);
  for (uint32_t run = 0; run < profile->runs.size(); ++run)
    for (size_t i = 0; i < getEvents(run).size(); ++i) {
      size_t event = at(run, i);
      events[laneOf[run][event]].push_back(uint32_t(event));
    }
  return events;
}

std::string Timeline::getName(const TimelineLane &lane) const {
  const TrackInfo &track = getTracks(lane.run)[lane.track];
  std::string name = track.displayName.empty() ? track.name : track.displayName;
  if (name.empty())
    name = "track " + std::to_string(track.id);
  if (lane.number != 0)
    name += " (overlapping " + std::to_string(lane.number) + ")";
  return name;
}

std::string Timeline::getGroup(const TimelineLane &lane) const {
  const Run &run = profile->runs[lane.run];
  std::string name = getTracks(lane.run)[lane.track].plane;
  if (name.empty())
    name = run.producer.format.empty() ? "trace" : run.producer.format;
  if (profile->runs.size() > 1)
    name += " (run " + std::to_string(lane.run) + ")";
  return name;
}
