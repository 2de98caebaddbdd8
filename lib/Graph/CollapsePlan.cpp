//===- CollapsePlan.cpp - Choosing the nodes that a picture shows ---------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CollapsePlan.h"
#include "mlir-prof/Graph/Order.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <queue>

using namespace mlirprof;
using namespace mlirprof::graph;
using namespace mlirprof::trace;

namespace {

/// A member of a cluster: a node, or the number of nodes + cluster.
using Place = uint32_t;

class CollapsePlanner {
public:
  CollapsePlanner(const Graph &graph, const ClusterTree &tree,
                  const DrawOptions &options)
      : graph(graph), tree(tree), options(options),
        nodeCount(uint32_t(graph.nodes.size())), root(tree.getRoot()) {}

  CollapsePlan run();

private:
  enum class State : uint8_t { Closed, Open, Partial };

  void sumClusters();
  void openAll();
  void openHottest();
  void openPartly(uint32_t cluster);
  /// Makes the chosen members of every open cluster visible.
  void choose(uint32_t cluster, uint64_t limit);
  void chooseNeighbors(uint32_t cluster, llvm::ArrayRef<Place> hot,
                       uint64_t limit);
  void pushChildren(uint32_t cluster);
  void writeGroups();
  void writeCluster(uint32_t cluster);
  void gather(uint32_t cluster, std::vector<uint32_t> &nodes) const;
  std::vector<Place> membersOf(uint32_t cluster) const;
  /// The member of `cluster` that contains `node`, or kNoNode.
  Place memberAt(uint32_t cluster, uint32_t node) const;

  bool isCluster(Place place) const { return place >= nodeCount; }
  int64_t timeOf(Place place) const {
    return isCluster(place) ? times[place - nodeCount]
                            : std::max(graph.nodes[place].durationPs,
                                       graph.nodes[place].inclusivePs);
  }
  bool isHotter(Place a, Place b) const {
    int64_t x = timeOf(a), y = timeOf(b);
    return x != y ? x > y : a < b;
  }
  uint32_t positionOf(Place place) const {
    return isCluster(place) ? positions[place - nodeCount]
                            : order.position[place];
  }

  const Graph &graph;
  const ClusterTree &tree;
  const DrawOptions &options;
  uint32_t nodeCount, root;
  TopologicalOrder order;
  std::vector<State> states;
  /// For each cluster with its content: nodes, time, first position.
  std::vector<uint64_t> sizes;
  std::vector<int64_t> times;
  std::vector<uint32_t> positions;
  /// Number of direct members with content.
  std::vector<uint64_t> memberCounts;
  /// Shown members of partly open clusters, indexed by place.
  std::vector<bool> shown;
  std::priority_queue<std::pair<int64_t, uint32_t>> closed;
  uint64_t room = 0;
  CollapsePlan plan;
};

} // namespace

void CollapsePlanner::sumClusters() {
  size_t count = size_t(root) + 1;
  sizes.assign(count, 0);
  times.assign(count, 0);
  positions.assign(count, ~uint32_t(0));
  memberCounts.assign(count, 0);
  auto add = [&](uint32_t cluster, uint64_t size, int64_t time,
                 uint32_t position) {
    sizes[cluster] += size;
    times[cluster] = saturatingAdd(times[cluster], time);
    positions[cluster] = std::min(positions[cluster], position);
  };
  auto addNode = [&](uint32_t cluster, uint32_t node) {
    add(cluster, 1, graph.nodes[node].durationPs, order.position[node]);
  };
  // Children come after their parents, the root is last.
  for (uint32_t i = 0; i <= root; ++i) {
    uint32_t cluster = i == root ? root : root - 1 - i;
    for (uint32_t node : tree.nodesOf(cluster))
      addNode(cluster, node);
    memberCounts[cluster] += tree.nodesOf(cluster).size();
    if (cluster == root)
      continue;
    if (uint32_t owner = tree.ownerOf(cluster); owner != kNoNode)
      addNode(cluster, owner);
    uint32_t parent = tree.parentOf(cluster);
    add(parent, sizes[cluster], times[cluster], positions[cluster]);
    memberCounts[parent] += sizes[cluster] > 0;
  }
}

