//===- Kept.cpp - Samples one by one --------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kept.h"
#include "mlir-prof/Profile/KeptSamples.h"
#include "mlir-prof/Trace/Time.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::perfscript;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using json::kMostPs;
using json::WidePs;

void KeptSamples::add(const Header &header, const Origin &from,
                      int64_t timePs) {
  WidePs time;
  if (!json::parseDecimalTime(header.time, json::DecimalUnit::Seconds, time)) {
    ++withoutTime;
    return;
  }
  if (!origin)
    origin = time;
  time -= *origin;
  if (time > kMostPs || time < -kMostPs || timePs > kMostPs) {
    ++withoutTime;
    return;
  }
  auto [place, isNew] = known.try_emplace(
      {from.op, from.op == kNone ? from.stack : 0}, uint32_t(origins.size()));
  if (isNew)
    origins.push_back(from);
  LaneEvent event;
  event.endPs = int64_t(time);
  event.beginPs = event.endPs - std::max<int64_t>(timePs, 0);
  event.op = place->second;
  earliestPs = std::min(earliestPs, event.beginPs);
  Thread &thread = threads[header.thread];
  if (thread.name.empty())
    thread.name = (header.command + " " + llvm::Twine(header.thread)).str();
  thread.events.push_back(event);
}

void KeptSamples::finish(Stacks &stacks, ProfileBuilder &builder) {
  if (withoutTime)
    builder.loss("sample without a time: not on the timeline", withoutTime, 0);
  if (threads.empty())
    return;
  for (Origin &from : origins)
    if (from.op == kNone)
      from.op = stacks.getOp(from.stack);
  // Samples may represent a period that the user gave.
  auto periodPs = int64_t(std::min<WidePs>(stacks.getSamplePeriod(), kMostPs));
  earliestPs -= periodPs;
  std::vector<Lane> lanes;
  for (auto &[number, thread] : threads) {
    for (LaneEvent &event : thread.events) {
      const Origin &from = origins[event.op];
      event.name = from.name;
      event.op = from.op;
      event.beginPs -= periodPs + earliestPs;
      event.endPs -= earliestPs;
    }
    Track track;
    track.plane = "threads";
    track.line = uint32_t(lanes.size());
    track.id = number;
    track.name = std::move(thread.name);
    lanes.push_back(
        {builder.addTrack(std::move(track)), std::move(thread.events)});
  }
  setKeepsSamples(builder.getRun());
  emitLanes(lanes, builder);
}
