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
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::graph;
using namespace mlirprof::trace;

namespace {

/// The graph with a second vertex for each node that owns a cluster, at which
/// the node has ended together with its content. Vertices are nodes, or the
/// number of nodes + cluster.
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
  /// Limit on the nesting that edges cross.
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
  /// For each cluster, the innermost cluster with an owner that contains it or
  /// is it, or the root; and how many such clusters surround it.
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

/// Joins the outermost bodies around each end that are not around the other
/// end.
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
  // Between an owner and its content, addBounds() adds the edges.
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

namespace {

/// Finds paths by times that the caller chooses.
class PathFinder {
public:
  explicit PathFinder(const Graph &graph)
      : nodeCount(graph.nodes.size()), nested(graph),
        order(computeOrder(nested.size(), nested.getEdges())),
        successors(nested.size(), nested.getEdges()) {}

  uint32_t getIgnored() const { return order.ignoredCount; }
  /// The nodes of the longest path by `times`, one for each node.
  std::vector<uint32_t> find(llvm::ArrayRef<int64_t> times) const;

private:
  size_t nodeCount;
  NestedGraph nested;
  TopologicalOrder order;
  Adjacency successors;
};

/// The proven times of a graph.
class Certainty {
public:
  explicit Certainty(const Graph &graph);

  /// The bound that `paths` paths prove; `covers` counts how many of them each
  /// node is on.
  int64_t getBound(llvm::ArrayRef<uint32_t> covers, uint32_t paths) const;
  /// Times for the next search: instances that no path has passed yet, and all
  /// time that is not split.
  std::vector<int64_t> getTimes(llvm::ArrayRef<uint32_t> covers) const;
  bool hasInstances() const { return !groupPs.empty(); }

private:
  /// For each node: its own time, its split time, and its group or kNoNode.
  std::vector<int64_t> ownPs, splitPs;
  std::vector<uint32_t> groupOf;
  /// For each group of instances: their total time.
  std::vector<int64_t> groupPs;
};

} // namespace

std::vector<uint32_t> PathFinder::find(llvm::ArrayRef<int64_t> times) const {
  llvm::ArrayRef<Edge> edges = nested.getEdges();
  // Longest time until the end of each vertex, and its predecessor on that
  // path.
  std::vector<int64_t> before(nested.size());
  std::vector<uint32_t> previous(nested.size(), kNoNode), path;
  uint32_t last = kNoNode;
  int64_t longest = 0;
  for (uint32_t vertex : order.nodes) {
    int64_t end = before[vertex];
    if (vertex < nodeCount)
      end = saturatingAdd(end, times[vertex]);
    if (end > longest) {
      longest = end;
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
  for (uint32_t vertex = last; vertex != kNoNode; vertex = previous[vertex])
    if (vertex < nodeCount)
      path.push_back(vertex);
  std::reverse(path.begin(), path.end());
  return path;
}

Certainty::Certainty(const Graph &graph) {
  llvm::DenseMap<uint64_t, uint32_t> groups;
  for (const Node &node : graph.nodes) {
    int64_t durationPs = std::max<int64_t>(node.durationPs, 0);
    int64_t estimatedPs = std::clamp<int64_t>(node.estimatedPs, 0, durationPs);
    int64_t split =
        std::clamp<int64_t>(node.splitPs, 0, durationPs - estimatedPs);
    int64_t own = durationPs - estimatedPs - split;
    ownPs.push_back(node.places ? own / node.places : 0);
    // Time split with unknown nodes may belong to these.
    bool isInstance = node.instanceOf != kNoNode && node.places == 1;
    splitPs.push_back(isInstance ? split : 0);
    groupOf.push_back(kNoNode);
    if (!isInstance)
      continue;
    auto [entry, inserted] =
        groups.try_emplace(node.instanceOf, uint32_t(groupPs.size()));
    if (inserted)
      groupPs.push_back(0);
    groupOf.back() = entry->second;
    groupPs[entry->second] = saturatingAdd(groupPs[entry->second], split);
  }
}

int64_t Certainty::getBound(llvm::ArrayRef<uint32_t> covers,
                            uint32_t paths) const {
  std::vector<uint32_t> least(groupPs.size(), paths);
  __int128 sumPs = 0;
  for (auto [cover, own, group] : llvm::zip_equal(covers, ownPs, groupOf)) {
    sumPs += __int128(own) * cover;
    if (group != kNoNode)
      least[group] = std::min(least[group], cover);
  }
  for (auto [cover, ps] : llvm::zip_equal(least, groupPs))
    sumPs += __int128(ps) * cover;
  sumPs /= paths;
  return int64_t(
      std::min<__int128>(sumPs, std::numeric_limits<int64_t>::max()));
}

std::vector<int64_t>
Certainty::getTimes(llvm::ArrayRef<uint32_t> covers) const {
  std::vector<int64_t> times = ownPs;
  for (auto [time, split, cover] : llvm::zip_equal(times, splitPs, covers))
    if (cover == 0)
      time = saturatingAdd(time, split);
  return times;
}

/// The best bound that several paths prove.
static int64_t findBound(const Graph &graph, const PathFinder &finder) {
  constexpr uint32_t kMaxPaths = 32;
  Certainty certainty(graph);
  std::vector<uint32_t> covers(graph.nodes.size());
  int64_t boundPs = 0;
  for (uint32_t paths = 1; paths <= kMaxPaths; ++paths) {
    for (uint32_t node : finder.find(certainty.getTimes(covers)))
      ++covers[node];
    boundPs = std::max(boundPs, certainty.getBound(covers, paths));
    if (!certainty.hasInstances())
      break;
  }
  return boundPs;
}

CriticalPath graph::markCriticalPath(Graph &graph) {
  CriticalPath path;
  PathFinder finder(graph);
  path.ignoredEdges = finder.getIgnored();
  std::vector<int64_t> times;
  for (Node &node : graph.nodes) {
    node.critical = false;
    times.push_back(std::max<int64_t>(node.durationPs, 0));
  }
  path.nodes = finder.find(times);
  for (uint32_t node : path.nodes) {
    graph.nodes[node].critical = true;
    path.lengthPs = saturatingAdd(path.lengthPs, times[node]);
  }
  path.boundPs = findBound(graph, finder);
  return path;
}