std::vector<Place> CollapsePlanner::membersOf(uint32_t cluster) const {
  std::vector<Place> members(tree.nodesOf(cluster).begin(),
                             tree.nodesOf(cluster).end());
  for (uint32_t child : tree.childrenOf(cluster))
    if (sizes[child] > 0)
      members.push_back(nodeCount + child);
  llvm::sort(members, [&](Place a, Place b) {
    return std::make_pair(positionOf(a), a) < std::make_pair(positionOf(b), b);
  });
  return members;
}

void CollapsePlanner::openAll() {
  for (uint32_t cluster = 0; cluster <= root; ++cluster)
    states[cluster] = State::Open;
}

void CollapsePlanner::pushChildren(uint32_t cluster) {
  for (uint32_t child : tree.childrenOf(cluster))
    if (sizes[child] > 0)
      closed.push({times[child], child});
}

Place CollapsePlanner::memberAt(uint32_t cluster, uint32_t node) const {
  uint32_t home = tree.clusterOf(node);
  Place place = node;
  if (uint32_t body = tree.bodyOf(node); body != kNoCluster)
    place = nodeCount + body;
  while (home != cluster) {
    if (home == root)
      return kNoNode;
    place = nodeCount + home;
    home = tree.parentOf(home);
  }
  return place;
}

/// Shows the neighbors of the hot nodes, the hottest first.
void CollapsePlanner::chooseNeighbors(uint32_t cluster,
                                      llvm::ArrayRef<Place> hot,
                                      uint64_t limit) {
  std::vector<Place> neighbors;
  for (const Edge &edge : graph.edges) {
    if (edge.from >= nodeCount || edge.to >= nodeCount)
      continue;
    Place from = memberAt(cluster, edge.from), to = memberAt(cluster, edge.to);
    if (from == kNoNode || to == kNoNode || shown[from] == shown[to])
      continue;
    neighbors.push_back(shown[from] ? to : from);
  }
  llvm::sort(neighbors, [&](Place a, Place b) { return isHotter(a, b); });
  neighbors.erase(std::unique(neighbors.begin(), neighbors.end()),
                  neighbors.end());
  for (Place place : llvm::ArrayRef<Place>(neighbors).take_front(limit))
    shown[place] = true;
}

void CollapsePlanner::choose(uint32_t cluster, uint64_t limit) {
  std::vector<Place> members = membersOf(cluster);
  llvm::sort(members, [&](Place a, Place b) { return isHotter(a, b); });
  // A stretch of other members may precede and follow each shown member.
  size_t count = std::max<uint64_t>(limit / 2, 1);
  size_t hot = std::min<size_t>(std::max<size_t>(count / 2, 1), members.size());
  for (size_t i = 0; i < hot; ++i)
    shown[members[i]] = true;
  chooseNeighbors(cluster, llvm::ArrayRef<Place>(members).take_front(hot),
                  count - std::min(count, hot));
  uint64_t chosen = llvm::count_if(members, [&](Place p) { return shown[p]; });
  for (Place place : members) {
    if (chosen >= count)
      break;
    chosen += !shown[place];
    shown[place] = true;
  }
}

void CollapsePlanner::openPartly(uint32_t cluster) {
  states[cluster] = State::Partial;
  choose(cluster, room);
  uint64_t boxes = 0;
  bool inStretch = false;
  for (Place place : membersOf(cluster)) {
    boxes += shown[place] || !inStretch;
    inStretch = !shown[place];
    if (shown[place] && isCluster(place))
      closed.push({times[place - nodeCount], place - nodeCount});
  }
  room -= std::min(room, boxes);
}

