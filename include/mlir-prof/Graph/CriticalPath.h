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
  /// A lower bound on the time of any order of the nodes, whatever the true
  /// division of times that are estimated or split among instances. At most
  /// lengthPs; if nothing is estimated or split, equal to it up to rounding.
  int64_t boundPs = 0;
  /// Edges that closed a cycle and were not followed.
  uint32_t ignoredEdges = 0;
};

/// Finds the path with the largest sum of durations (among equal ones, one with
/// the earliest nodes), and sets Node::critical on exactly its nodes. Without
/// any time the path is empty. Negative durations count as 0. O(n log n).
///
/// A node that owns a cluster begins before and ends after everything in the
/// cluster: the path goes through the longest path inside, and users of a
/// result from inside wait for the owner. If any node of a cluster that runs in
/// order is on the path, all of them are.
///
/// The bound is the largest of the means over the first 1, 2, ... of several
/// paths. In a mean, the time measured for one node counts as often as the node
/// is on the paths. Time measured for all instances of an op together counts as
/// often as the instance on the fewest paths, since any instance may have taken
/// all of it; for a node that represents several places, an equal part counts.
/// (The longest path is at least as long as the mean of any paths, whatever the
/// true times are.)
CriticalPath markCriticalPath(Graph &graph);

} // namespace mlirprof::graph

#endif // MLIR_PROF_GRAPH_CRITICALPATH_H
