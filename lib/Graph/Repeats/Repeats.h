//===- Repeats.h - Repeated consecutive parts -------------------*- C++ -*-===//
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

/// Folds consecutive repeats of a part of a graph, such as the layers of a
/// stack, into the first of them, which becomes a cluster "60 x layer". A node
/// in it represents its counterparts in all repeats: its time is their sum.
///
/// Each part consists of the same number of consecutive members of a cluster
/// (nodes and clusters). Parts agree in names (except for trailing numbers), in
/// the edges within them, and in the edges from the previous part, of which
/// there is at least one. Folding requires at least three repeats and eight
/// folded nodes. The result is empty if nothing is folded. O(n log n), and a
/// scan for periods of bounded work.
CollapsedGraph foldRepeats(const Graph &graph);

} // namespace mlirprof::graph

#endif // MLIR_PROF_LIB_GRAPH_REPEATS_REPEATS_H
