//===- Repeats.h - Parts that repeat one after another ----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_GRAPH_REPEATS_REPEATS_H
#define MLIR_PROF_LIB_GRAPH_REPEATS_REPEATS_H

#include "mlir-prof/Graph/Collapse.h"

namespace mlirprof::graph {

/// Folds parts of a graph that repeat one after another, as the layers of a
/// stack do, into the first of them, which becomes a cluster "60 x layer". A
/// node in it stands for its counterparts in all the repeats: its time is their
/// sum.
///
/// Parts are the same number of neighbors in the order of their cluster, nodes
/// and clusters, that agree in names (but for numbers at the end), in the edges
/// within them, and in those from the part before, of which there is one at
/// least. Three repeats and eight folded nodes are the least that is folded.
/// The result is empty where nothing is. O(n log n), and a scan for periods of
/// bounded work.
CollapsedGraph foldRepeats(const Graph &graph);

} // namespace mlirprof::graph

#endif // MLIR_PROF_LIB_GRAPH_REPEATS_REPEATS_H
