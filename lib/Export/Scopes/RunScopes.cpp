//===- RunScopes.cpp - The scopes of the runs of a profile ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunScopes.h"
#include "../Decimal.h"
#include "../Timeline/Timeline.h"
#include "mlir-prof/Scope/RecordingBuilder.h"
#include "mlir-prof/Scope/Scope.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::exporter;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using scope::Recording;
using scope::ScopeEvent;
using scope::ScopeType;

static bool hasScopes(const Run &run) {
  return run.scopes && !run.scopes->events.empty();
}

/// The kept events of a run as scopes; its lanes are the threads.
static Recording makeFromEvents(const Profile &profile, uint32_t run,
                                const Timeline &timeline) {
  scope::RecordingBuilder builder;
  Recording &recording = builder.getRecording();
  if (profile.runs[run].clock.hasAnchor)
    recording.clock.anchorNs = timeline.getAnchorNs().value_or(0);
  std::vector<uint32_t> threads;
  for (const TimelineLane &lane : timeline.getLanes()) {
    threads.push_back(scope::kNoScope);
    if (lane.run != run || lane.events == 0)
      continue;
    scope::Thread thread;
    thread.id = uint64_t(profile.runs[run].tracks[lane.track].id);
    thread.name = timeline.getName(lane);
    threads.back() = builder.addThread(std::move(thread));
  }
  const EventColumns &kept = timeline.getEvents(run);
  for (size_t event = 0; event != kept.size(); ++event) {
    scope::Site site;
    site.name = timeline.getText(timeline.getName(run, event)).str();
    site.type = uint16_t(kept.op[event] == kNone ? ScopeType::UserDefined
                                                 : ScopeType::Operator);
    ScopeEvent scope;
    scope.site = builder.addSite(std::move(site));
    scope.thread = threads[timeline.getLane(run, event)];
    scope.beginPs = timeline.getBeginPs(run, event);
    scope.endPs = timeline.getEndPs(run, event);
    builder.addScope(scope);
  }
  builder.nest();
  return builder.finish();
}

llvm::Expected<std::vector<RunScopes>>
exporter::collectScopes(const ExportInput &input) {
  const std::vector<Run> &runs = input.profile.runs;
  std::optional<Timeline> timeline;
  if (llvm::none_of(runs, hasScopes) || llvm::any_of(runs, [](const Run &run) {
        return !hasScopes(run) && !run.kept.empty();
      })) {
    auto made = Timeline::make(input);
    if (!made)
      return made.takeError();
    timeline = std::move(*made);
  }
  std::vector<RunScopes> scopes;
  for (uint32_t run = 0; run != runs.size(); ++run) {
    if (hasScopes(runs[run]))
      scopes.push_back({run, runs[run].scopes});
    else if (!runs[run].kept.empty())
      scopes.push_back({run, std::make_shared<const Recording>(makeFromEvents(
                                 input.profile, run, *timeline))});
    else if (!timeline && input.losses)
      input.losses->add("run without single scopes, left out");
  }
  return std::move(scopes);
}

/// Nanoseconds relative to the epoch.
static int64_t getNs(const Recording &recording, int64_t ps) {
  return saturatingAdd(recording.clock.anchorNs, floorDivide(ps, 1000));
}

ScopeNs::ScopeNs(llvm::ArrayRef<RunScopes> runs) {
  int64_t firstNs = std::numeric_limits<int64_t>::max();
  for (const RunScopes &run : runs) {
    for (const ScopeEvent &event : run.recording->events)
      firstNs = std::min(firstNs, getNs(*run.recording, event.beginPs));
    for (const scope::MemoryEvent &event : run.recording->memory)
      firstNs = std::min(firstNs, getNs(*run.recording, event.atPs));
  }
  if (firstNs <= 0)
    shiftNs = saturatingSub(1, firstNs);
}

uint64_t ScopeNs::get(const Recording &recording, int64_t ps) const {
  return uint64_t(
      std::max<int64_t>(saturatingAdd(getNs(recording, ps), shiftNs), 1));
}

uint64_t exporter::getDeviceNumber(const scope::Thread &thread) {
  uint64_t number = 0;
  llvm::StringRef name = thread.name;
  if (name.consume_front("device ") && !name.consumeInteger(10, number))
    return number;
  return thread.device == scope::kNoScope ? 0 : thread.device;
}

void exporter::notePaddleLosses(const Recording &recording, LossList *losses) {
  if (!losses)
    return;
  auto note = [&](const char *name, auto &&holds) {
    if (auto count = llvm::count_if(recording.events, holds))
      losses->add(name, uint64_t(count));
  };
  note("time below a nanosecond", [](const ScopeEvent &event) {
    return event.beginPs % 1000 || event.endPs % 1000;
  });
  note("part of a suspended scope, now a scope of its own",
       [&](const ScopeEvent &event) {
         return &recording.events[event.first] != &event;
       });
  note("scope that was open, shown until the end of the recording",
       [](const ScopeEvent &event) {
         return event.end == scope::EventEnd::Open;
       });
  note("parent that is not around the scope on its thread",
       [&](const ScopeEvent &event) {
         if (!event.isLinked)
           return false;
         const ScopeEvent &parent = recording.events[event.parent];
         auto type = [&](const ScopeEvent &of) {
           return ScopeType(recording.sites[of.site].type);
         };
         // The importer finds these again.
         return type(parent) != ScopeType::CudaRuntime &&
                (type(parent) != ScopeType::ProfileStep ||
                 type(event) != ScopeType::PythonUserDefined);
       });
  if (!recording.statistics.empty())
    losses->add("statistics of scopes", recording.statistics.size());
}
