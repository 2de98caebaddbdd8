//===- ShowDiff.cpp - GET /diff -------------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Api/Tables.h"
#include "Routes.h"
#include "mlir-prof/Report/DiffReport.h"
#include "mlir-prof/Report/JsonText.h"
#include "mlir-prof/Session/Diff.h"

using namespace mlirprof;
using namespace mlirprof::diff;
using namespace mlirprof::report;
using namespace mlirprof::serve;

llvm::Expected<ProfileDiff> serve::compareProfiles(Api &api,
                                                   const StoredProfile &before,
                                                   const StoredProfile &after) {
  OpenOptions options;
  options.allowUnmatched = true;
  // A comparison changes the sessions.
  auto first = openSession(api.store.getPath(before), options);
  if (!first)
    return first.takeError();
  auto second = openSession(api.store.getPath(after), options);
  if (!second)
    return second.takeError();
  return diffSessions(*first, before.name, *second, after.name);
}

static llvm::Expected<StoredProfile> find(Api &api, llvm::StringRef id) {
  Request request;
  request.captures.push_back(id.str());
  return findProfile(api, request);
}

static llvm::Expected<Answer> run(Api &api, const Request &request) {
  auto before = find(api, request.get("before"));
  if (!before)
    return before.takeError();
  auto after = find(api, request.get("after"));
  if (!after)
    return after.takeError();
  auto query = parseTableQuery(request);
  if (!query)
    return query.takeError();
  auto diff = compareProfiles(api, *before, *after);
  if (!diff)
    return diff.takeError();
  auto report = makeDiffReport(*diff, before->name, after->name, *query);
  if (!report)
    return report.takeError();
  for (const std::string &note : diff->notes)
    report->table.notes.push_back(note);
  TablePage page;
  page.matched = report->view.matched;
  llvm::ArrayRef<uint32_t> rows = report->view.rows;
  rows = rows.drop_front(
      std::min<size_t>(rows.size(), size_t(request.getInteger("offset", 0))));
  page.rows = rows.take_front(size_t(request.getInteger("limit", 50)));
  return makeJson([&](llvm::json::OStream &json) {
    writeTable(json, "diff", report->table, page);
    const DiffRow &whole = diff->quiet  ? *diff->quiet
                           : diff->wall ? *diff->wall
                                        : diff->total;
    writeInteger(json, "before_ps", whole.beforePs);
    writeInteger(json, "after_ps", whole.afterPs);
    json.attribute("verdict", toString(whole.verdict));
    json.attribute("unit", toString(diff->unit));
    json.attribute("unchanged", diff->unchanged);
  });
}

Route route::ShowDiff() {
  return {
      "GET",
      "/diff",
      "Two profiles compared op by op.",
      {{"before", "Id of the earlier profile.", ParameterType::Text, 0, 0,
        true},
       {"after", "Id of the later profile.", ParameterType::Text, 0, 0, true},
       {"filter", "As for analyzers.", ParameterType::Text, 0, 0, false, true},
       {"sort", "As for analyzers."},
       {"limit", "Most rows (default 50).", ParameterType::Integer, 1, 1000},
       {"offset", "Rows to skip.", ParameterType::Integer, 0, 4294967295}},
      run};
}
