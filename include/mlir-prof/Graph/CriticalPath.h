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
  /// No order of the nodes takes less, however the times that are estimated or
  /// split among instances were divided in truth. At most lengthPs, but for
  /// rounding, when nothing is.
  int64_t boundPs = 0;
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
///
/// The bound is the largest of the means over the first 1, 2, ... of several
/// paths. In a mean, time measured of one node counts as often as it is on the
/// paths. Time measured of all instances of an op together counts as often
/// as the instance that is on fewest, since any of them may have had it all; of
/// a node that stands for several places, an equal part. (The longest path is
/// at least as long as the mean of any, whatever the true times are.)
CriticalPath markCriticalPath(Graph &graph);

} // namespace mlirprof::graph

#endif // MLIR_PROF_GRAPH_CRITICALPATH_H
