//===- ShowModule.cpp - GET /profiles/{id}/modules/{level} ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Api/ModuleText.h"
#include "Routes.h"
#include "mlir-prof/Report/JsonText.h"
#include "mlir-prof/Trace/Time.h"

#include <map>

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::report;
using namespace mlirprof::serve;
using namespace mlirprof::trace;

namespace {
/// The lines that are shown.
struct LineRange {
  uint32_t begin;
  uint32_t end;
  bool contains(uint32_t line) const {
    return line != kNone && line >= begin && line < end;
  }
};
} // namespace

/// `part` of `whole` in millionths.
static int64_t getPpm(int64_t part, int64_t whole) {
  return whole > 0 ? int64_t(__int128(part) * 1000000 / whole) : 0;
}

static void writeHeat(llvm::json::OStream &json, const Attribution &attribution,
                      const ModuleText &text, LineRange range) {
  std::map<uint32_t, int64_t> times;
  int64_t whole = 0;
  for (const auto &[i, op] : llvm::enumerate(attribution.ops)) {
    int64_t time = op.totalPs();
    whole = saturatingAdd(whole, time);
    uint32_t line = text.firstLine[i];
    if (time != 0 && range.contains(line))
      times[line] = saturatingAdd(times[line], time);
  }
  json.attributeArray("heat", [&] {
    for (const auto &[line, time] : times)
      json.object([&, line = line, time = time] {
        json.attribute("line", line + 1);
        writeInteger(json, "time_ps", time);
        json.attribute("share", getPpm(time, whole));
      });
  });
}

static void writeOps(llvm::json::OStream &json, const Session &session,
                     const ModuleText &text, LineRange range) {
  json.attributeArray("ops", [&] {
    for (const auto &[i, op] : llvm::enumerate(session.ownership->ops)) {
      uint32_t line = text.firstLine[i];
      if (!range.contains(line))
        continue;
      json.object([&, &op = op, i = i] {
        json.attribute("op", i);
        json.attribute("line", line + 1);
        json.attribute("end_line", text.lastLine[i] + 1);
        writeInteger(json, "time_ps", session.attribution->ops[i].totalPs());
        writeText(json, "name", op.op);
        writeText(json, "path", op.path);
      });
    }
  });
}

static llvm::Expected<Answer> run(Api &api, const Request &request) {
  auto profile = findProfile(api, request);
  if (!profile)
    return profile.takeError();
  const std::string &level = request.captures[1];
  auto opened = api.sessions.get(*profile, level);
  if (!opened)
    return opened.takeError();
  const Session &session = (*opened)->get();
  if (!session.ownership)
    return requestError(404, "no-module",
                        "the profile does not hold a module of this level",
                        "Upload it with the module that was run.");
  auto text = getModuleText(**opened);
  auto size = uint32_t(text->lines.size());
  auto begin = uint32_t(request.getInteger("begin", 0));
  auto count = uint32_t(
      request.getInteger("count", request.isForFile ? 4294967295 : 2000));
  begin = std::min(begin, size);
  LineRange range = {begin, begin + std::min(count, size - begin)};
  return makeJson([&](llvm::json::OStream &json) {
    writeText(json, "level", level);
    json.attribute("lines_total", size);
    json.attribute("begin", range.begin);
    json.attributeArray("lines", [&] {
      for (uint32_t line = range.begin; line != range.end; ++line)
        json.value(toJsonText(text->lines[line]));
    });
    writeHeat(json, *session.attribution, *text, range);
    writeOps(json, session, *text, range);
  });
}

Route route::ShowModule() {
  return {"GET",
          "/profiles/{id}/modules/{level}",
          "The text of a level, with the time of its lines and ops. Lines "
          "count from 1, apart from begin, the number of lines before.",
          {{"begin", "The first line.", ParameterType::Integer, 0, 4294967295},
           {"count", "Most lines (default 2000).", ParameterType::Integer, 1,
            20000}},
          run};
}
