//===- Collapse.cpp - Graphs small enough to draw -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Graph/Collapse.h"
#include "CollapsePlan.h"
#include "Repeats/Repeats.h"
#include "mlir-prof/Graph/ClusterTree.h"
#include "mlir-prof/Graph/Layout.h"
#include "mlir-prof/Graph/Text.h"
#include "mlir-prof/Support/Units.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::graph;
using namespace mlirprof::trace;

int64_t graph::totalTime(const Graph &graph) {
  int64_t total = 0;
  for (const Node &node : graph.nodes)
    total = saturatingAdd(total, node.durationPs);
  return total;
}

std::string graph::describeTime(const Node &node, int64_t totalPs) {
  std::string text = shortTime(node.durationPs);
  if (node.calls && node.inclusivePs != node.durationPs)
    text += " of " + shortTime(node.inclusivePs);
  if (totalPs > 0)
    text += " \xC2\xB7 " + shortShare(node.durationPs, totalPs);
  return text;
}

namespace {

/// Builds the graph that a plan describes.
class Collapser {
public:
  Collapser(const Graph &graph, const DrawOptions &options)
      : graph(graph), options(options), tree(graph, kMaxDrawnDepth) {}

  CollapsedGraph run();

private:
  void copyClusters();
  void copyNodes();
  void addBox(const CollapsePlan::Group &group);
  void copyEdges();
  void limitEdges(std::vector<std::pair<Edge, uint32_t>> &edges);
  void writeNotes();
  bool isBox(uint32_t node) const { return result.graph.nodes[node].hidden; }

  const Graph &graph;
  const DrawOptions &options;
  ClusterTree tree;
  CollapsePlan plan;
  CollapsedGraph result;
  std::vector<uint32_t> newCluster;
  uint64_t regionBoxes = 0, regionNodes = 0, restBoxes = 0, restNodes = 0;
  uint64_t hiddenEdges = 0;
};

} // namespace

void Collapser::copyClusters() {
  newCluster.assign(tree.getRoot() + 1, kNoCluster);
  for (uint32_t cluster = 0; cluster < tree.getRoot(); ++cluster) {
    if (!plan.isOpen[cluster])
      continue;
    newCluster[cluster] = uint32_t(result.graph.clusters.size());
    result.graph.clusters.push_back({graph.clusters[cluster].name,
                                     newCluster[tree.parentOf(cluster)],
                                     kNoNode});
  }
}

/// One box for all nodes of a group. Its tooltip names the hottest.
void Collapser::addBox(const CollapsePlan::Group &group) {
  constexpr size_t kNamed = 12;
  Node box;
  box.id = uint32_t(result.graph.nodes.size());
  box.cluster = newCluster[group.cluster];
  // Sum up the members.
  std::vector<uint32_t> members = group.nodes;
  bool hasBegin = false;
  uint64_t standsFor = 0;
  for (uint32_t member : members) {
    const Node &node = graph.nodes[member];
    result.shownBy[member] = box.id;
    box.durationPs = saturatingAdd(box.durationPs, node.durationPs);
    box.measured |= node.measured;
    box.critical |= node.critical;
    box.inclusivePs = std::max(box.inclusivePs, node.inclusivePs);
    standsFor += std::max(node.repeats, 1u);
    if (!node.measured)
      continue;
    box.beginPs = hasBegin ? std::min(box.beginPs, node.beginPs) : node.beginPs;
    hasBegin = true;
  }
  // Sort the hottest members to the front for the tooltip.
  size_t named = std::min(kNamed, members.size());
  std::partial_sort(members.begin(), members.begin() + named, members.end(),
                    [&](uint32_t a, uint32_t b) {
                      int64_t x = graph.nodes[a].durationPs,
                              y = graph.nodes[b].durationPs;
                      return x != y ? x > y : a < b;
                    });
  // Name the box after its region, or by the number of its nodes.
  std::string count = std::to_string(standsFor);
  bool isRegion = group.region != kNoCluster;
  (isRegion ? regionBoxes : restBoxes) += 1;
  (isRegion ? regionNodes : restNodes) += standsFor;
  if (isRegion) {
    uint32_t owner = tree.ownerOf(group.region);
    box.name = owner == kNoNode ? graph.clusters[group.region].name
                                : graph.nodes[owner].name;
    box.detail = formatCount(standsFor, "node");
  } else {
    box.name = "+" + count + " more";
  }
  // List the hottest members, one per line.
  for (size_t i = 0; i < named; ++i) {
    const Node &node = graph.nodes[members[i]];
    box.tooltip += (i ? "\n" : "") + node.name;
    if (node.measured)
      box.tooltip += ": " + shortTime(node.durationPs);
  }
  if (named < members.size())
    box.tooltip += "\nand " + formatCount(members.size() - named, "other");
  box.hidden = uint32_t(standsFor);
  result.graph.nodes.push_back(std::move(box));
}

