//===- ProgramMatch.cpp - Ops that own machine code -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Attribution/ProgramMatch.h"
#include "LoopOwners.h"
#include "mlir-prof/Attribution/Instances.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

#include <map>
#include <memory>
#include <optional>
#include <set>

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

namespace {

/// Limit on the owners of all keys together, which bounds the memory for a
/// damaged profile.
constexpr size_t kMaxOwners = size_t(1) << 24;

/// Limit on the probe levels for which descendants are looked up.
constexpr size_t kMaxProbeLevels = 8;

using Weighted = std::vector<std::pair<uint32_t, uint64_t>>;

/// The nodes of a level (or instructions) derived from each node of an earlier
/// level.
class DescendantTable {
public:
  DescendantTable(const Program &program, uint32_t from, uint32_t to);

  llvm::ArrayRef<uint32_t> get(uint32_t node) const {
    auto it = known.find(node);
    return it == known.end() ? llvm::ArrayRef<uint32_t>()
                             : llvm::ArrayRef(it->second);
  }

private:
  llvm::DenseMap<uint32_t, std::vector<uint32_t>> known;
};

/// One program, viewed at the matched level.
class ProgramAtLevel {
public:
  ProgramAtLevel(const Program &program, uint32_t level,
                 llvm::ArrayRef<uint32_t> rows)
      : program(program), level(level), rows(rows) {}

  /// `key` is a place in the program.
  Match match(const OpKey &key, size_t &budget);

private:
  bool isAsm() const { return level == program.levels.size(); }
  /// Whether the ops of the level differ between dispatches of one kernel.
  bool hasInstances() const {
    return !program.instances.empty() && level < getInstanceLevel(program);
  }
  /// The match if `instance` ran it; for kNone, any of them.
  Match matchIn(const OpKey &key, uint32_t instance, size_t &budget);
  Match matchAll(const OpKey &key, llvm::ArrayRef<uint32_t> all,
                 size_t &budget);
  Match matchCode(uint32_t number, llvm::StringRef kernel, uint32_t instance,
                  size_t &budget);
  Match matchLoop(const Instruction &instruction, uint32_t instance,
                  size_t &budget);
  Match matchProbe(uint32_t probe, uint32_t instance, size_t &budget);
  /// Whether `node` is the function of a kernel. A probe there measures the
  /// kernel as a whole: it belongs to the ops of the kernel that do work, and
  /// at earlier levels to their ancestors in the dispatch.
  bool isKernel(uint32_t node);
  Match matchKernel(uint32_t function, uint32_t instance, size_t &budget);
  AncestorTable &getAncestors();
  LoopOwnerTable &getLoops();
  /// Null if that would exceed the limit on tables.
  const DescendantTable *getDescendants(uint32_t from);
  uint64_t getCost(uint32_t node) const {
    return isAsm() ? 1 : program.nodes[node].cost;
  }
  Match matchNode(uint32_t node, uint32_t instance, size_t &budget);
  Match build(const Weighted &owners, size_t &budget) const;

  const Program &program;
  uint32_t level;
  llvm::ArrayRef<uint32_t> rows;
  std::unique_ptr<AncestorTable> ancestors;
  std::unique_ptr<LoopOwnerTable> loops;
  std::unique_ptr<InstanceFinder> instances;
  llvm::DenseMap<uint32_t, std::unique_ptr<DescendantTable>> descendants;
  /// The ops that do work in the function of each kernel, once it is asked for.
  std::optional<llvm::DenseMap<uint32_t, std::vector<uint32_t>>> kernels;
};

Match fail(const llvm::Twine &reason) {
  Match match;
  match.tier = MatchTier::Identity;
  match.reason = reason.str();
  return match;
}

} // namespace

