//===- CriticalPath.cpp - Longest path by time ----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Graph/CriticalPath.h"
#include "mlir-prof/Graph/ClusterTree.h"
#include "mlir-prof/Graph/Order.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::graph;

namespace {

/// The graph with a second vertex for each node that owns a cluster: there the
/// node has ended, with all that is inside. Vertices are nodes, or number of
/// nodes + cluster.
class NestedGraph {
public:
  explicit NestedGraph(const Graph &graph)
      : graph(graph), tree(graph, kMaxDepth),
        nodeCount(uint32_t(graph.nodes.size())) {
    findBodies();
    for (const Edge &edge : graph.edges)
      addEdge(edge);
    for (uint32_t node = 0; node < nodeCount; ++node)
      addBounds(node);
    addOrders();
  }

  uint32_t size() const { return nodeCount + tree.getRoot(); }
  llvm::ArrayRef<Edge> getEdges() const { return edges; }

private:
  /// Edges climb this far at most.
  static constexpr uint32_t kMaxDepth = 128;

  void findBodies();
  void addEdge(const Edge &edge);
  void addBounds(uint32_t node);
  void addOrders();
  /// The innermost body around a node, or the root.
  uint32_t bodyAround(uint32_t node) const {
    return bodies[tree.clusterOf(node)];
  }
  uint32_t endOf(uint32_t node) const {
    uint32_t body = tree.bodyOf(node);
    return body == kNoCluster ? node : nodeCount + body;
  }

  const Graph &graph;
  ClusterTree tree;
  uint32_t nodeCount;
  /// Of each cluster the innermost one with an owner that holds or is it, or
  /// the root; and how many of those are around.
  std::vector<uint32_t> bodies, depths;
  std::vector<Edge> edges;
};

} // namespace

void NestedGraph::findBodies() {
  uint32_t root = tree.getRoot();
  bodies.assign(size_t(root) + 1, root);
  depths.assign(size_t(root) + 1, 0);
  for (uint32_t cluster = 0; cluster < root; ++cluster) {
    uint32_t around = bodies[tree.parentOf(cluster)];
    bool isBody = tree.ownerOf(cluster) != kNoNode;
    bodies[cluster] = isBody ? cluster : around;
    depths[cluster] = depths[around] + isBody;
  }
}

/// Joins the outermost of what is around each end and not around the other.
void NestedGraph::addEdge(const Edge &edge) {
  if (edge.from >= nodeCount || edge.to >= nodeCount || edge.from == edge.to) {
    edges.push_back(edge);
    return;
  }
  uint32_t from = edge.from, to = edge.to;
  uint32_t up = bodyAround(from), down = bodyAround(to);
  while (up != down) {
    bool goUp = depths[up] >= depths[down], goDown = depths[down] >= depths[up];
    if (goUp) {
      from = tree.ownerOf(up);
      up = bodyAround(from);
    }
    if (goDown) {
      to = tree.ownerOf(down);
      down = bodyAround(to);
    }
  }
  // Between an owner and what it holds addBounds() says all.
  if (from != to)
    edges.push_back({endOf(from), to});
}

void NestedGraph::addBounds(uint32_t node) {
  uint32_t body = bodyAround(node);
  if (body == tree.getRoot())
    return;
  edges.push_back({tree.ownerOf(body), node});
  edges.push_back({endOf(node), nodeCount + body});
}

void NestedGraph::addOrders() {
  // The cluster whose order a cluster's nodes follow: the innermost that runs
  // in order within the same body.
  std::vector<uint32_t> ordered(size_t(tree.getRoot()) + 1, kNoCluster);
  std::vector<uint32_t> last(size_t(tree.getRoot()) + 1, kNoNode);
  for (uint32_t cluster = 0; cluster < tree.getRoot(); ++cluster) {
    if (graph.clusters[cluster].runsInOrder)
      ordered[cluster] = cluster;
    else if (tree.ownerOf(cluster) == kNoNode)
      ordered[cluster] = ordered[tree.parentOf(cluster)];
  }
  for (uint32_t node = 0; node < nodeCount; ++node) {
    uint32_t cluster = ordered[tree.clusterOf(node)];
    if (cluster == kNoCluster)
      continue;
    if (last[cluster] != kNoNode)
      edges.push_back({endOf(last[cluster]), node});
    last[cluster] = node;
  }
}

CriticalPath graph::markCriticalPath(Graph &graph) {
  CriticalPath path;
  NestedGraph nested(graph);
  llvm::ArrayRef<Edge> edges = nested.getEdges();
  TopologicalOrder order = computeOrder(nested.size(), edges);
  Adjacency successors(nested.size(), edges);
  path.ignoredEdges = order.ignoredCount;
  auto durationOf = [&](uint32_t vertex) {
    return vertex < graph.nodes.size()
               ? std::max<int64_t>(graph.nodes[vertex].durationPs, 0)
               : 0;
  };
  for (Node &node : graph.nodes)
    node.critical = false;

  // Longest time until the end of each vertex, and the one before it there.
  std::vector<int64_t> before(nested.size());
  std::vector<uint32_t> previous(nested.size(), kNoNode);
  uint32_t last = kNoNode;
  for (uint32_t vertex : order.nodes) {
    int64_t end = saturatingAdd(before[vertex], durationOf(vertex));
    if (end > path.lengthPs) {
      path.lengthPs = end;
      last = vertex;
    }
    for (uint32_t edge : successors.edgesOf(vertex)) {
      uint32_t to = edges[edge].to;
      if (order.ignored[edge] || end <= before[to])
        continue;
      before[to] = end;
      previous[to] = vertex;
    }
  }
  for (uint32_t vertex = last; vertex != kNoNode; vertex = previous[vertex]) {
    if (vertex >= graph.nodes.size())
      continue;
    graph.nodes[vertex].critical = true;
    path.nodes.push_back(vertex);
  }
  std::reverse(path.nodes.begin(), path.nodes.end());
  return path;
}
