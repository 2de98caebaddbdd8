//===- SumEvents.cpp - GET .../timeline/sum -------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Api/Tables.h"
#include "Routes.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlirprof;
using namespace mlirprof::report;
using namespace mlirprof::serve;
using namespace mlirprof::trace;

/// The tracks that a list names; all without one.
static llvm::Expected<std::vector<bool>> parseTracks(const Timeline &timeline,
                                                     llvm::StringRef list) {
  size_t count = timeline.getTracks().size();
  std::vector<bool> tracks(count, list.empty());
  while (!list.empty()) {
    auto [number, rest] = list.split(',');
    size_t track = 0;
    if (number.getAsInteger(10, track) || track >= count)
      return requestError(400, "bad-parameter",
                          "'" + number + "' is not a track");
    tracks[track] = true;
    list = rest;
  }
  return tracks;
}

static llvm::Expected<Answer> run(Api &api, const Request &request) {
  auto opened = openTimeline(api, request);
  if (!opened)
    return opened.takeError();
  const Timeline &timeline = **opened;
  auto tracks = parseTracks(timeline, request.get("tracks"));
  if (!tracks)
    return tracks.takeError();
  int64_t begin = request.getInteger("begin_ps", INT64_MIN);
  int64_t end = request.getInteger("end_ps", INT64_MAX);
  struct Sum {
    uint64_t count = 0;
    int64_t timePs = 0;
  };
  llvm::MapVector<uint32_t, Sum> sums;
  for (uint32_t lane = 0; lane != timeline.countLanes(); ++lane) {
    if (!(*tracks)[timeline.getTrackOf(lane)])
      continue;
    for (unsigned layer = 0; layer != Timeline::kLayers; ++layer)
      for (const TimelineEvent &event : timeline.getEvents(lane, layer)) {
        int64_t from = std::max(begin, event.beginPs);
        int64_t to =
            std::min(end, saturatingAdd(event.beginPs, event.durationPs));
        if (to < from || event.beginPs >= end)
          continue;
        Sum &sum = sums[event.name];
        ++sum.count;
        addSaturating(sum.timePs, to - from);
      }
  }
  Table table({{"name", "name", ColumnKind::Text},
               {"count", "count", ColumnKind::Count},
               {"time_ps", "time", ColumnKind::Time}});
  table.defaultOrder = {{2, true}, {0, false}};
  for (const auto &[name, sum] : sums)
    table.addRow({timeline.getText(name), sum.count, sum.timePs});
  auto query = parseTableQuery(request);
  if (!query)
    return query.takeError();
  auto view = applyQuery(table, *query);
  if (!view)
    return view.takeError();
  TablePage page = choosePage(request, view->rows);
  return makeJson(
      [&](llvm::json::OStream &json) { writeTable(json, "sum", table, page); });
}

Route route::SumEvents() {
  std::vector<RouteParameter> parameters = getTableParameters();
  parameters.push_back({"begin_ps", "Begin of the selection.",
                        ParameterType::Integer, INT64_MIN});
  parameters.push_back(
      {"end_ps", "End of the selection.", ParameterType::Integer, INT64_MIN});
  parameters.push_back({"tracks", "Numbers of tracks (default all)."});
  return {"GET", "/profiles/{id}/timeline/sum",
          "The events in a selection by name: their number, and their time in "
          "it.",
          std::move(parameters), run};
}
