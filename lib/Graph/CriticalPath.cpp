//===- CriticalPath.cpp - Longest path by time ----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Graph/CriticalPath.h"
#include "mlir-prof/Graph/Order.h"
#include "mlir-prof/Trace/Time.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::graph;

CriticalPath graph::markCriticalPath(Graph &graph) {
  CriticalPath path;
  uint32_t count = uint32_t(graph.nodes.size());
  TopologicalOrder order = computeOrder(count, graph.edges);
  Adjacency successors(count, graph.edges);
  path.ignoredEdges = order.ignoredCount;

  // Longest time until the end of each node, and the node before it there.
  std::vector<int64_t> before(count);
  std::vector<uint32_t> previous(count, kNoNode);
  uint32_t last = kNoNode;
  for (uint32_t node : order.nodes) {
    graph.nodes[node].critical = false;
    int64_t end = saturatingAdd(
        before[node], std::max<int64_t>(graph.nodes[node].durationPs, 0));
    if (end > path.lengthPs) {
      path.lengthPs = end;
      last = node;
    }
    for (uint32_t edge : successors.edgesOf(node)) {
      uint32_t to = graph.edges[edge].to;
      if (order.ignored[edge] || end <= before[to])
        continue;
      before[to] = end;
      previous[to] = node;
    }
  }
  for (uint32_t node = last; node != kNoNode; node = previous[node]) {
    graph.nodes[node].critical = true;
    path.nodes.push_back(node);
  }
  std::reverse(path.nodes.begin(), path.nodes.end());
  return path;
}
