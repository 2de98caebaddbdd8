//===- Links.cpp - GET .../modules/{level}/ops/{op}/links -----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Api/OpNumbers.h"
#include "Routes.h"
#include "mlir-prof/Report/JsonText.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::serve;
using namespace mlirprof::trace;

namespace {

/// An op of a level as the API names it.
struct Link {
  std::string level;
  uint32_t op = kNone;
  uint32_t line = kNone;
  int64_t timePs = 0;
};

} // namespace

/// The node of each program that is the op.
static std::vector<LinkedOp> findNodes(OpenProfile &opened,
                                       llvm::StringRef level, uint32_t op) {
  std::vector<LinkedOp> found;
  OpNumbers numbers(opened, level);
  const Profile &profile = opened.get().profile;
  for (auto [i, program] : llvm::enumerate(profile.programs)) {
    auto number =
        uint32_t(llvm::find(program.levels, level) - program.levels.begin());
    bool isAsm = level == kAsmLevel;
    size_t count = isAsm ? program.instructions.size() : program.nodes.size();
    for (uint32_t index = 0; index != count; ++index) {
      LinkedOp linked = {uint32_t(i), number, index};
      bool isOfLevel = isAsm || program.nodes[index].level == number;
      if (isOfLevel && numbers.find(linked) == op)
        found.push_back(linked);
    }
  }
  return found;
}

/// The ops of other levels, with the time of each.
static llvm::Expected<std::vector<Link>>
name(Api &api, const StoredProfile &profile, const Profile &content,
     llvm::ArrayRef<LinkedOp> linked, llvm::StringRef to) {
  std::vector<Link> links;
  std::map<std::string, std::vector<LinkedOp>> byLevel;
  for (const LinkedOp &op : linked) {
    const Program &program = content.programs[op.program];
    std::string level = op.level < program.levels.size()
                            ? program.levels[op.level]
                            : kAsmLevel.str();
    if (to.empty() || to == level)
      byLevel[level].push_back(op);
  }
  for (const auto &[level, ops] : byLevel) {
    auto opened = api.sessions.get(profile, level);
    if (!opened)
      return opened.takeError();
    OpNumbers numbers(**opened, level);
    const Session &session = (*opened)->get();
    for (const LinkedOp &op : ops)
      if (uint32_t number = numbers.find(op); number != kNone)
        links.push_back({level, number, numbers.getLine(number),
                         session.attribution->ops[number].totalPs()});
  }
  return links;
}

static void writeLinks(llvm::json::OStream &json, llvm::StringRef name,
                       llvm::ArrayRef<Link> links) {
  std::map<llvm::StringRef, int64_t> sums;
  for (const Link &link : links)
    sums[link.level] = saturatingAdd(sums[link.level], link.timePs);
  json.attributeArray(name, [&] {
    for (const Link &link : links)
      json.object([&] {
        int64_t sum = sums[link.level];
        writeText(json, "level", link.level);
        json.attribute("op", link.op);
        if (link.line == kNone)
          json.attribute("line", nullptr);
        else
          json.attribute("line", link.line + 1);
        writeInteger(json, "time_ps", link.timePs);
        json.attribute("share",
                       sum > 0 ? int64_t(__int128(link.timePs) * 1000000 / sum)
                               : 0);
      });
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
  uint32_t op = 0;
  const Session &session = (*opened)->get();
  if (llvm::StringRef(request.captures[2]).getAsInteger(10, op) ||
      !session.ownership || op >= session.ownership->ops.size())
    return requestError(404, "no-op", "the level does not have this op");
  std::vector<LinkedOp> origins, results;
  const Profile &content = session.profile;
  for (const LinkedOp &node : findNodes(**opened, level, op)) {
    const Program &program = content.programs[node.program];
    uint32_t from = node.index;
    if (level == kAsmLevel) {
      from = program.instructions[node.index].node;
      if (from >= program.nodes.size())
        continue;
      origins.push_back({node.program, program.nodes[from].level, from});
    } else {
      llvm::append_range(results, findResults(program, node.program, from));
    }
    llvm::append_range(origins, findOrigins(program, node.program, from));
  }
  llvm::StringRef to = request.get("to");
  auto from = name(api, *profile, content, origins, to);
  if (!from)
    return from.takeError();
  auto became = name(api, *profile, content, results, to);
  if (!became)
    return became.takeError();
  return makeJson([&](llvm::json::OStream &json) {
    writeLinks(json, "from", *from);
    writeLinks(json, "became", *became);
  });
}

Route route::Links() {
  return {"GET",
          "/profiles/{id}/modules/{level}/ops/{op}/links",
          "The ops at other levels that an op came from, and that it became. "
          "Shares are of the time of the linked ops of a level, in millionths.",
          {{"to", "Only ops of this level."}},
          run};
}
