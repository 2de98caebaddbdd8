//===- TestGraphs.h - Graphs for tests --------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_UNITTESTS_GRAPH_TESTGRAPHS_H
#define MLIR_PROF_UNITTESTS_GRAPH_TESTGRAPHS_H

#include "mlir-prof/Graph/Graph.h"

#include <random>

namespace mlirprof::graph {

/// `count` nodes named "op.<n>" with durations from `random`, without edges.
inline Graph makeNodes(uint32_t count, std::mt19937 &random) {
  Graph graph;
  graph.name = "test";
  for (uint32_t i = 0; i < count; ++i) {
    Node node;
    node.id = i;
    node.name = "op." + std::to_string(i);
    node.durationPs = 1 + random() % 1000;
    node.measured = true;
    graph.nodes.push_back(std::move(node));
  }
  return graph;
}

/// Edges from smaller to greater positions, about `perNode` for each node.
inline void addForwardEdges(Graph &graph, unsigned perNode,
                            std::mt19937 &random) {
  for (uint32_t to = 1; to < graph.nodes.size(); ++to)
    for (unsigned i = random() % (perNode + 1); i > 0; --i)
      graph.edges.push_back({uint32_t(random() % to), to});
}

/// Random nested clusters, some with an owner.
inline void addClusters(Graph &graph, uint32_t count, std::mt19937 &random) {
  for (uint32_t i = 0; i < count; ++i)
    graph.clusters.push_back(
        {"cluster " + std::to_string(i),
         i && random() % 3 ? uint32_t(random() % i) : kNoCluster, kNoNode});
  for (Node &node : graph.nodes)
    node.cluster = random() % 4 ? uint32_t(random() % count) : kNoCluster;
  for (uint32_t i = 0; i < count; i += 2) {
    uint32_t owner = uint32_t(random() % graph.nodes.size());
    bool isFree = true;
    for (const Cluster &cluster : graph.clusters)
      isFree &= cluster.owner != owner;
    if (!isFree)
      continue;
    graph.clusters[i].owner = owner;
    graph.nodes[owner].cluster = graph.clusters[i].parent;
  }
}

} // namespace mlirprof::graph

#endif // MLIR_PROF_UNITTESTS_GRAPH_TESTGRAPHS_H
