//===- CallGraph.h - Call graphs from the nesting of events -----*- C++ -*-===//
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
  /// Events that overlap an earlier one on their track without nesting in it:
  /// they count as calls by the event around both.
  uint64_t partialOverlaps = 0;
  /// Runs without kept events, which are left out.
  uint64_t emptyRuns = 0;
};

/// The kept events of all runs as a tree of calls for each track: an event that
/// lies within another one of its track is called by it, and calls of one name
/// along one path of callers are one node. Each track is a cluster. A node's
/// duration is its self time, so that the durations of a tree add up to the
/// time of its roots; Node::inclusivePs includes the time of all callees.
///
/// Fails if no run has kept events, or if a run with kept events does not have
/// any of the requested kind. O(n log n).
llvm::Expected<CallGraph> buildCallGraph(const profile::Profile &profile,
                                         const EventOptions &options);

} // namespace mlirprof::graph

#endif // MLIR_PROF_GRAPH_CALLGRAPH_H
