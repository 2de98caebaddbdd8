//===- Timelines.cpp - Tracks of a recording of scopes --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Timelines.h"
#include "../FreeLanes.h"
#include "../Json/Decimal.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"

#include <map>
#include <numeric>

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using scope::Recording;
using scope::ScopeEvent;

ScopeTimelines::ScopeTimelines(const Recording &recording,
                               ProfileBuilder &builder)
    : recording(recording), builder(builder), trackOf(recording.events.size()) {
  std::vector<std::vector<uint32_t>> scopes(recording.threads.size());
  for (auto [index, event] : llvm::enumerate(recording.events)) {
    scopes[event.thread].push_back(uint32_t(index));
    originPs = std::min(originPs, event.beginPs);
  }
  setClock();
  for (uint32_t thread = 0; thread != scopes.size(); ++thread)
    addThread(thread, scopes[thread]);
}

void ScopeTimelines::setClock() {
  // Anchors are in whole nanoseconds.
  originPs = json::floorToNs(originPs);
  Clock &clock = builder.getRun().clock;
  clock.hasAnchor = recording.clock.anchorNs > 0;
  if (clock.hasAnchor)
    clock.anchorNs = saturatingAdd(recording.clock.anchorNs, originPs / 1000);
}

uint32_t ScopeTimelines::addTrack(const llvm::Twine &name, uint32_t thread) {
  Track track;
  track.plane = "process " + std::to_string(recording.process);
  track.line = tracks++;
  track.id = int64_t(recording.threads[thread].id);
  track.name = name.str();
  return builder.addTrack(std::move(track));
}

/// Adds scopes that overlap in any way.
void ScopeTimelines::addSpread(llvm::StringRef name,
                               std::vector<uint32_t> scopes) {
  llvm::stable_sort(scopes, [&](uint32_t a, uint32_t b) {
    return recording.events[a].beginPs < recording.events[b].beginPs;
  });
  FreeLanes free;
  std::vector<uint32_t> tracksOfLanes;
  for (uint32_t index : scopes) {
    const ScopeEvent &event = recording.events[index];
    size_t lane = free.take(event.beginPs, event.endPs);
    if (lane == tracksOfLanes.size())
      tracksOfLanes.push_back(addTrack(lane ? name + " " + llvm::Twine(lane + 1)
                                            : llvm::Twine(name),
                                       event.thread));
    trackOf[index] = tracksOfLanes[lane];
  }
}

void ScopeTimelines::addThread(uint32_t thread,
                               llvm::ArrayRef<uint32_t> scopes) {
  const scope::Thread &of = recording.threads[thread];
  std::string name = of.name.empty() ? "thread" : of.name;
  name += " " + std::to_string(of.id);
  std::vector<uint32_t> nested, overlapping, outside;
  for (uint32_t index : scopes) {
    const ScopeEvent &event = recording.events[index];
    (event.isOutside       ? outside
     : event.isOverlapping ? overlapping
                           : nested)
        .push_back(index);
  }
  if (!nested.empty()) {
    uint32_t track = addTrack(name, thread);
    for (uint32_t index : nested)
      trackOf[index] = track;
  }
  addSpread(name + ", overlapping", std::move(overlapping));
  addSpread(of.isDevice ? name : name + ", measured elsewhere",
            std::move(outside));
}

void ScopeTimelines::emit(Describe describe) {
  const std::vector<ScopeEvent> &events = recording.events;
  std::vector<uint32_t> order(events.size());
  std::iota(order.begin(), order.end(), 0u);
  llvm::sort(order, [&](uint32_t a, uint32_t b) {
    if (events[a].beginPs != events[b].beginPs)
      return events[a].beginPs < events[b].beginPs;
    if (events[a].endPs != events[b].endPs)
      return events[a].endPs > events[b].endPs;
    // A parent that takes as long as its child comes later in the recording.
    return a > b;
  });
  for (uint32_t index : order) {
    const ScopeEvent &scope = events[index];
    Event event;
    event.track = trackOf[index];
    event.beginPs = saturatingSub(scope.beginPs, originPs);
    event.endPs = saturatingSub(scope.endPs, originPs);
    event.name = builder.addName(recording.sites[scope.site].name);
    describe(index, event);
    builder.event(event);
  }
}

void importer::joinScopeParts(const Recording &recording,
                              llvm::ArrayRef<uint32_t> ops,
                              ProfileBuilder &builder) {
  struct Sums {
    Summary execute;
    Summary self;
  };
  std::map<uint32_t, Sums> sums;
  for (auto [index, event] : llvm::enumerate(recording.events))
    if (event.first != index && ops[index] != kNone)
      sums[ops[index]];
  if (sums.empty())
    return;
  // By the first part: duration and self time.
  std::map<uint32_t, std::pair<int64_t, int64_t>> calls;
  for (auto [index, event] : llvm::enumerate(recording.events)) {
    if (!sums.count(ops[index]))
      continue;
    auto &[durationPs, selfPs] = calls[event.first];
    addSaturating(durationPs, event.getDurationPs());
    addSaturating(selfPs, event.selfPs);
  }
  for (const auto &[first, call] : calls) {
    auto it = sums.find(ops[first]);
    if (it == sums.end())
      continue;
    it->second.execute.add(call.first);
    it->second.self.add(call.second);
  }
  for (auto &[op, sum] : sums) {
    builder.setMeasurement(op, Quantity::Execute, std::move(sum.execute));
    builder.setMeasurement(op, Quantity::Self, std::move(sum.self));
  }
}

/// Whether a scope was open at the fork of its process: its end is in the
/// recording of the parent, and the part here ends with the process. Times
/// count from the fork.
static bool isOfParent(const Recording &recording, const ScopeEvent &event) {
  return recording.parentProcess != 0 && event.beginPs < 0;
}

void importer::addScopeLosses(const Recording &recording,
                              ProfileBuilder &builder) {
  for (const Loss &loss : recording.losses)
    builder.loss(loss.name, loss.count, loss.timePs);
  uint64_t overwritten = 0, open = 0;
  int64_t openPs = 0;
  for (const scope::Thread &thread : recording.threads)
    addSaturating(overwritten, thread.overwritten);
  for (const ScopeEvent &event : recording.events)
    if (event.end == scope::EventEnd::Open && !isOfParent(recording, event)) {
      ++open;
      addSaturating(openPs, event.getDurationPs());
    }
  if (overwritten)
    builder.loss("record that a ring has overwritten", overwritten, 0);
  if (open)
    builder.loss("end of a scope that was still open", open, openPs);
}
