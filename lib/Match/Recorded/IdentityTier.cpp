//===- IdentityTier.cpp - Ops of compiled programs ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IdentityTier.h"
#include "../Matchers.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::match;
using namespace mlirprof::module;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

namespace {

/// The ops in the module for the ops of one level of a program.
struct LevelRows {
  std::vector<uint32_t> rows;
  /// The difference of the module, or "".
  std::string difference;
};

} // namespace

/// Programs identify their ops by position. A different module has other ops
/// there.
static LevelRows findRows(const ModuleIndex &index, const Program &program,
                          uint32_t level) {
  LevelRows result;
  result.rows.assign(program.nodes.size(), kNone);
  for (uint32_t i = 0; i != program.nodes.size(); ++i) {
    const ProgramNode &node = program.nodes[i];
    if (node.level != level || node.position == kNone)
      continue;
    llvm::StringRef name = program.strings[node.op];
    if (node.position < index.size() &&
        index.getOpName(node.position) == name) {
      result.rows[i] = node.position;
      continue;
    }
    result.difference =
        "the module is not the one of level " + program.levels[level] +
        " that was compiled: its op " + std::to_string(node.position) + " is " +
        (node.position < index.size() ? index.getOpName(node.position).str()
                                      : "missing") +
        ", not " + name.str();
    result.rows.clear();
    break;
  }
  return result;
}

/// The number of ops of `level` that the module has, by name.
static uint64_t countCommon(const ModuleIndex &index, const Program &program,
                            uint32_t level) {
  llvm::StringMap<uint64_t> left;
  for (uint32_t i = 0; i != index.size(); ++i)
    ++left[index.getOpName(i)];
  uint64_t common = 0;
  for (const ProgramNode &node : program.nodes) {
    if (node.level != level)
      continue;
    auto it = left.find(program.strings[node.op]);
    if (it == left.end() || it->second == 0)
      continue;
    --it->second;
    ++common;
  }
  return common;
}

/// The first level of a program that the module fits, else the one with most of
/// its ops.
static std::string findLevelOf(const ModuleIndex &index,
                               const Profile &profile) {
  for (const Program &program : profile.programs)
    for (uint32_t level = 0; level != program.levels.size(); ++level)
      if (LevelRows found = findRows(index, program, level);
          llvm::any_of(found.rows, [](uint32_t row) { return row != kNone; }))
        return program.levels[level];
  std::vector<std::string> levels = getLevels(profile);
  std::string best = levels.empty() ? "" : levels.front();
  uint64_t most = 0;
  for (const Program &program : profile.programs)
    for (uint32_t level = 0; level != program.levels.size(); ++level)
      if (uint64_t common = countCommon(index, program, level); common > most) {
        most = common;
        best = program.levels[level];
      }
  return best;
}

/// The positions of the ops of one level in the compiled module.
static std::vector<uint32_t> getPositions(const Program &program,
                                          uint32_t level) {
  std::vector<uint32_t> positions(program.nodes.size(), kNone);
  for (auto [position, node] : llvm::zip_equal(positions, program.nodes))
    if (node.level == level)
      position = node.position;
  return positions;
}

RecordedMatcher::RecordedMatcher(const MatchContext &context)
    : profile(context.profile), rows(profile.programs.size()) {
  std::string level = context.options.level;
  if (level.empty() && !profile.programs.empty())
    level = findLevelOf(context.index, profile);
  for (auto [i, program] : llvm::enumerate(profile.programs)) {
    uint32_t number = findLevel(program, level);
    if (number >= program.levels.size())
      continue;
    if (const Alignment *alignment =
            context.stored.find(level, program.fingerprint)) {
      alignments[program.fingerprint] = alignment;
      rows[i] = getPositions(program, number);
      continue;
    }
    LevelRows ofLevel = findRows(context.index, program, number);
    rows[i] = std::move(ofLevel.rows);
    if (!ofLevel.difference.empty())
      differences[program.fingerprint] = std::move(ofLevel.difference);
  }
  keys.emplace(profile, level, rows);
}

Match RecordedMatcher::match(uint32_t number) {
  const OpKey &key = profile.opKeys[number];
  Match match = keys->match(key);
  const std::string *program = findProgramOf(key);
  if (!program)
    return match;
  if (const Alignment *alignment = alignments.lookup(*program))
    transfer(match, *alignment);
  if (auto it = differences.find(*program); it != differences.end())
    match.reason = it->second;
  return match;
}

std::unique_ptr<KeyMatcher> matcher::Recorded(const MatchContext &context) {
  return std::make_unique<RecordedMatcher>(context);
}
