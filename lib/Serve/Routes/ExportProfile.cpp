//===- ExportProfile.cpp - GET /profiles/{id}/export ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Routes.h"
#include "mlir-prof/Session/Export.h"

using namespace mlirprof;
using namespace mlirprof::exporter;
using namespace mlirprof::serve;

static llvm::Expected<Answer> run(Api &api, const Request &request) {
  auto profile = findProfile(api, request);
  if (!profile)
    return profile.takeError();
  ExportRequest asked;
  auto exporter = findExporter(request.get("format"));
  if (!exporter)
    return exporter.takeError();
  asked.exporter = *exporter;
  OpenOptions options;
  options.allowUnmatched = true;
  auto session =
      openForExport(api.store.getPath(*profile), asked, std::move(options));
  if (!session)
    return session.takeError();
  Answer answer;
  llvm::raw_string_ostream os(answer.body);
  if (llvm::Error error = exportSession(*session, asked, os))
    return std::move(error);
  answer.type = "application/octet-stream";
  answer.fileName = profile->id + "." + (*exporter)->name.str();
  return answer;
}

Route route::ExportProfile() {
  Route route = {
      "GET",
      "/profiles/{id}/export",
      "The profile in another tool's format.",
      {{"format", "As for mlir-prof export.", ParameterType::Text, 0, 0, true}},
      run};
  route.type = "application/octet-stream";
  return route;
}
