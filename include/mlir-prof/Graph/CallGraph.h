//===- CallGraph.h - Who called whom, by nesting ----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_GRAPH_CALLGRAPH_H
#define MLIR_PROF_GRAPH_CALLGRAPH_H

#include "mlir-prof/Graph/Graph.h"
#include "mlir-prof/Graph/KeptEvents.h"

namespace mlirprof::graph {

struct CallGraph {
  Graph graph;
  /// Events that overlap one before them on their track without nesting in it:
  /// they count as calls of what is around both.
  uint64_t partialOverlaps = 0;
  /// Runs that have kept no events, left out.
  uint64_t emptyRuns = 0;
};

/// The kept events of all runs as a tree of calls for each track: an event that
/// lies within another one of its track is called by it, and calls of one name
/// along one path of callers are one node. Each track is a cluster. A node's
/// duration is its self time, so that the durations of a tree add up to the
/// time of its roots; Node::inclusivePs is the time with all that it calls.
///
/// Fails when no run has kept events, and when one of those that have has none
/// of the kind. O(n log n).
llvm::Expected<CallGraph> buildCallGraph(const profile::Profile &profile,
                                         const EventOptions &options);

} // namespace mlirprof::graph

#endif // MLIR_PROF_GRAPH_CALLGRAPH_H
