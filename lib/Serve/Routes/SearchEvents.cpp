//===- SearchEvents.cpp - GET .../timeline/search -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Routes.h"

using namespace mlirprof;
using namespace mlirprof::serve;

static llvm::Expected<Answer> run(Api &api, const Request &request) {
  auto opened = openTimeline(api, request);
  if (!opened)
    return opened.takeError();
  const Timeline &timeline = **opened;
  std::vector<bool> isWanted(timeline.countTexts());
  for (uint32_t name = 0; name != timeline.countTexts(); ++name)
    isWanted[name] =
        timeline.getText(name).contains_insensitive(request.get("q"));
  auto limit = uint64_t(request.getInteger("limit", 50));
  uint64_t matched = 0;
  std::vector<const TimelineEvent *> found;
  for (uint32_t id = 0; id != uint32_t(timeline.size()); ++id) {
    const TimelineEvent *event = timeline.find(id);
    if (event->name >= isWanted.size() || !isWanted[event->name])
      continue;
    if (matched++ < limit)
      found.push_back(event);
  }
  return makeJson([&](llvm::json::OStream &json) {
    json.attributeArray("events", [&] {
      for (const TimelineEvent *event : found)
        json.object([&] { writeEvent(json, timeline, *event); });
    });
    json.attribute("matched", matched);
  });
}

Route route::SearchEvents() {
  return {
      "GET",
      "/profiles/{id}/timeline/search",
      "The first events whose name holds a text, in any case.",
      {{"q", "The text.", ParameterType::Text, 0, 0, true},
       {"limit", "Most events (default 50).", ParameterType::Integer, 1, 1000}},
      run};
}