DescendantTable::DescendantTable(const Program &program, uint32_t from,
                                 uint32_t to) {
  AncestorTable ancestors(program, from);
  InstanceFinder instances(program);
  size_t budget = kMaxOwners;
  // Code of a kernel comes from a node once for each dispatch.
  auto addIn = [&](uint32_t node, uint32_t row, uint32_t instance) {
    for (uint32_t origin : ancestors.get(node, instance))
      if (budget != 0) {
        --budget;
        known[origin].push_back(row);
      }
  };
  auto add = [&](uint32_t node, uint32_t row) {
    llvm::ArrayRef<uint32_t> all;
    if (from < getInstanceLevel(program))
      all = instances.findAll(node);
    for (uint32_t instance : all)
      addIn(node, row, instance);
    if (all.empty())
      addIn(node, row, kNone);
  };
  if (to == program.levels.size()) {
    for (uint32_t i = 0; i != program.instructions.size(); ++i)
      if (program.instructions[i].node != kNone)
        add(program.instructions[i].node, i);
  } else {
    for (uint32_t i = 0; i != program.nodes.size(); ++i)
      if (program.nodes[i].level == to)
        add(i, i);
  }
  // A truncated list is not meaningful.
  if (budget == 0)
    known.clear();
}

AncestorTable &ProgramAtLevel::getAncestors() {
  if (!ancestors)
    ancestors = std::make_unique<AncestorTable>(program, level);
  return *ancestors;
}

LoopOwnerTable &ProgramAtLevel::getLoops() {
  if (!loops)
    loops = std::make_unique<LoopOwnerTable>(program, getAncestors());
  return *loops;
}

const DescendantTable *ProgramAtLevel::getDescendants(uint32_t from) {
  auto it = descendants.find(from);
  if (it == descendants.end()) {
    if (descendants.size() == kMaxProbeLevels)
      return nullptr;
    it = descendants
             .try_emplace(
                 from, std::make_unique<DescendantTable>(program, from, level))
             .first;
  }
  return it->second.get();
}

/// `owners` are nodes, or instructions at the level "asm", with their weights.
Match ProgramAtLevel::build(const Weighted &owners, size_t &budget) const {
  if (owners.size() > budget)
    return fail("more ops than can be distinguished");
  budget -= owners.size();
  Weighted found;
  size_t missing = 0;
  for (const auto &[node, weight] : owners) {
    if (node < rows.size() && rows[node] != kNone)
      found.emplace_back(rows[node], weight);
    else
      ++missing;
  }
  if (found.empty())
    return fail("the op is not in the module");
  llvm::sort(found);
  Match match;
  match.tier = MatchTier::Identity;
  for (const auto &[row, weight] : found) {
    if (!match.ops.empty() && match.ops.back() == row) {
      match.weights.back() = llvm::SaturatingAdd(match.weights.back(), weight);
      continue;
    }
    match.ops.push_back(row);
    match.weights.push_back(weight);
  }
  match.matchClass =
      match.ops.size() == 1 ? MatchClass::Unique : MatchClass::Fused;
  if (missing != 0) {
    match.matchClass = MatchClass::Partial;
    match.reason = "some of its ops are not in the module";
  }
  return match;
}

Match ProgramAtLevel::matchNode(uint32_t node, uint32_t instance,
                                size_t &budget) {
  AncestorTable &table = getAncestors();
  llvm::ArrayRef<uint32_t> nodes = table.get(node, instance);
  if (nodes.empty())
    return fail(table.isTooMany(node, instance)
                    ? "more ops than can be distinguished"
                    : "does not come from an op of the level " +
                          llvm::Twine(program.levels[level]));
  Weighted owners;
  for (uint32_t owner : nodes)
    owners.emplace_back(owner, getCost(owner));
  return build(owners, budget);
}

/// Without a match if the samples of the loop count where they were taken.
Match ProgramAtLevel::matchLoop(const Instruction &instruction,
                                uint32_t instance, size_t &budget) {
  const LoopOwners &owners = getLoops().get(instruction.loop, instance);
  bool isAlone = owners.nodes.size() == 1 && instruction.node == kNone;
  if ((!isAlone && owners.nodes.size() < 2) || owners.nodes.size() > budget / 2)
    return {};
  Weighted weighted;
  for (auto [node, weight] : llvm::zip_equal(owners.nodes, owners.weights))
    weighted.emplace_back(node, weight);
  Match match = build(weighted, budget);
  if (match.matchClass == MatchClass::Fused)
    match.reason = "split by the number of instructions of each op in its loop";
  if (instruction.node == kNone && match.matchClass != MatchClass::Unmatched) {
    match.tier = MatchTier::Neighborhood;
    match.reason = "without an identity, in a loop of these ops";
  }
  return match;
}

