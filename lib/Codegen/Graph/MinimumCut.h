//===- MinimumCut.h - The cheapest division of a graph ----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_GRAPH_MINIMUMCUT_H
#define MLIR_PROF_LIB_CODEGEN_GRAPH_MINIMUMCUT_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mlirprof::codegen {

/// Divides nodes into two sides such that the sum of these costs is as small as
/// possible: what a node costs on the side where it is, and what an edge costs
/// whose first node is on the one side and whose second node is on the other.
class MinimumCut {
public:
  /// More than all costs that are not infinite.
  static constexpr int64_t kInfinite = int64_t(1) << 60;

  MinimumCut();
  /// A new node. Nodes are numbered from 0.
  size_t addNode();
  /// Adds `cost` if `node` is on the first or on the second side.
  void addCosts(size_t node, int64_t onFirst, int64_t onSecond);
  /// Adds `cost` if `from` is on the first side and `to` is on the second.
  void addEdge(size_t from, size_t to, int64_t cost);
  /// For each node, whether it is on the second side; nodes for which that does
  /// not matter are not. Call once.
  std::vector<bool> solve();

private:
  struct Edge {
    size_t to;
    int64_t left;
  };
  void connect(size_t from, size_t to, int64_t capacity);
  bool rank();
  int64_t push(size_t node, int64_t most);

  /// Edges come in pairs: an edge and its reverse.
  std::vector<Edge> edges;
  std::vector<std::vector<size_t>> edgesOf;
  std::vector<int> ranks;
  std::vector<size_t> next;
};

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_GRAPH_MINIMUMCUT_H
