//===- Analyze.cpp - GET /profiles/{id}/analyzers/{name} ------------------===//
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

llvm::Expected<std::shared_ptr<OpenProfile>>
serve::openRequested(Api &api, const Request &request) {
  auto profile = findProfile(api, request);
  if (!profile)
    return profile.takeError();
  return api.sessions.get(*profile, request.get("level"));
}

/// Names the rows of a table that a query selects.
static std::string getViewKey(const Request &request, llvm::StringRef name) {
  std::string key = name.str();
  for (const auto &[parameter, value] : request.parameters)
    if (parameter == "filter" || parameter == "sort" || parameter == "all")
      key += "\n" + parameter + "=" + value;
  return key;
}

/// The groups of the rows that pass the filters, which the sort refers to.
static llvm::Expected<Answer> answerGroups(const Request &request,
                                           const Table &table, Query query,
                                           llvm::StringRef name) {
  std::vector<SortKey> sort = std::move(query.sort);
  query.sort.clear();
  auto view = applyQuery(table, query);
  if (!view)
    return view.takeError();
  auto grouped = groupRows(table, view->rows, {request.get("group").str()});
  if (!grouped)
    return grouped.takeError();
  Query order;
  order.sort = std::move(sort);
  auto sorted = applyQuery(*grouped, order);
  if (!sorted)
    return sorted.takeError();
  TablePage page = choosePage(request, sorted->rows);
  return makeJson([&](llvm::json::OStream &json) {
    writeTable(json, name, *grouped, page);
  });
}

static llvm::Expected<Answer> run(Api &api, const Request &request) {
  const std::string &name = request.captures[1];
  if (auto kind = findReport(name); !kind)
    return requestError(404, "no-analyzer", llvm::toString(kind.takeError()));
  auto query = parseTableQuery(request);
  if (!query)
    return query.takeError();
  auto opened = openRequested(api, request);
  if (!opened)
    return opened.takeError();
  auto selection =
      request.getInteger("all", 0) ? RowSelection::All : RowSelection::Measured;
  auto report = (*opened)->getReport(name, selection);
  if (!report)
    return report.takeError();
  const Table &table = (*report)->table;
  if (request.has("group"))
    return answerGroups(request, table, std::move(*query), name);
  auto view = (*opened)->getView(getViewKey(request, name), **report, *query);
  if (!view)
    return view.takeError();
  TablePage page = choosePage(request, (*view)->rows);
  return makeJson(
      [&](llvm::json::OStream &json) { writeTable(json, name, table, page); });
}

Route route::Analyze() {
  std::vector<RouteParameter> parameters = getTableParameters();
  parameters.push_back({"level", "Level of the lowering (default input)."});
  parameters.push_back({"group", "Column whose equal values form a row."});
  parameters.push_back(
      {"all", "1: also ops without a measurement.", ParameterType::Flag});
  return {"GET", "/profiles/{id}/analyzers/{name}",
          "The rows of an analyzer, as mlir-prof report has them.",
          std::move(parameters), run};
}
