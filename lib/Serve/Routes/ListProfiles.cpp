//===- ListProfiles.cpp - GET /profiles -----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Routes.h"
#include "mlir-prof/Report/JsonText.h"
#include "llvm/Support/Chrono.h"
#include "llvm/Support/FormatProviders.h"
#include "llvm/Support/FormatVariadic.h"

#include <ctime>

using namespace mlirprof;
using namespace mlirprof::report;
using namespace mlirprof::serve;

/// A time of day in ISO 8601, "" if unknown.
static std::string formatDay(int64_t ns) {
  if (ns <= 0)
    return "";
  time_t seconds = time_t(ns / 1000000000);
  struct tm parts;
  char text[40];
  if (!gmtime_r(&seconds, &parts) ||
      !strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &parts))
    return "";
  return llvm::formatv("{0}.{1,0+3}Z", text, ns / 1000000 % 1000).str();
}

static void writeDay(llvm::json::OStream &json, llvm::StringRef name,
                     int64_t ns) {
  std::string text = formatDay(ns);
  if (text.empty())
    json.attribute(name, nullptr);
  else
    json.attribute(name, text);
}

void serve::writeProfileMembers(llvm::json::OStream &json,
                                const StoredProfile &profile) {
  json.attribute("id", profile.id);
  writeText(json, "name", profile.name);
  writeText(json, "label", profile.label);
  writeText(json, "producer", profile.producer);
  writeText(json, "model", profile.model);
  writeText(json, "commit", profile.commit);
  writeText(json, "machine", profile.machine);
  writeDay(json, "recorded_at", profile.recordedNs);
  writeDay(json, "uploaded_at", profile.uploadedNs);
  writeInteger(json, "bytes", int64_t(profile.bytes));
  writeInteger(json, "events", int64_t(profile.events));
  writeInteger(json, "time_ps", profile.timePs);
  bool isReady = profile.state == ProfileState::Ready;
  json.attribute("state", isReady ? "ready" : "quarantined");
  writeText(json, "error", profile.error);
}

void serve::writeProfile(llvm::json::OStream &json,
                         const StoredProfile &profile) {
  writeProfileMembers(json, profile);
  json.attributeBegin("coverage");
  if (profile.coveragePpm < 0)
    json.value(nullptr);
  else
    json.rawValue(llvm::formatv("{0}.{1,0+6}", profile.coveragePpm / 1000000,
                                profile.coveragePpm % 1000000)
                      .str());
  json.attributeEnd();
}

static llvm::Expected<Answer> run(Api &api, const Request &request) {
  ProfileFilter filter;
  filter.search = request.get("search").str();
  filter.model = request.get("model").str();
  filter.commit = request.get("commit").str();
  filter.machine = request.get("machine").str();
  filter.label = request.get("label").str();
  if (request.has("sort"))
    filter.sort = request.get("sort").str();
  filter.limit = uint64_t(request.getInteger("limit", 50));
  filter.offset = uint64_t(request.getInteger("offset", 0));
  auto list = api.store.list(filter);
  if (!list)
    return list.takeError();
  return makeJson([&](llvm::json::OStream &json) {
    json.attributeArray("profiles", [&] {
      for (const StoredProfile &profile : list->profiles)
        json.object([&] { writeProfile(json, profile); });
    });
    json.attribute("total", list->total);
  });
}

Route route::ListProfiles() {
  return {
      "GET",
      "/profiles",
      "The profiles of the store.",
      {{"search", "Part of a name, label, model, producer or commit."},
       {"model", "Only of this model."},
       {"commit", "Only of this commit."},
       {"machine", "Only of this machine."},
       {"label", "Only with this label."},
       {"sort", "A member of profiles, descending with a leading '-'."},
       {"limit", "Most profiles (default 50).", ParameterType::Integer, 1,
        1000},
       {"offset", "Profiles to skip.", ParameterType::Integer, 0, 4294967295}},
      run};
}
