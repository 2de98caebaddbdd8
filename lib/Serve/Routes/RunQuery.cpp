//===- RunQuery.cpp - POST /profiles/{id}/query ---------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Api/Tables.h"
#include "Routes.h"
#include "mlir-prof/Report/Sql.h"

using namespace mlirprof;
using namespace mlirprof::report;
using namespace mlirprof::serve;

static constexpr SqlLimits kLimits = {/*steps=*/kMostSqlSteps, /*seconds=*/5,
                                      /*rows=*/10000};

/// Runs `sql`, with the single events of the profile only if it reads them.
static llvm::Expected<Report> runOn(const OpenProfile &opened,
                                    llvm::StringRef sql) {
  if (!readsEvents(sql))
    return runSql(opened.get().getReportInput(), sql, kLimits);
  auto whole = opened.openWithEvents();
  if (!whole)
    return whole.takeError();
  return runSql(whole->getReportInput(), sql, kLimits);
}

static llvm::Expected<Answer> run(Api &api, const Request &request) {
  auto body = parseBody(request);
  if (!body)
    return body.takeError();
  auto sql = body->getString("sql");
  if (!sql || body->size() != 1)
    return requestError(400, "bad-body", "the body is not {\"sql\": \"...\"}");
  auto opened = openRequested(api, request);
  if (!opened)
    return opened.takeError();
  constexpr unsigned kMostQueries = 2;
  Place place(api.queries, kMostQueries);
  if (!place.isFree)
    return requestError(503, "busy", "other queries are running",
                        "Try again in a few seconds.");
  auto report = runOn(**opened, *sql);
  if (!report)
    return report.takeError();
  if (report->view.matched > kLimits.rows)
    report->table.notes.push_back(
        "Only the first " + std::to_string(kLimits.rows) + " rows are shown.");
  TablePage page;
  page.rows = report->view.rows;
  page.matched = report->view.matched;
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
