//===- ListLinks.cpp - GET /profiles/{id}/links ---------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Api/OpNumbers.h"
#include "Routes.h"
#include "mlir-prof/Report/JsonText.h"
#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::serve;
using namespace mlirprof::trace;

namespace {

/// The ops of a program as the API names them.
struct NamedOps {
  /// Index into the levels of the profile, by level of the program; asm is
  /// last.
  std::vector<uint32_t> levels;
  /// By node and by instruction; kNone for those without a number.
  std::vector<uint32_t> nodes;
  std::vector<uint32_t> instructions;
};

/// The ops and origins of each level and each level that they came from.
using Pairs = std::map<std::pair<uint32_t, uint32_t>,
                       std::vector<std::pair<uint32_t, uint32_t>>>;

} // namespace

/// Numbers the ops of `program` at one level of the profile.
static void numberOps(NamedOps &named, const Program &program, uint32_t i,
                      const OpNumbers &numbers, uint32_t level) {
  auto asmLevel = uint32_t(program.levels.size());
  for (uint32_t node = 0; node != program.nodes.size(); ++node)
    if (uint32_t own = program.nodes[node].level; named.levels[own] == level)
      named.nodes[node] = numbers.find({i, own, node});
  if (named.levels[asmLevel] == level)
    for (uint32_t each = 0; each != program.instructions.size(); ++each)
      named.instructions[each] = numbers.find({i, asmLevel, each});
}

static NamedOps makeNamedOps(const Program &program,
                             llvm::ArrayRef<std::string> levels) {
  NamedOps named;
  auto addLevel = [&](llvm::StringRef level) {
    size_t index = llvm::find(levels, level) - levels.begin();
    named.levels.push_back(index < levels.size() ? uint32_t(index) : kNone);
  };
  llvm::for_each(program.levels, addLevel);
  addLevel(kAsmLevel);
  named.nodes.assign(program.nodes.size(), kNone);
  named.instructions.assign(program.instructions.size(), kNone);
  return named;
}

/// Adds what the ops of `program` came from directly. Nodes without a number
/// are passed over: the API cannot name them.
static void addPairs(Pairs &pairs, const Program &program,
                     const NamedOps &named) {
  auto add = [&](uint32_t level, uint32_t op, llvm::ArrayRef<uint32_t> from) {
    if (op == kNone)
      return;
    for (uint32_t node : findNearest(program, from, [&](uint32_t each) {
           return named.nodes[each] != kNone;
         })) {
      uint32_t to = program.nodes[node].level;
      pairs[{named.levels[level], named.levels[to]}].push_back(
          {op, named.nodes[node]});
    }
  };
  for (auto [node, op] : llvm::zip_equal(program.nodes, named.nodes))
    add(node.level, op, node.parents);
  for (auto [instruction, op] :
       llvm::zip_equal(program.instructions, named.instructions))
    add(uint32_t(program.levels.size()), op, instruction.node);
}

static void writePairs(llvm::json::OStream &json, const Pairs &pairs,
                       llvm::ArrayRef<std::string> levels) {
  json.attributeArray("pairs", [&] {
    for (const auto &[between, ops] : pairs)
      json.object([&, &between = between, &ops = ops] {
        writeText(json, "level", levels[between.first]);
        writeText(json, "to", levels[between.second]);
        json.attributeArray("ops", [&] {
          for (const auto &[op, origin] : ops)
            json.value(op);
        });
        json.attributeArray("origins", [&] {
          for (const auto &[op, origin] : ops)
            json.value(origin);
        });
      });
  });
}

static llvm::Expected<Answer> run(Api &api, const Request &request) {
  auto profile = findProfile(api, request);
  if (!profile)
    return profile.takeError();
  auto input = api.sessions.get(*profile, "");
  if (!input)
    return input.takeError();
  const Profile &content = (*input)->get().profile;
  std::vector<std::string> levels = listLevels(content);
  std::vector<NamedOps> named;
  for (const Program &program : content.programs)
    named.push_back(makeNamedOps(program, levels));
  for (auto [level, name] : llvm::enumerate(levels)) {
    auto opened = api.sessions.get(*profile, name);
    if (!opened)
      return opened.takeError();
    OpNumbers numbers(**opened, name);
    for (auto [i, program] : llvm::enumerate(content.programs))
      numberOps(named[i], program, uint32_t(i), numbers, uint32_t(level));
  }
  Pairs pairs;
  for (auto [program, ops] : llvm::zip_equal(content.programs, named))
    addPairs(pairs, program, ops);
  // Several nodes may be the same op.
  for (auto &[between, ops] : pairs) {
    llvm::sort(ops);
    ops.erase(llvm::unique(ops), ops.end());
  }
  return makeJson(
      [&](llvm::json::OStream &json) { writePairs(json, pairs, levels); });
}

Route route::ListLinks() {
  return {"GET",
          "/profiles/{id}/links",
          "The links between ops of all levels: ops[i] of the level came from "
          "origins[i] of the level to, without another op between them.",
          {},
          run};
}