void CollapsePlanner::openHottest() {
  // Fewer members are not worth a frame.
  constexpr uint64_t kLeast = 6;
  closed.push({times[root], root});
  std::vector<uint32_t> tooLarge;
  // Each partly opened cluster takes one pass over the edges.
  unsigned partly = 0;
  constexpr unsigned kMostPartly = 4;
  size_t nextTooLarge = 0;
  while (true) {
    if (!closed.empty()) {
      uint32_t cluster = closed.top().second;
      closed.pop();
      if (memberCounts[cluster] > room + (cluster != root)) {
        tooLarge.push_back(cluster);
        continue;
      }
      states[cluster] = State::Open;
      room -= memberCounts[cluster];
      room += cluster != root;
      pushChildren(cluster);
      continue;
    }
    if (nextTooLarge == tooLarge.size() || partly == kMostPartly)
      break;
    uint32_t cluster = tooLarge[nextTooLarge++];
    if (room < kLeast && cluster != root)
      continue;
    ++partly;
    openPartly(cluster);
  }
}

/// All nodes in a cluster, with its owner, in order.
void CollapsePlanner::gather(uint32_t cluster,
                             std::vector<uint32_t> &nodes) const {
  std::vector<uint32_t> stack = {cluster};
  while (!stack.empty()) {
    uint32_t top = stack.back();
    stack.pop_back();
    if (top != root && tree.ownerOf(top) != kNoNode)
      nodes.push_back(tree.ownerOf(top));
    llvm::append_range(nodes, tree.nodesOf(top));
    llvm::append_range(stack, tree.childrenOf(top));
  }
}

void CollapsePlanner::writeCluster(uint32_t cluster) {
  bool isPartial = states[cluster] == State::Partial;
  bool inStretch = false;
  if (cluster != root && tree.ownerOf(cluster) != kNoNode)
    plan.groups.push_back({tree.parentOf(cluster),
                           {tree.ownerOf(cluster)},
                           kNoCluster,
                           /*isNode=*/true});
  for (Place place : membersOf(cluster)) {
    bool joins = isPartial && !shown[place];
    if (joins && !inStretch)
      plan.groups.push_back({cluster, {}, kNoCluster, false});
    inStretch = joins;
    if (joins) {
      std::vector<uint32_t> &nodes = plan.groups.back().nodes;
      if (isCluster(place))
        gather(place - nodeCount, nodes);
      else
        nodes.push_back(place);
    } else if (!isCluster(place)) {
      plan.groups.push_back({cluster, {place}, kNoCluster, true});
    } else if (states[place - nodeCount] == State::Closed) {
      CollapsePlan::Group group = {cluster, {}, place - nodeCount, false};
      gather(group.region, group.nodes);
      plan.groups.push_back(std::move(group));
    }
  }
}

void CollapsePlanner::writeGroups() {
  plan.isOpen.assign(size_t(root) + 1, false);
  for (uint32_t i = 0; i <= root; ++i) {
    uint32_t cluster = i == 0 ? root : i - 1;
    if (states[cluster] == State::Closed || sizes[cluster] == 0)
      continue;
    plan.isOpen[cluster] = cluster != root;
    writeCluster(cluster);
  }
  // A group of a single node is shown as the node itself.
  for (CollapsePlan::Group &group : plan.groups)
    if (group.nodes.size() == 1 && group.region == kNoCluster)
      group.isNode = true;
}

CollapsePlan CollapsePlanner::run() {
  order = computeOrder(nodeCount, graph.edges);
  states.assign(size_t(root) + 1, State::Closed);
  shown.assign(size_t(nodeCount) + root, false);
  sumClusters();
  uint64_t boxes = nodeCount;
  for (uint32_t cluster = 0; cluster < root; ++cluster)
    boxes += sizes[cluster] > 0 && tree.ownerOf(cluster) == kNoNode;
  room = std::max<uint32_t>(options.maxNodes, 1);
  if (boxes <= room)
    openAll();
  else
    openHottest();
  // The root is always open, also when it is larger than asked.
  if (states[root] == State::Closed)
    states[root] = State::Open;
  writeGroups();
  return std::move(plan);
}

CollapsePlan graph::planCollapse(const Graph &graph, const ClusterTree &tree,
                                 const DrawOptions &options) {
  return CollapsePlanner(graph, tree, options).run();
}
