//===- RunQuery.cpp - POST /profiles/{id}/query ---------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Api/Tables.h"
#include "Routes.h"

using namespace mlirprof;
using namespace mlirprof::report;
using namespace mlirprof::serve;

static llvm::Expected<Answer> run(Api &api, const Request &request) {
  // A scan takes 20 ns a step; one of a join may take 30 times as much.
  constexpr uint64_t kMostSteps = 20000000;
  constexpr size_t kMostRows = 10000;
  auto body = parseBody(request);
  if (!body)
    return body.takeError();
  auto sql = body->getString("sql");
  if (!sql || body->size() != 1)
    return requestError(400, "bad-body", "the body is not {\"sql\": \"...\"}");
  auto opened = openRequested(api, request);
  if (!opened)
    return opened.takeError();
  auto report = (*opened)->get().query(*sql, kMostSteps);
  if (!report)
    return report.takeError();
  if (report->table.size() > kMostRows)
    report->table.notes.push_back(
        "Only the first " + std::to_string(kMostRows) + " rows are shown.");
  TablePage page;
  page.rows = llvm::ArrayRef(report->view.rows).take_front(kMostRows);
  page.matched = report->table.size();
  return makeJson([&](llvm::json::OStream &json) {
    writeTable(json, "query", report->table, page);
  });
}

Route route::RunQuery() {
  return {"POST",
          "/profiles/{id}/query",
          "The rows that a SELECT of SQLite's dialect reads. Nothing can be "
          "changed, and long queries are stopped.",
          {},
          run,
          BodyType::Json,
          R"({"sql": {"type": "string"}})"};
}
