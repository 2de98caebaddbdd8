//===- ListModules.cpp - GET /profiles/{id}/modules -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Api/ModuleText.h"
#include "Routes.h"
#include "mlir-prof/Profile/ProgramLevels.h"
#include "mlir-prof/Report/JsonText.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::report;
using namespace mlirprof::serve;

std::vector<std::string> serve::listLevels(const profile::Profile &profile) {
  std::vector<std::string> levels = profile::getLevels(profile);
  for (const profile::IrModule &module : profile.irModules)
    if (!llvm::is_contained(levels, module.level))
      levels.push_back(module.level);
  return levels;
}

static llvm::Expected<Answer> run(Api &api, const Request &request) {
  auto profile = findProfile(api, request);
  if (!profile)
    return profile.takeError();
  auto input = api.sessions.get(*profile, "");
  if (!input)
    return input.takeError();
  struct Level {
    std::string name;
    size_t lines;
    size_t ops;
    int64_t timePs;
  };
  std::vector<Level> levels;
  for (const std::string &level : listLevels((*input)->get().profile)) {
    auto opened = api.sessions.get(*profile, level);
    if (!opened)
      return opened.takeError();
    const Session &session = (*opened)->get();
    int64_t time = 0;
    if (session.attribution)
      for (const attribution::OpTime &op : session.attribution->ops)
        time = trace::saturatingAdd(time, op.totalPs());
    levels.push_back({level, getModuleText(**opened)->lines.size(),
                      session.ownership ? session.ownership->ops.size() : 0,
                      time});
  }
  return makeJson([&](llvm::json::OStream &json) {
    json.attributeArray("levels", [&] {
      for (const Level &level : levels)
        json.object([&] {
          writeText(json, "name", level.name);
          json.attribute("lines", level.lines);
          json.attribute("ops", level.ops);
          writeInteger(json, "time_ps", level.timePs);
        });
    });
  });
}

Route route::ListModules() {
  return {"GET",
          "/profiles/{id}/modules",
          "The levels of the lowering that the profile holds.",
          {},
          run};
}
