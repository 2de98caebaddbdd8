//===- ShowFlame.cpp - GET /profiles/{id}/flame ---------------------------===//
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

static llvm::Expected<Answer> run(Api &api, const Request &request) {
  std::string by = request.has("by") ? request.get("by").str() : "module-path";
  if (by != "call-tree" && by != "module-path")
    return requestError(400, "bad-parameter", "parameter 'by' is not a tree",
                        "There are call-tree and module-path.");
  auto opened = openRequested(api, request);
  if (!opened)
    return opened.takeError();
  auto report = (*opened)->getReport(by, RowSelection::Measured);
  if (!report)
    return report.takeError();
  const Table &table = (*report)->table;
  // Its unit is that of the profile.
  uint32_t total = *table.findColumn("total");
  // Parents come before their children.
  std::vector<int64_t> self(table.size());
  for (uint32_t row = 0; row != table.size(); ++row) {
    self[row] = trace::saturatingAdd(self[row], table.getInteger(row, total));
    if (uint32_t parent = table.parents[row]; parent < table.size())
      self[parent] -= table.getInteger(row, total);
  }
  int64_t whole = 0;
  return makeJson([&](llvm::json::OStream &json) {
    json.attributeArray("nodes", [&] {
      for (uint32_t row = 0; row != table.size(); ++row)
        json.object([&] {
          llvm::StringRef key = table.getText(row, 0);
          uint32_t parent = table.parents[row];
          bool isRoot = parent >= table.size();
          if (!isRoot && key.consume_front(table.getText(parent, 0)))
            key.consume_front("/");
          else if (isRoot)
            whole = trace::saturatingAdd(whole, table.getInteger(row, total));
          writeText(json, "name", key);
          json.attribute("parent", isRoot ? -1 : int64_t(parent));
          writeInteger(json, "self_ps", std::max<int64_t>(0, self[row]));
          writeInteger(json, "total_ps", table.getInteger(row, total));
        });
    });
    writeInteger(json, "total_ps", whole);
  });
}

Route route::ShowFlame() {
  return {"GET",
          "/profiles/{id}/flame",
          "A tree of times: nodes name their parents, -1 for roots.",
          {{"by", "call-tree or module-path (default)."},
           {"level", "Level of the lowering."}},
          run};
}
