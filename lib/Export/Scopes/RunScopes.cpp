//===- RunScopes.cpp - The scopes of the runs of a profile ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunScopes.h"
#include "../Timeline/Timeline.h"
#include "mlir-prof/Scope/PaddleProfile.h"
#include "mlir-prof/Scope/RecordingBuilder.h"
#include "mlir-prof/Scope/Scope.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::exporter;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using scope::Recording;
using scope::ScopeEvent;
using scope::ScopeType;

/// A program that ran without any scope has a recording, too.
static bool hasScopes(const Run &run) {
  return run.scopes && (!run.scopes->events.empty() ||
                        (run.scopes->hasEvents && run.kept.empty()));
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

scope::Recordings exporter::getRecordings(llvm::ArrayRef<RunScopes> runs) {
  scope::Recordings recordings;
  for (const RunScopes &run : runs)
    recordings.push_back(run.recording.get());
  return recordings;
}

void exporter::noteRoundedTimes(const Recording &recording, LossList *losses) {
  auto count = llvm::count_if(recording.events, [](const ScopeEvent &event) {
    return event.beginPs % 1000 || event.endPs % 1000;
  });
  if (count && losses)
    losses->add("time below a nanosecond", uint64_t(count));
}

void exporter::notePaddleLosses(const Recording &recording, LossList *losses) {
  noteRoundedTimes(recording, losses);
  if (losses)
    scope::addPaddleLosses(recording, *losses);
}
