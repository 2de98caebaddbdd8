//===- Scope.cpp - Recordings of scopes -----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Common/FreeLanes.h"
#include "../Common/Json/Decimal.h"
#include "../Common/Lanes.h"
#include "../Common/Table/Totals.h"
#include "../Importers.h"
#include "mlir-prof/Scope/Recording.h"
#include "mlir-prof/Scope/Table.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using scope::Recording;
using scope::ScopeEvent;

namespace {

/// The timelines of a thread: scopes that nest are on the first one, those that
/// overlap and those that were measured elsewhere are spread over others.
class Timelines {
public:
  Timelines(const Recording &recording, ProfileBuilder &builder)
      : recording(recording), builder(builder) {}
  void add();

private:
  void addThread(uint32_t thread, llvm::ArrayRef<uint32_t> events);
  void addSpread(llvm::StringRef name, std::vector<uint32_t> events);
  Lane &addLane(const llvm::Twine &name, uint32_t thread);
  void addEvent(Lane &lane, const ScopeEvent &event);
  uint32_t getOpKey(uint32_t site);

  const Recording &recording;
  ProfileBuilder &builder;
  std::vector<Lane> lanes;
  std::vector<uint32_t> opOfSite;
  /// Subtracted from all times, so that they are not negative.
  int64_t originPs = 0;
};

} // namespace

static OpKey makeScopeKey(llvm::StringRef name) {
  return OpKey(name.str(), "", GraphNodeKey());
}

uint32_t Timelines::getOpKey(uint32_t site) {
  // Sums of all scopes are better than those of some.
  if (recording.hasStatistics && recording.sampleEvery > 1)
    return kNone;
  if (opOfSite[site] == kNone)
    opOfSite[site] = builder.addOpKey(makeScopeKey(recording.sites[site].name));
  return opOfSite[site];
}

Lane &Timelines::addLane(const llvm::Twine &name, uint32_t thread) {
  Track track;
  track.plane = "process " + std::to_string(recording.process);
  track.line = uint32_t(lanes.size());
  track.id = int64_t(recording.threads[thread].id);
  track.name = name.str();
  lanes.push_back({builder.addTrack(std::move(track)), {}});
  return lanes.back();
}

void Timelines::addEvent(Lane &lane, const ScopeEvent &event) {
  LaneEvent made;
  made.beginPs = saturatingSub(event.beginPs, originPs);
  made.endPs = saturatingSub(event.endPs, originPs);
  made.name = builder.addName(recording.sites[event.site].name);
  made.op = getOpKey(event.site);
  lane.events.push_back(made);
}

/// Adds events that overlap in any way.
void Timelines::addSpread(llvm::StringRef name, std::vector<uint32_t> events) {
  llvm::stable_sort(events, [&](uint32_t a, uint32_t b) {
    return recording.events[a].beginPs < recording.events[b].beginPs;
  });
  FreeLanes free;
  std::vector<size_t> laneOf;
  for (uint32_t index : events) {
    const ScopeEvent &event = recording.events[index];
    size_t place = free.take(event.beginPs, event.endPs);
    if (place == laneOf.size()) {
      laneOf.push_back(lanes.size());
      addLane(place ? name + " " + llvm::Twine(place + 1) : llvm::Twine(name),
              event.thread);
    }
    addEvent(lanes[laneOf[place]], event);
  }
}

void Timelines::addThread(uint32_t thread, llvm::ArrayRef<uint32_t> events) {
  const scope::Thread &of = recording.threads[thread];
  std::string name = of.name.empty() ? "thread" : of.name;
  name += " " + std::to_string(of.id);
  std::vector<uint32_t> nested, overlapping, outside;
  for (uint32_t index : events) {
    const ScopeEvent &event = recording.events[index];
    (event.isOutside       ? outside
     : event.isOverlapping ? overlapping
                           : nested)
        .push_back(index);
  }
  if (!nested.empty()) {
    Lane &lane = addLane(name, thread);
    // A parent that takes as long as its child comes later in the recording.
    for (uint32_t index : llvm::reverse(nested))
      addEvent(lane, recording.events[index]);
  }
  addSpread(name + ", overlapping", std::move(overlapping));
  addSpread(name + ", measured elsewhere", std::move(outside));
}

void Timelines::add() {
  opOfSite.assign(recording.sites.size(), kNone);
  std::vector<std::vector<uint32_t>> events(recording.threads.size());
  for (auto [index, event] : llvm::enumerate(recording.events)) {
    events[event.thread].push_back(uint32_t(index));
    originPs = std::min(originPs, event.beginPs);
  }
  // Anchors are in whole nanoseconds.
  originPs = json::floorToNs(originPs);
  Run &run = builder.getRun();
  run.clock.name = "ticks";
  run.clock.hasAnchor = recording.clock.anchorNs > 0;
  if (run.clock.hasAnchor)
    run.clock.anchorNs =
        saturatingAdd(recording.clock.anchorNs, originPs / 1000);
  for (uint32_t thread = 0; thread != events.size(); ++thread)
    addThread(thread, events[thread]);
  emitLanes(lanes, builder);
}

static void addFacts(const Recording &recording, Run &run) {
  run.producer.name = "mlir-prof scopes";
  auto add = [&](llvm::StringRef name, int64_t value) {
    run.facts.emplace_back(name.str(), std::to_string(value));
  };
  add("process", int64_t(recording.process));
  add("parent process", int64_t(recording.parentProcess));
  add("clock ticks", int64_t(recording.clock.ticks));
  add("clock ticks took ps", int64_t(recording.clock.ps));
  add("wall clock against ticks, ns", recording.clock.driftNs);
  add("empty scope, its duration in ps", recording.costWindowPs);
  add("scope, its cost in ps", recording.costPairPs);
  if (recording.sampleEvery > 1)
    add("one event of so many scopes", recording.sampleEvery);
}

static void addLosses(const Recording &recording, ProfileBuilder &builder) {
  for (const Loss &loss : recording.losses)
    builder.loss(loss.name, loss.count, loss.timePs);
  uint64_t overwritten = 0, open = 0;
  int64_t openPs = 0;
  for (const scope::Thread &thread : recording.threads)
    addSaturating(overwritten, thread.overwritten);
  for (const ScopeEvent &event : recording.events)
    if (event.end == scope::EventEnd::Open) {
      ++open;
      addSaturating(openPs, event.getDurationPs());
    }
  if (overwritten)
    builder.loss("record that a ring has overwritten", overwritten, 0);
  if (open)
    builder.loss("end of a scope that was still open", open, openPs);
}

static void addStatistics(const Recording &recording, ProfileBuilder &builder) {
  table::Totals totals(builder);
  for (const scope::TableRow &row : makeStatisticsTable(recording))
    if (row.calls)
      totals.add(makeScopeKey(row.name),
                 table::makeEvenSummary(row.calls, row.rawTotalPs),
                 row.rawSelfPs);
  totals.finish();
}

static llvm::Error read(const ImportInput &input, ProfileBuilder &builder) {
  Recording recording;
  if (std::optional<scope::Problem> problem =
          scope::readRecording(input.bytes, recording))
    return inputError(input.where, problem->what, problem->hint);
  addFacts(recording, builder.getRun());
  addLosses(recording, builder);
  Timelines(recording, builder).add();
  if (recording.hasStatistics &&
      (!recording.hasEvents || recording.sampleEvery > 1))
    addStatistics(recording, builder);
  return llvm::Error::success();
}

Importer importer::Scopes() {
  return {"scopes", "scopes that a program names, linked with libprof_rt",
          [](llvm::StringRef bytes) { return scope::isRecording(bytes); },
          read};
}
