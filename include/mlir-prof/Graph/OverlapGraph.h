//===- OverlapGraph.h - Levels of events by overlap in time -----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_GRAPH_OVERLAPGRAPH_H
#define MLIR_PROF_GRAPH_OVERLAPGRAPH_H

#include "mlir-prof/Graph/Graph.h"
#include "mlir-prof/Graph/KeptEvents.h"

namespace mlirprof::graph {

/// Intervals in time, as columns of one length in order of their begins.
struct Intervals {
  llvm::ArrayRef<int64_t> beginPs;
  llvm::ArrayRef<int64_t> durationPs;
};

/// The level of each interval, from 0. An interval joins the previous level if
/// it overlaps every interval in it, and opens the next level otherwise. Two
/// intervals overlap if they share time: an interval that ends when the other
/// begins does not overlap it, and neither does one without duration.
std::vector<uint32_t> computeOverlapLevels(Intervals intervals);

/// The kept events of run `run` as nodes, and edges from each level to the
/// next. Small levels are fully connected; between larger ones, edges lead from
/// all events of a level to the first event of the next, and from the event
/// that ends last to all of the next.
///
/// This graph shows time, not dependence: an edge means only that one event did
/// not overlap all events of the other's level. Fails if there is no such run
/// or step, or if no events were kept.
llvm::Expected<Graph> buildOverlapGraph(const profile::Profile &profile,
                                        uint32_t run,
                                        const EventOptions &options = {});

} // namespace mlirprof::graph

#endif // MLIR_PROF_GRAPH_OVERLAPGRAPH_H
