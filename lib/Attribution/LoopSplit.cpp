//===- LoopSplit.cpp - Changes made by splitting loops --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopOwners.h"
#include "mlir-prof/Attribution/Instances.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"

#include <map>
#include <optional>
#include <tuple>

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

namespace {

/// Adds up the samples of the loops of one program.
class SplitCollector {
public:
  SplitCollector(const Profile &profile, uint32_t program, uint32_t level,
                 llvm::ArrayRef<uint32_t> rowOf)
      : program(profile.programs[program]), index(program), rowOf(rowOf),
        ancestors(this->program, level), owners(this->program, ancestors),
        instances(this->program),
        hasInstances(!this->program.instances.empty() &&
                     level < getInstanceLevel(this->program)) {}

  void add(const OpKey &key, const OpSummary &measured, const Match &match);
  void finish(std::vector<LoopSplit> &result);

private:
  std::optional<uint32_t> findInstance(const OpKey &key);
  LoopSplit &getSplit(uint32_t loop, uint32_t instance);
  void addRaw(LoopSplit &split, uint32_t node, int64_t timePs);

  const Program &program;
  uint32_t index;
  llvm::ArrayRef<uint32_t> rowOf;
  AncestorTable ancestors;
  LoopOwnerTable owners;
  InstanceFinder instances;
  bool hasInstances;
  /// By loop and dispatch.
  std::map<std::pair<uint32_t, uint32_t>, LoopSplit> splits;
};

} // namespace

/// The dispatch in which the samples of `key` are split, or kNone: from the
/// dispatches' level on, ops are those of the kernel. Nothing if there are
/// several.
std::optional<uint32_t> SplitCollector::findInstance(const OpKey &key) {
  if (!hasInstances)
    return kNone;
  llvm::ArrayRef<uint32_t> found = instances.find(key);
  if (found.size() > 1)
    return std::nullopt;
  return found.empty() ? kNone : found.front();
}

LoopSplit &SplitCollector::getSplit(uint32_t loop, uint32_t instance) {
  auto [it, isNew] = splits.try_emplace({loop, instance});
  LoopSplit &split = it->second;
  if (!isNew)
    return split;
  const LoopOwners &found = owners.get(loop, instance);
  split.program = index;
  split.loop = loop;
  split.instance = instance;
  split.unit = found.unit;
  for (auto [node, weight] : llvm::zip_equal(found.nodes, found.weights))
    split.parts.push_back({rowOf[node], weight, 0, 0});
  llvm::sort(split.parts, [](const LoopPart &a, const LoopPart &b) {
    return a.row < b.row;
  });
  return split;
}

void SplitCollector::addRaw(LoopSplit &split, uint32_t node, int64_t timePs) {
  llvm::ArrayRef<uint32_t> nodes = ancestors.get(node, split.instance);
  std::vector<uint64_t> costs;
  for (uint32_t owner : nodes)
    costs.push_back(program.nodes[owner].cost);
  std::vector<int64_t> shares = splitExactly(timePs, costs);
  for (size_t i = 0; i != nodes.size(); ++i) {
    uint32_t row = rowOf[nodes[i]];
    auto part = llvm::partition_point(
        split.parts, [&](const LoopPart &part) { return part.row < row; });
    part->rawPs = saturatingAdd(part->rawPs, shares[i]);
  }
}

void SplitCollector::add(const OpKey &key, const OpSummary &measured,
                         const Match &match) {
  const Instruction &instruction =
      program.instructions[key.get<CodeKey>().instruction];
  // The same conditions as for the split in matching.
  std::optional<uint32_t> instance = findInstance(key);
  if (!instance || instruction.loop == kNone || !key.kernel.empty() ||
      owners.get(instruction.loop, *instance).nodes.size() < 2 ||
      match.matchClass != MatchClass::Fused)
    return;
  LoopSplit &split = getSplit(instruction.loop, *instance);
  if (match.ops.size() != split.parts.size())
    return;
  int64_t timePs = measured.getTimePs();
  split.timePs = saturatingAdd(split.timePs, timePs);
  split.count = llvm::SaturatingAdd(split.count, measured.getCount());
  std::vector<int64_t> shares = splitExactly(timePs, match.weights);
  for (auto [part, share] : llvm::zip_equal(split.parts, shares))
    part.estimatedPs = saturatingAdd(part.estimatedPs, share);
  if (instruction.node == kNone ||
      ancestors.get(instruction.node, *instance).empty())
    split.unidentifiedPs = saturatingAdd(split.unidentifiedPs, timePs);
  else
    addRaw(split, instruction.node, timePs);
}

void SplitCollector::finish(std::vector<LoopSplit> &result) {
  for (auto &[place, split] : splits)
    if (split.count != 0)
      result.push_back(std::move(split));
}

std::vector<LoopSplit> attribution::splitLoops(const Profile &profile,
                                               llvm::StringRef level,
                                               const ProgramMatch &match) {
  llvm::StringMap<std::unique_ptr<SplitCollector>> programs;
  for (uint32_t i = 0; i != profile.programs.size(); ++i) {
    const Program &program = profile.programs[i];
    uint32_t number = findLevel(program, level);
    // At the level of instructions they are distinguished anyway.
    if (number < program.levels.size())
      programs.try_emplace(
          program.fingerprint,
          std::make_unique<SplitCollector>(profile, i, number, match.rowOf[i]));
  }
  for (const OpSummary &measured : mergeRuns(profile)) {
    const OpKey &key = profile.opKeys[measured.op];
    const auto *code = key.getIf<CodeKey>();
    if (!code || measured.measurements.empty())
      continue;
    auto it = programs.find(code->program);
    if (it != programs.end())
      it->second->add(key, measured, match.ownership.matches[measured.op]);
  }
  std::vector<LoopSplit> result;
  for (auto &entry : programs)
    entry.second->finish(result);
  llvm::sort(result, [](const LoopSplit &a, const LoopSplit &b) {
    return std::tie(b.timePs, a.program, a.loop, a.instance) <
           std::tie(a.timePs, b.program, b.loop, b.instance);
  });
  return result;
}
