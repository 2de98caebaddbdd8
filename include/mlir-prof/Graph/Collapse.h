//===- Collapse.h - Graphs small enough to draw -----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_GRAPH_COLLAPSE_H
#define MLIR_PROF_GRAPH_COLLAPSE_H

#include "mlir-prof/Graph/Format.h"
#include "mlir-prof/Graph/Graph.h"

#include <string>
#include <vector>

namespace mlirprof::graph {

/// A graph in which boxes represent nodes that do not fit the picture. Their
/// times are the sums of those nodes, so that the total stays the same.
struct CollapsedGraph {
  Graph graph;
  /// For each node of the original graph, the node that shows it.
  std::vector<uint32_t> shownBy;
  /// Descriptions of what was collapsed, for people; empty if nothing was.
  std::vector<std::string> notes;
};

/// Collapses `graph` to about `options.maxNodes` boxes. Clusters are opened
/// from the hottest on while there is room, and stay one box otherwise. A
/// cluster that is too large for that shows its hottest members and their
/// neighbors, and each stretch of the others (in topological order) becomes a
/// box "+n more". Edges of those boxes are limited too. O(n log n).
CollapsedGraph collapse(const Graph &graph, const DrawOptions &options);

/// Sum of the nodes' durations.
int64_t totalTime(const Graph &graph);

/// The times of a measured node in a graph that took `totalPs`: "1.23 ms · 4.5
/// %"; for a function, also the time including its callees.
std::string describeTime(const Node &node, int64_t totalPs);

} // namespace mlirprof::graph

#endif // MLIR_PROF_GRAPH_COLLAPSE_H
