//===- ClusterTree.cpp - The nesting of clusters --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Graph/ClusterTree.h"

using namespace mlirprof;
using namespace mlirprof::graph;

void graph::groupIndices(llvm::ArrayRef<uint32_t> groupOf, uint32_t groups,
                         std::vector<uint32_t> &begin,
                         std::vector<uint32_t> &list) {
  begin.assign(size_t(groups) + 1, 0);
  for (uint32_t group : groupOf)
    if (group < groups)
      ++begin[group + 1];
  for (uint32_t group = 0; group < groups; ++group)
    begin[group + 1] += begin[group];
  list.resize(begin[groups]);
  std::vector<uint32_t> next(begin.begin(), begin.end() - 1);
  for (auto [index, group] : llvm::enumerate(groupOf))
    if (group < groups)
      list[next[group]++] = uint32_t(index);
}

ClusterTree::ClusterTree(const Graph &graph, uint32_t maxDepth)
    : root(uint32_t(graph.clusters.size())) {
  readParents(graph, maxDepth);
  readOwners(graph);
  readMembers(graph);
}

void ClusterTree::readParents(const Graph &graph, uint32_t maxDepth) {
  parents.assign(size_t(root) + 1, root);
  depths.assign(size_t(root) + 1, 0);
  stands.assign(size_t(root) + 1, root);
  for (uint32_t cluster = 0; cluster < root; ++cluster) {
    uint32_t parent = graph.clusters[cluster].parent;
    parent = parent < cluster ? stands[parent] : root;
    bool isTooDeep = depths[parent] >= maxDepth;
    dissolved += isTooDeep;
    parents[cluster] = parent;
    depths[cluster] = depths[parent] + 1;
    stands[cluster] = isTooDeep ? parent : cluster;
  }
}

void ClusterTree::readOwners(const Graph &graph) {
  homes.resize(graph.nodes.size());
  for (auto [node, home] : llvm::zip_equal(graph.nodes, homes))
    home = node.cluster < root ? stands[node.cluster] : root;
  owners.assign(size_t(root) + 1, kNoNode);
  bodies.assign(graph.nodes.size(), kNoCluster);
  for (uint32_t cluster = 0; cluster < root; ++cluster) {
    uint32_t owner = graph.clusters[cluster].owner;
    if (owner >= graph.nodes.size() || stands[cluster] != cluster ||
        bodies[owner] != kNoCluster || homes[owner] != parents[cluster])
      continue;
    owners[cluster] = owner;
    bodies[owner] = cluster;
  }
}

void ClusterTree::readMembers(const Graph &graph) {
  std::vector<uint32_t> groups = homes;
  for (uint32_t node = 0; node < groups.size(); ++node)
    if (bodies[node] != kNoCluster)
      groups[node] = ~uint32_t(0);
  groupIndices(groups, root + 1, nodeBegin, nodes);
  groups.assign(parents.begin(), parents.end() - 1);
  groupIndices(groups, root + 1, childBegin, children);
}
