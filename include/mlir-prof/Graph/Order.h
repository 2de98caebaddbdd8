//===- Order.h - Topological order ------------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_GRAPH_ORDER_H
#define MLIR_PROF_GRAPH_ORDER_H

#include "mlir-prof/Graph/Graph.h"
#include "llvm/ADT/ArrayRef.h"

namespace mlirprof::graph {

/// The outgoing edges of each node, as one array. Edges whose ends are not
/// smaller than `nodes` are left out.
class Adjacency {
public:
  enum class Direction : uint8_t { Forward, Backward };

  Adjacency(uint32_t nodes, llvm::ArrayRef<Edge> edges,
            Direction direction = Direction::Forward);

  /// Indices of the edges that leave (Backward: enter) `node`, in order.
  llvm::ArrayRef<uint32_t> edgesOf(uint32_t node) const {
    return llvm::ArrayRef<uint32_t>(list).slice(begin[node],
                                                begin[node + 1] - begin[node]);
  }

private:
  std::vector<uint32_t> begin;
  std::vector<uint32_t> list;
};

/// A topological order of a graph in which the back edges of a depth-first
/// search are ignored.
struct TopologicalOrder {
  std::vector<uint32_t> nodes;
  /// Inverse of `nodes`.
  std::vector<uint32_t> position;
  /// Edges that are ignored: those that close a cycle, self loops, and edges
  /// with an end outside the graph. Index = edge.
  std::vector<bool> ignored;
  uint32_t ignoredCount = 0;
};

/// Among all topological orders, the one nearest to the order of the nodes:
/// always the smallest possible next. O(n log n), without recursion.
TopologicalOrder computeOrder(uint32_t nodes, llvm::ArrayRef<Edge> edges);

} // namespace mlirprof::graph

#endif // MLIR_PROF_GRAPH_ORDER_H