Match ProgramAtLevel::matchCode(uint32_t number, llvm::StringRef kernel,
                                uint32_t instance, size_t &budget) {
  const Instruction &instruction = program.instructions[number];
  if (isAsm())
    return build({{number, 1}}, budget);
  // The place identifies the caller of a library or of the kernel.
  if (kernel.empty() && instruction.loop != kNone)
    if (Match match = matchLoop(instruction, instance, budget);
        !match.reason.empty() || !match.ops.empty())
      return match;
  if (instruction.node == kNone)
    return fail(kernel.empty()
                    ? "instruction without an identity"
                    : "library called from an instruction without an identity");
  return matchNode(instruction.node, instance, budget);
}

bool ProgramAtLevel::isKernel(uint32_t node) {
  if (!kernels) {
    kernels.emplace();
    for (const ProgramInstance &each : program.instances)
      if (each.kernel != kNone)
        (*kernels)[each.kernel];
    std::vector<uint32_t> functions = findFunctions(program);
    for (auto [op, function] : llvm::enumerate(functions)) {
      // A map cannot be asked for the invalid index.
      if (function == kNone)
        continue;
      auto found = kernels->find(function);
      // Ops that were fused into one have their origins in its body.
      if (found != kernels->end() && program.nodes[op].cost != 0)
        found->second.push_back(uint32_t(op));
    }
  }
  return kernels->contains(node);
}

Match ProgramAtLevel::matchKernel(uint32_t function, uint32_t instance,
                                  size_t &budget) {
  std::set<uint32_t> origins;
  for (uint32_t op : (*kernels)[function]) {
    llvm::ArrayRef<uint32_t> own = getAncestors().get(op, instance);
    origins.insert(own.begin(), own.end());
  }
  if (origins.empty())
    return matchNode(function, instance, budget);
  Weighted owners;
  for (uint32_t origin : origins)
    owners.emplace_back(origin, getCost(origin));
  return build(owners, budget);
}

Match ProgramAtLevel::matchProbe(uint32_t probe, uint32_t instance,
                                 size_t &budget) {
  uint32_t node = program.probes[probe].node;
  if (node == kNone)
    return fail("probe without an op");
  uint32_t from = program.nodes[node].level;
  if (from >= level && isKernel(node))
    return matchKernel(node, instance, budget);
  if (from >= level)
    return matchNode(node, instance, budget);
  const DescendantTable *table = getDescendants(from);
  llvm::ArrayRef<uint32_t> nodes;
  if (table)
    nodes = table->get(node);
  if (nodes.empty())
    return fail("probe at an op from which nothing of this level comes");
  Weighted owners;
  if (nodes.size() <= budget)
    for (uint32_t owner : nodes)
      owners.emplace_back(owner, getCost(owner));
  else
    return fail("more ops than can be distinguished");
  // A kernel's op is listed once for each dispatch, which have equal parts.
  if (!program.instances.empty() &&
      llvm::all_of(owners, [](const auto &owner) { return owner.second == 0; }))
    for (auto &[owner, weight] : owners)
      weight = 1;
  return build(owners, budget);
}

Match ProgramAtLevel::matchIn(const OpKey &key, uint32_t instance,
                              size_t &budget) {
  if (const auto *code = key.getIf<CodeKey>())
    return matchCode(code->instruction, key.kernel, instance, budget);
  return matchProbe(key.get<ProbeKey>().probe, instance, budget);
}

/// Adds the parts of `own`, which together weigh `share`, to `owners`.
static void addShare(const Match &own, uint64_t share,
                     std::map<uint32_t, uint64_t> &owners) {
  using Wide = unsigned __int128;
  Wide sum = 0;
  for (uint64_t weight : own.weights)
    sum += weight;
  for (auto [op, weight] : llvm::zip_equal(own.ops, own.weights)) {
    Wide part =
        sum == 0 ? Wide(share) / own.ops.size() : Wide(share) * weight / sum;
    uint64_t &all = owners[op];
    all = llvm::SaturatingAdd(all, uint64_t(part));
  }
}

