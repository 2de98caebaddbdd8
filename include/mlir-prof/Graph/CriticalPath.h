//===- CriticalPath.h - Longest path by time --------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_GRAPH_CRITICALPATH_H
#define MLIR_PROF_GRAPH_CRITICALPATH_H

#include "mlir-prof/Graph/Graph.h"

namespace mlirprof::graph {

struct CriticalPath {
  /// Positions in Graph::nodes, in order of the path.
  std::vector<uint32_t> nodes;
  /// Sum of their durations.
  int64_t lengthPs = 0;
  /// Edges that closed a cycle and were not followed.
  uint32_t ignoredEdges = 0;
};

/// Finds the path whose durations add up to most, of equal ones one with the
/// earliest nodes, and sets Node::critical on exactly its nodes. Without any
/// time the path is empty. Negative durations count as 0. O(n log n).
///
/// A node that owns a cluster begins before and ends after all that the cluster
/// holds: the path goes through the longest path inside, and whoever uses a
/// result from inside waits for the owner. What is in a cluster that runs in
/// order is all on the path, if any of it is.
CriticalPath markCriticalPath(Graph &graph);

} // namespace mlirprof::graph

#endif // MLIR_PROF_GRAPH_CRITICALPATH_H
