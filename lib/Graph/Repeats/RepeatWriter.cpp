//===- RepeatWriter.cpp - The graph with its repeats folded ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RepeatFolder.h"
#include "mlir-prof/Support/Units.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::graph;
using namespace mlirprof::trace;

std::string RepeatFolder::getName(llvm::ArrayRef<Place> own,
                                  const Stretch &stretch) const {
  std::string name = std::to_string(stretch.repeats) + " \xC3\x97 ";
  Place first = own[stretch.begin];
  if (stretch.period > 1 || !isCluster(first)) {
    uint64_t nodes = 0;
    for (Place place : own.slice(stretch.begin, stretch.period))
      nodes += sizes[place];
    return name + formatCount(nodes, "node");
  }
  auto label = [&](Place place) {
    uint32_t owner = tree.ownerOf(place - nodeCount);
    return owner == kNoNode ? graph.clusters[place - nodeCount].name
                            : graph.nodes[owner].name;
  };
  std::string last =
      label(own[stretch.begin + (stretch.repeats - 1) * stretch.period]);
  name += label(first);
  return last == label(first) ? name : name + " \xE2\x80\xA6 " + last;
}

void RepeatFolder::writeClusters() {
  newCluster.assign(size_t(root) + 1, kNoCluster);
  std::vector<Cluster> &made = result.graph.clusters;
  auto addFolds = [&](uint32_t cluster) {
    for (Fold &fold : folds)
      if (fold.cluster == cluster && fold.only == kNoNode) {
        fold.newCluster = uint32_t(made.size());
        Cluster frame;
        frame.name = fold.name;
        frame.parent = newCluster[cluster];
        made.push_back(std::move(frame));
      }
  };
  addFolds(root);
  for (uint32_t cluster = 0; cluster < root; ++cluster) {
    if (isDropped[cluster])
      continue;
    newCluster[cluster] = uint32_t(made.size());
    made.push_back(graph.clusters[cluster]);
    uint32_t fold = foldOf[nodeCount + cluster];
    made.back().parent = fold == kNoCluster ? newCluster[tree.parentOf(cluster)]
                                            : folds[fold].newCluster;
    made.back().owner = kNoNode;
    for (const Fold &own : folds)
      if (own.only == nodeCount + cluster)
        made.back().name = own.name;
    addFolds(cluster);
  }
}

/// The cluster in the result of a shown node.
uint32_t RepeatFolder::newClusterOf(uint32_t node) const {
  Place place = node;
  if (anchors[node] != kNoNode) {
    place = firstOf(anchors[node]);
    if (anchors[node] == nodeCount + tree.clusterOf(node))
      return newCluster[place - nodeCount];
  } else if (uint32_t body = tree.bodyOf(node); body != kNoCluster) {
    place = nodeCount + body;
  }
  if (uint32_t fold = foldOf[place]; fold != kNoCluster)
    return folds[fold].newCluster;
  return newCluster[isCluster(place) ? tree.parentOf(place - nodeCount)
                                     : tree.clusterOf(place)];
}

void RepeatFolder::writeNodes() {
  result.shownBy.assign(nodeCount, kNoNode);
  for (uint32_t node = 0; node < nodeCount; ++node) {
    if (standsFor[node] != node)
      continue;
    result.shownBy[node] = uint32_t(result.graph.nodes.size());
    result.graph.nodes.push_back(graph.nodes[node]);
    result.graph.nodes.back().cluster = newClusterOf(node);
    uint32_t body = tree.bodyOf(node);
    if (body != kNoCluster)
      result.graph.clusters[newCluster[body]].owner = result.shownBy[node];
  }
  for (uint32_t node = 0; node < nodeCount; ++node) {
    if (standsFor[node] == node)
      continue;
    result.shownBy[node] = result.shownBy[firstOf(node)];
    Node &first = result.graph.nodes[result.shownBy[node]];
    const Node &other = graph.nodes[node];
    if (other.measured)
      first.beginPs = first.measured ? std::min(first.beginPs, other.beginPs)
                                     : other.beginPs;
    first.durationPs = saturatingAdd(first.durationPs, other.durationPs);
    first.measured |= other.measured;
    first.critical |= other.critical;
    first.repeats = std::max(first.repeats, 1u) + 1;
    ++foldedNodes;
  }
  for (Node &node : result.graph.nodes)
    if (node.repeats)
      node.tooltip += (node.tooltip.empty() ? "for " : "\nfor ") +
                      std::to_string(node.repeats) + " nodes of the repeats";
}

/// The cluster's name implies edges from one repeat to another.
void RepeatFolder::writeEdges() {
  std::vector<std::pair<uint32_t, uint32_t>> made;
  for (const Edge &edge : graph.edges) {
    if (edge.from >= nodeCount || edge.to >= nodeCount)
      continue;
    uint32_t from = result.shownBy[edge.from], to = result.shownBy[edge.to];
    const Node &source = result.graph.nodes[from];
    const Node &target = result.graph.nodes[to];
    // An edge of the first repeat is visible in it.
    bool isCopy =
        standsFor[edge.from] != edge.from || standsFor[edge.to] != edge.to;
    if (isCopy && source.repeats && target.repeats &&
        anchors[edge.from] == kNoNode && anchors[edge.to] == kNoNode)
      continue;
    made.push_back({from, to});
  }
  llvm::sort(made);
  made.erase(llvm::unique(made), made.end());
  for (auto [from, to] : made)
    result.graph.edges.push_back({from, to});
}