/// One of several dispatches ran it; each gets a part.
Match ProgramAtLevel::matchAll(const OpKey &key, llvm::ArrayRef<uint32_t> all,
                               size_t &budget) {
  using Wide = unsigned __int128;
  Wide sum = 0;
  for (uint32_t instance : all)
    sum += instances->getWeight(instance);
  std::map<uint32_t, uint64_t> owners;
  Match match = fail("no dispatch of its kernel has ops of this level");
  for (uint32_t instance : all) {
    Match own = matchIn(key, instance, budget);
    if (own.ops.empty())
      continue;
    // The parts of all dispatches together stay below 2^62.
    constexpr Wide kWhole = Wide(1) << 62;
    Wide share = sum == 0 ? kWhole / all.size()
                          : kWhole * instances->getWeight(instance) / sum;
    addShare(own, uint64_t(share), owners);
    match.tier = std::max(match.tier, own.tier);
    if (own.matchClass == MatchClass::Partial)
      match.matchClass = MatchClass::Partial;
  }
  if (owners.empty())
    return match;
  for (auto [op, weight] : owners) {
    match.ops.push_back(op);
    match.weights.push_back(weight);
  }
  if (match.matchClass != MatchClass::Partial)
    match.matchClass =
        owners.size() == 1 ? MatchClass::Unique : MatchClass::Fused;
  match.reason = "split among the dispatches of its kernel: the recording does "
                 "not tell which of them ran";
  return match;
}

Match ProgramAtLevel::match(const OpKey &key, size_t &budget) {
  if (!hasInstances())
    return matchIn(key, kNone, budget);
  if (!instances)
    instances = std::make_unique<InstanceFinder>(program);
  llvm::ArrayRef<uint32_t> found = instances->find(key);
  if (found.size() > 1)
    return matchAll(key, found, budget);
  return matchIn(key, found.empty() ? kNone : found.front(), budget);
}

static Match matchOutside(const OutsideKey &key) {
  switch (key.kind) {
  case OutsideKind::Waiting:
    return fail("waiting for other threads");
  case OutsideKind::Stealing:
    return fail("looking for work of other threads");
  case OutsideKind::Executor:
    return fail("choosing and starting dispatches");
  default:
    return fail("outside the model");
  }
}

struct ProgramKeyMatcher::Impl {
  std::string level;
  /// By fingerprint; null for those that lack the level.
  llvm::StringMap<std::unique_ptr<ProgramAtLevel>> programs;
  size_t budget = kMaxOwners;
};

ProgramKeyMatcher::ProgramKeyMatcher(const Profile &profile,
                                     llvm::StringRef level,
                                     const NodeRows &rows)
    : impl(std::make_unique<Impl>()) {
  impl->level = level.str();
  for (auto [index, program] : llvm::enumerate(profile.programs)) {
    uint32_t number = findLevel(program, level);
    llvm::ArrayRef<uint32_t> ownRows;
    if (index < rows.size())
      ownRows = rows[index];
    impl->programs.try_emplace(
        program.fingerprint, number == kNone ? nullptr
                                             : std::make_unique<ProgramAtLevel>(
                                                   program, number, ownRows));
  }
}

ProgramKeyMatcher::~ProgramKeyMatcher() = default;

Match ProgramKeyMatcher::match(const OpKey &key) {
  if (const auto *outside = key.getIf<OutsideKey>())
    return matchOutside(*outside);
  const std::string *fingerprint = findProgramOf(key);
  if (!fingerprint)
    return {};
  auto it = impl->programs.find(*fingerprint);
  if (it == impl->programs.end())
    return fail("of a program that the profile does not contain");
  ProgramAtLevel *program = it->second.get();
  if (!program)
    return fail("the program does not have the level " + impl->level);
  return program->match(key, impl->budget);
}

std::vector<Match> attribution::matchProgramKeys(const Profile &profile,
                                                 llvm::StringRef level,
                                                 const NodeRows &rows) {
  ProgramKeyMatcher matcher(profile, level, rows);
  std::vector<Match> matches;
  matches.reserve(profile.opKeys.size());
  for (const OpKey &key : profile.opKeys)
    matches.push_back(matcher.match(key));
  return matches;
}
