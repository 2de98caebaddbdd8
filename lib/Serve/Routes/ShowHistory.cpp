//===- ShowHistory.cpp - GET /history -------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Routes.h"
#include "mlir-prof/Report/JsonText.h"
#include "mlir-prof/Session/Diff.h"
#include "mlir-prof/Support/Units.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::diff;
using namespace mlirprof::report;
using namespace mlirprof::serve;

/// A change of the time of the whole from one profile to the next.
struct HistoryChange {
  std::string id;
  int64_t beforePs;
  int64_t afterPs;
  llvm::StringRef verdict;
};

static llvm::Expected<std::vector<HistoryChange>>
findChanges(Api &api, llvm::ArrayRef<StoredProfile> points) {
  std::vector<HistoryChange> changes;
  for (size_t i = 1; i < points.size(); ++i) {
    auto diff = compareProfiles(api, points[i - 1], points[i]);
    if (!diff) {
      // Recordings of two machines are not compared.
      llvm::consumeError(diff.takeError());
      continue;
    }
    for (const DiffRow *row : getWhole(*diff))
      if (row->verdict == DiffVerdict::Slower ||
          row->verdict == DiffVerdict::Faster) {
        changes.push_back({points[i].id, row->testedBeforePs,
                           row->testedAfterPs(), toString(row->verdict)});
        break;
      }
  }
  return changes;
}

static llvm::Expected<Answer> run(Api &api, const Request &request) {
  ProfileFilter filter;
  filter.model = request.get("model").str();
  filter.sort = "-recorded_at";
  filter.limit = uint64_t(request.getInteger("limit", 20));
  auto list = api.store.list(filter);
  if (!list)
    return list.takeError();
  std::vector<StoredProfile> points;
  for (const StoredProfile &profile : llvm::reverse(list->profiles))
    if (profile.state == ProfileState::Ready)
      points.push_back(profile);
  auto changes = findChanges(api, points);
  if (!changes)
    return changes.takeError();
  return makeJson([&](llvm::json::OStream &json) {
    json.attributeArray("points", [&] {
      for (const StoredProfile &point : points)
        json.object([&] {
          writeProfileMembers(json, point);
          writeInteger(json, "median_ps", point.medianPs);
          writeInteger(json, "low_ps", point.lowPs);
          writeInteger(json, "high_ps", point.highPs);
        });
    });
    json.attributeArray("changes", [&] {
      for (const HistoryChange &change : *changes)
        json.object([&] {
          json.attribute("at", change.id);
          writeInteger(json, "before_ps", change.beforePs);
          writeInteger(json, "after_ps", change.afterPs);
          json.attribute("text", change.verdict.str() + ": " +
                                     formatTime(change.beforePs) + " to " +
                                     formatTime(change.afterPs));
        });
    });
  });
}

Route route::ShowHistory() {
  return {"GET",
          "/history",
          "The profiles of a model in order of recording, and the significant "
          "changes from one to the next.",
          {{"model", "The model.", ParameterType::Text, 0, 0, true},
           {"limit", "Most profiles, the latest (default 20).",
            ParameterType::Integer, 1, 50}},
          run};
}
