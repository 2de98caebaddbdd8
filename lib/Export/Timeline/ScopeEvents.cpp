//===- ScopeEvents.cpp - The scopes of a run as events --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScopeEvents.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

#include <numeric>

using namespace mlirprof;
using namespace mlirprof::exporter;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using scope::kNoScope;
using scope::Recording;
using scope::ScopeEvent;

static bool hasScopes(const Run &run) {
  return run.scopes && !run.scopes->events.empty();
}

/// Importers of scopes keep each one as an event; those of a model that was
/// run under scopes are other events.
static bool keepsOthers(const Run &run) {
  return !run.kept.empty() && (run.producer.format == "mlir-prof" ||
                               run.kept.size() != run.scopes->events.size());
}

bool ScopeEvents::isFor(const Run &run) {
  return hasScopes(run) && !keepsOthers(run);
}

uint64_t ScopeEvents::countHidden(const Run &run) {
  return hasScopes(run) && keepsOthers(run) ? run.scopes->events.size() : 0;
}

ScopeEvents::ScopeEvents(const Profile &profile, uint32_t run,
                         const Processes &processes)
    : recording(*profile.runs[run].scopes) {
  addTracks(processes.getNameWithParent(run));
  addEvents(profile, profile.runs[run]);
  addArrows();
}

void ScopeEvents::addTracks(const std::string &plane) {
  for (const ScopeEvent &event : recording.events)
    trackOf[{event.thread, event.isOutside}] = 0;
  for (auto &[key, track] : trackOf) {
    const scope::Thread &thread = recording.threads[key.first];
    track = uint32_t(tracks.size());
    TrackInfo info;
    info.plane = plane;
    info.line = track;
    info.id = int64_t(thread.id);
    info.name = thread.name.empty() ? "thread" : thread.name;
    info.name += " " + std::to_string(thread.id);
    if (key.second && !thread.isDevice)
      info.name += ", measured elsewhere";
    tracks.push_back(std::move(info));
  }
}

void ScopeEvents::addEvents(const Profile &profile, const Run &run) {
  const std::vector<ScopeEvent> &scopes = recording.events;
  order.resize(scopes.size());
  std::iota(order.begin(), order.end(), 0u);
  llvm::sort(order, [&](uint32_t a, uint32_t b) {
    if (scopes[a].beginPs != scopes[b].beginPs)
      return scopes[a].beginPs < scopes[b].beginPs;
    if (scopes[a].endPs != scopes[b].endPs)
      return scopes[a].endPs > scopes[b].endPs;
    // A parent that takes as long as its child comes later in the recording.
    return a > b;
  });
  // Both clocks are anchored, or the first scope is the zero of the run.
  int64_t shiftPs =
      saturatingSub(0, std::min<int64_t>(scopes[order.front()].beginPs, 0));
  if (run.clock.hasAnchor)
    shiftPs = saturatingMul(
        saturatingSub(recording.clock.anchorNs, run.clock.anchorNs), 1000);
  // Ops of their names, as the importer of scopes makes them.
  llvm::StringMap<uint32_t> opOfName;
  for (const OpSummary &op : run.ops) {
    const OpKey &key = profile.opKeys[op.op];
    if (key.is<GraphNodeKey>() && key.kernel.empty())
      opOfName.try_emplace(key.op, op.op);
  }
  for (auto [index, number] : llvm::enumerate(order)) {
    const ScopeEvent &scope = scopes[number];
    uint32_t op = kNone;
    const std::string &name = recording.sites[scope.site].name;
    if (!run.kept.empty()) {
      // Both are in this order; of equal intervals, any may come first.
      if (profile.strings[run.kept.name[index]] == name)
        op = run.kept.op[index];
    } else if (auto it = opOfName.find(name); it != opOfName.end()) {
      op = it->second;
    }
    events.track.push_back(trackOf[{scope.thread, scope.isOutside}]);
    events.name.push_back(scope.site);
    events.op.push_back(op);
    events.beginPs.push_back(saturatingAdd(scope.beginPs, shiftPs));
    events.durationPs.push_back(scope.getDurationPs());
  }
}

void ScopeEvents::addArrows() {
  std::vector<uint32_t> eventOf(order.size());
  for (uint32_t event = 0; event != order.size(); ++event)
    eventOf[order[event]] = event;
  auto add = [&](uint32_t from, uint32_t to, bool isContinuation) {
    arrows[to] = {from, isContinuation};
    targets[from].push_back(to);
  };
  // The event of the last part so far, by the scope of the first one.
  std::vector<uint32_t> lastPart(order.size(), kNone);
  for (uint32_t event = 0; event != order.size(); ++event) {
    const ScopeEvent &scope = getScope(event);
    uint32_t before = std::exchange(lastPart[scope.first], event);
    if (before != kNone)
      add(before, event, /*isContinuation=*/true);
    else if (scope.isLinked)
      add(eventOf[scope.parent], event, /*isContinuation=*/false);
  }
}

std::vector<std::pair<llvm::StringRef, std::string>>
exporter::describeScope(const Recording &recording, const ScopeEvent &event) {
  std::vector<std::pair<llvm::StringRef, std::string>> facts;
  const scope::Site &site = recording.sites[event.site];
  facts.emplace_back("self_ps", std::to_string(event.selfPs));
  facts.emplace_back("scope_type", std::to_string(site.type));
  if (!site.file.empty())
    facts.emplace_back("file", site.file + ":" + std::to_string(site.line));
  if (event.end == scope::EventEnd::Open)
    facts.emplace_back("end", "open");
  else if (event.end == scope::EventEnd::Suspended)
    facts.emplace_back("end", "suspended");
  if (event.isSelfBound)
    facts.emplace_back("self", "at most, a ring has overwritten others");
  return facts;
}
