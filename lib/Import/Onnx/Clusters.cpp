//===- Clusters.cpp - Origins of optimized nodes --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Clusters.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::onnx;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using llvm::StringRef;

namespace {

constexpr llvm::StringLiteral kBlocked = "_nchwc";

class ClusterFinder {
public:
  ClusterFinder(const Graph &original, const Graph &optimized);

  std::vector<NodeOrigin> find();

private:
  void addOptimized();
  std::vector<uint32_t> slice(llvm::ArrayRef<StringRef> values,
                              llvm::function_ref<bool(StringRef)> stops);
  std::vector<uint32_t> sliceCluster(llvm::ArrayRef<uint32_t> members);
  std::vector<uint32_t> findByName(StringRef name,
                                   llvm::ArrayRef<uint32_t> cluster);
  void keepCluster(llvm::ArrayRef<uint32_t> members);
  bool isOriginal(StringRef value) const { return producers.contains(value); }

  llvm::ArrayRef<Node> original;
  llvm::ArrayRef<Node> optimized;
  /// By value: the node of the original graph that computes it.
  llvm::DenseMap<StringRef, uint32_t> producers;
  llvm::DenseMap<StringRef, uint32_t> byName;
  /// Values of the original graph that also exist in the optimized one; and
  /// those that node names identify.
  llvm::DenseSet<StringRef> kept;
  llvm::DenseSet<StringRef> blocked;
  std::vector<std::vector<uint32_t>> clusters;
  std::vector<NodeOrigin> origins;
  /// Remaining steps: common parts of slices are walked again for each.
  uint64_t steps = 0;
};

ClusterFinder::ClusterFinder(const Graph &originalGraph,
                             const Graph &optimizedGraph)
    : original(originalGraph.nodes), optimized(optimizedGraph.nodes),
      origins(optimized.size()) {
  for (auto [position, node] : llvm::enumerate(original)) {
    steps += node.inputs.size() + 1;
    for (StringRef value : node.outputs)
      if (!value.empty())
        producers.try_emplace(value, uint32_t(position));
    if (!node.name.empty())
      byName.try_emplace(node.name, uint32_t(position));
  }
  steps = 64 * (steps + optimized.size()) + (1 << 20);
}

void ClusterFinder::addOptimized() {
  llvm::DenseMap<StringRef, uint32_t> makers;
  for (auto [position, node] : llvm::enumerate(optimized)) {
    for (StringRef value : node.outputs) {
      if (!value.empty())
        makers.try_emplace(value, uint32_t(position));
      if (isOriginal(value))
        kept.insert(value);
    }
    StringRef name = node.name;
    if (name.consume_back(kBlocked))
      blocked.insert(name);
  }
  llvm::EquivalenceClasses<uint32_t> classes;
  for (auto [position, node] : llvm::enumerate(optimized)) {
    classes.insert(uint32_t(position));
    for (StringRef value : node.inputs)
      if (auto it = makers.find(value);
          it != makers.end() && !isOriginal(value))
        classes.unionSets(it->second, uint32_t(position));
  }
  llvm::DenseMap<uint32_t, uint32_t> clusterOf;
  for (uint32_t node = 0; node != optimized.size(); ++node) {
    auto [it, isNew] = clusterOf.try_emplace(classes.getLeaderValue(node),
                                             uint32_t(clusters.size()));
    if (isNew)
      clusters.emplace_back();
    clusters[it->second].push_back(node);
  }
}

/// The nodes of the original graph needed for `values`, back to where `stops`.
/// Constants do not count as work.
std::vector<uint32_t>
ClusterFinder::slice(llvm::ArrayRef<StringRef> values,
                     llvm::function_ref<bool(StringRef)> stops) {
  std::vector<uint32_t> nodes;
  llvm::DenseSet<uint32_t> seen;
  llvm::SmallVector<StringRef> pending(values.begin(), values.end());
  while (!pending.empty() && steps != 0) {
    --steps;
    auto it = producers.find(pending.pop_back_val());
    if (it == producers.end() || !seen.insert(it->second).second)
      continue;
    const Node &node = original[it->second];
    if (node.type != "Constant")
      nodes.push_back(it->second);
    for (StringRef value : node.inputs)
      if (!stops(value))
        pending.push_back(value);
  }
  llvm::sort(nodes);
  return nodes;
}

std::vector<uint32_t>
ClusterFinder::sliceCluster(llvm::ArrayRef<uint32_t> members) {
  std::vector<StringRef> outputs;
  for (uint32_t member : members)
    for (StringRef value : optimized[member].outputs)
      if (isOriginal(value))
        outputs.push_back(value);
  llvm::DenseSet<StringRef> own(outputs.begin(), outputs.end());
  // Results of the cluster itself do not stop the slice of its other results.
  return slice(outputs, [&](StringRef value) {
    return kept.contains(value) && !own.contains(value);
  });
}

std::vector<uint32_t>
ClusterFinder::findByName(StringRef name, llvm::ArrayRef<uint32_t> cluster) {
  StringRef made = name;
  if (made.consume_back(kBlocked) && isOriginal(made))
    return slice(made, [&](StringRef value) {
      return value != made && (kept.contains(value) || blocked.contains(value));
    });
  for (StringRef parent = name; !parent.empty();
       parent = parent.contains('/') ? parent.rsplit('/').first : StringRef())
    if (auto it = byName.find(parent); it != byName.end()) {
      if (llvm::binary_search(cluster, it->second))
        return {it->second};
      break;
    }
  return {};
}

void ClusterFinder::keepCluster(llvm::ArrayRef<uint32_t> members) {
  std::vector<uint32_t> nodes = sliceCluster(members);
  if (members.size() == 1 || nodes.empty()) {
    for (uint32_t member : members)
      origins[member] = {OriginKind::Whole, nodes};
    return;
  }
  uint32_t named = 0, lastNamed = 0;
  for (uint32_t member : members) {
    std::vector<uint32_t> own = findByName(optimized[member].name, nodes);
    if (own.empty()) {
      origins[member] = {OriginKind::Part, nodes};
      continue;
    }
    origins[member] = {OriginKind::Whole, std::move(own)};
    ++named;
    lastNamed = member;
  }
  // Like a Gemm between two Reshapes: the work belongs to it.
  if (named == 1)
    origins[lastNamed].nodes = std::move(nodes);
}

std::vector<NodeOrigin> ClusterFinder::find() {
  addOptimized();
  for (const std::vector<uint32_t> &members : clusters)
    keepCluster(members);
  // A walk that ran out of steps is incomplete.
  if (steps == 0)
    llvm::fill(origins, NodeOrigin());
  return std::move(origins);
}

} // namespace

std::vector<NodeOrigin> onnx::findOrigins(const Graph &original,
                                          const Graph &optimized) {
  return ClusterFinder(original, optimized).find();
}
