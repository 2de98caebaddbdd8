//===- ShowEvent.cpp - GET .../timeline/events/{event} --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Routes.h"
#include "mlir-prof/Report/JsonText.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::report;
using namespace mlirprof::serve;
using namespace mlirprof::trace;

void serve::writeEvent(llvm::json::OStream &json, const Timeline &timeline,
                       const TimelineEvent &event) {
  uint32_t track = timeline.getTrackOf(event.lane);
  json.attribute("id", event.id);
  writeText(json, "name", timeline.getText(event.name));
  json.attribute("track", track);
  json.attribute("depth", event.lane - timeline.getTracks()[track].firstLane);
  writeInteger(json, "begin_ps", event.beginPs);
  writeInteger(json, "duration_ps", event.durationPs);
}

/// The events that launched `id`, or that it launched, by their numbers.
static void findFlows(llvm::ArrayRef<uint32_t> launches, uint32_t id,
                      std::vector<uint32_t> &from, std::vector<uint32_t> &to) {
  if (id < launches.size() && launches[id] != kNone)
    from.push_back(launches[id]);
  for (auto [launched, by] : llvm::enumerate(launches))
    if (by == id)
      to.push_back(uint32_t(launched));
}

/// `direction`: which way the flow goes, seen from the event that was asked
/// for.
static void writeFlows(llvm::json::OStream &json, const Timeline &timeline,
                       llvm::ArrayRef<uint32_t> events,
                       llvm::StringRef direction) {
  for (uint32_t each : events)
    if (const TimelineEvent *other = timeline.find(each))
      json.object([&] {
        writeEvent(json, timeline, *other);
        json.attribute("direction", direction);
      });
}

static llvm::Expected<Answer> run(Api &api, const Request &request) {
  auto timeline = openTimeline(api, request);
  if (!timeline)
    return timeline.takeError();
  uint32_t id = 0;
  const TimelineEvent *event =
      llvm::StringRef(request.captures[1]).getAsInteger(10, id)
          ? nullptr
          : (*timeline)->find(id);
  if (!event)
    return requestError(404, "no-event",
                        "the recording does not have this event");
  auto opened = openRequested(api, request);
  if (!opened)
    return opened.takeError();
  const Session &session = (*opened)->get();
  std::vector<uint32_t> from, to;
  findFlows((*timeline)->getLaunches(), id, from, to);
  return makeJson([&](llvm::json::OStream &json) {
    writeEvent(json, **timeline, *event);
    bool hasKey = event->op < session.profile.opKeys.size();
    if (hasKey) {
      const profile::OpKey &key = session.profile.opKeys[event->op];
      json.attributeObject("key", [&] {
        json.attribute("index", event->op);
        writeText(json, "op", key.op);
      });
    } else {
      json.attribute("key", nullptr);
    }
    json.attributeArray("ops", [&] {
      if (hasKey && session.ownership)
        for (uint32_t op : session.ownership->matches[event->op].ops)
          json.value(op);
    });
    json.attributeArray("flows", [&] {
      writeFlows(json, **timeline, from, "in");
      writeFlows(json, **timeline, to, "out");
    });
  });
}

Route route::ShowEvent() {
  return {"GET",
          "/profiles/{id}/timeline/events/{event}",
          "An event, its op, and the events that launched it or that it "
          "launched.",
          {},
          run};
}