void Collapser::copyNodes() {
  result.shownBy.assign(graph.nodes.size(), kNoNode);
  for (const CollapsePlan::Group &group : plan.groups) {
    if (group.isNode) {
      uint32_t node = group.nodes.front();
      result.shownBy[node] = uint32_t(result.graph.nodes.size());
      result.graph.nodes.push_back(graph.nodes[node]);
      result.graph.nodes.back().cluster = newCluster[group.cluster];
      continue;
    }
    addBox(group);
  }
  for (uint32_t cluster = 0; cluster < tree.getRoot(); ++cluster) {
    uint32_t owner = tree.ownerOf(cluster);
    if (plan.isOpen[cluster] && owner != kNoNode)
      result.graph.clusters[newCluster[cluster]].owner = result.shownBy[owner];
  }
}

/// Keeps the edges of nodes, and among the edges of boxes those that represent
/// the most edges: they come last and in that order.
void Collapser::limitEdges(std::vector<std::pair<Edge, uint32_t>> &edges) {
  size_t limit = size_t(options.maxNodes) * 2;
  auto touchesBox = [&](const std::pair<Edge, uint32_t> &edge) {
    return isBox(edge.first.from) || isBox(edge.first.to);
  };
  llvm::sort(edges, [&](const auto &a, const auto &b) {
    bool x = touchesBox(a), y = touchesBox(b);
    return std::make_tuple(x, x ? ~a.second : 0, a.first.from, a.first.to) <
           std::make_tuple(y, y ? ~b.second : 0, b.first.from, b.first.to);
  });
  auto boxes = llvm::partition_point(
      edges, [&](const auto &edge) { return !touchesBox(edge); });
  if (size_t(edges.end() - boxes) <= limit)
    return;
  for (auto it = boxes + limit; it != edges.end(); ++it)
    hiddenEdges += it->second;
  edges.erase(boxes + limit, edges.end());
}

void Collapser::copyEdges() {
  std::vector<Edge> all;
  for (const Edge &edge : graph.edges) {
    if (edge.from >= graph.nodes.size() || edge.to >= graph.nodes.size())
      continue;
    Edge copy = {result.shownBy[edge.from], result.shownBy[edge.to]};
    // Edges within a box are dropped; a self-loop of a single node stays.
    if (copy.from == copy.to && (isBox(copy.from) || edge.from != edge.to))
      continue;
    all.push_back(copy);
  }
  llvm::sort(all, [](const Edge &a, const Edge &b) {
    return std::tie(a.from, a.to) < std::tie(b.from, b.to);
  });
  std::vector<std::pair<Edge, uint32_t>> edges;
  for (const Edge &edge : all) {
    if (!edges.empty() && edges.back().first.from == edge.from &&
        edges.back().first.to == edge.to)
      ++edges.back().second;
    else
      edges.push_back({edge, 1});
  }
  limitEdges(edges);
  for (const auto &[edge, count] : edges)
    result.graph.edges.push_back(edge);
}

void Collapser::writeNotes() {
  auto counted = [](uint64_t count, llvm::StringRef one, llvm::StringRef many) {
    return std::to_string(count) + " " + (count == 1 ? one : many).str();
  };
  auto countedNodes = [&](uint64_t count) {
    return counted(count, "node", "nodes");
  };
  if (regionBoxes)
    result.notes.push_back(countedNodes(regionNodes) + " collapsed into " +
                           counted(regionBoxes, "region", "regions"));
  if (restBoxes)
    result.notes.push_back(countedNodes(restNodes) +
                           " with the least time collapsed into " +
                           counted(restBoxes, "box", "boxes"));
  if (hiddenEdges)
    result.notes.push_back(counted(hiddenEdges, "edge", "edges") +
                           " of collapsed nodes not drawn");
  if (tree.getDissolved())
    result.notes.push_back(counted(tree.getDissolved(), "cluster", "clusters") +
                           " nested too deep for a frame");
}

CollapsedGraph Collapser::run() {
  plan = planCollapse(graph, tree, options);
  result.graph.name = graph.name;
  copyClusters();
  copyNodes();
  copyEdges();
  writeNotes();
  return std::move(result);
}

CollapsedGraph graph::collapse(const Graph &graph, const DrawOptions &options) {
  CollapsedGraph folded;
  if (options.repeats == Repeats::Folded)
    folded = foldRepeats(graph);
  if (folded.shownBy.empty())
    return Collapser(graph, options).run();
  CollapsedGraph collapsed = Collapser(folded.graph, options).run();
  for (uint32_t &node : folded.shownBy)
    node = collapsed.shownBy[node];
  collapsed.shownBy = std::move(folded.shownBy);
  collapsed.notes.insert(collapsed.notes.begin(), folded.notes.begin(),
                         folded.notes.end());
  return collapsed;
}
