//===- Order.cpp - Topological order --------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Graph/Order.h"

#include <functional>
#include <queue>

using namespace mlirprof;
using namespace mlirprof::graph;

Adjacency::Adjacency(uint32_t nodes, llvm::ArrayRef<Edge> edges,
                     Direction direction)
    : begin(size_t(nodes) + 1) {
  auto endOf = [&](const Edge &edge) {
    return direction == Direction::Forward ? edge.from : edge.to;
  };
  auto isValid = [&](const Edge &edge) {
    return edge.from < nodes && edge.to < nodes;
  };
  for (const Edge &edge : edges)
    if (isValid(edge))
      ++begin[endOf(edge) + 1];
  for (uint32_t node = 0; node < nodes; ++node)
    begin[node + 1] += begin[node];
  list.resize(begin[nodes]);
  std::vector<uint32_t> next(begin.begin(), begin.end() - 1);
  for (auto [index, edge] : llvm::enumerate(edges))
    if (isValid(edge))
      list[next[endOf(edge)]++] = uint32_t(index);
}

namespace {

enum class Mark : uint8_t { New, Open, Done };

/// Depth-first search that marks the edges back to an open node.
class BackEdgeSearch {
public:
  BackEdgeSearch(uint32_t nodes, llvm::ArrayRef<Edge> edges,
                 const Adjacency &successors, TopologicalOrder &result)
      : edges(edges), successors(successors), result(result), marks(nodes) {}

  void run(uint32_t root) {
    if (marks[root] != Mark::New)
      return;
    open(root);
    while (!stack.empty()) {
      auto &[node, next] = stack.back();
      llvm::ArrayRef<uint32_t> out = successors.edgesOf(node);
      if (next == out.size()) {
        marks[node] = Mark::Done;
        stack.pop_back();
        continue;
      }
      follow(out[next++]);
    }
  }

private:
  void open(uint32_t node) {
    marks[node] = Mark::Open;
    stack.emplace_back(node, 0);
  }

  void follow(uint32_t edge) {
    uint32_t to = edges[edge].to;
    if (marks[to] == Mark::Open) {
      result.ignored[edge] = true;
      ++result.ignoredCount;
    } else if (marks[to] == Mark::New) {
      open(to);
    }
  }

  llvm::ArrayRef<Edge> edges;
  const Adjacency &successors;
  TopologicalOrder &result;
  std::vector<Mark> marks;
  std::vector<std::pair<uint32_t, uint32_t>> stack;
};

} // namespace

static std::vector<uint32_t> countPredecessors(uint32_t nodes,
                                               llvm::ArrayRef<Edge> edges,
                                               const TopologicalOrder &order) {
  std::vector<uint32_t> count(nodes);
  for (auto [index, edge] : llvm::enumerate(edges))
    if (!order.ignored[index])
      ++count[edge.to];
  return count;
}

TopologicalOrder graph::computeOrder(uint32_t nodes,
                                     llvm::ArrayRef<Edge> edges) {
  TopologicalOrder result;
  result.ignored.resize(edges.size());
  for (auto [index, edge] : llvm::enumerate(edges)) {
    if (edge.from < nodes && edge.to < nodes)
      continue;
    result.ignored[index] = true;
    ++result.ignoredCount;
  }

  Adjacency successors(nodes, edges);
  BackEdgeSearch search(nodes, edges, successors, result);
  // Roots first: starting inside a cycle would mark an edge that leads forward.
  std::vector<uint32_t> missing = countPredecessors(nodes, edges, result);
  for (uint32_t node = 0; node < nodes; ++node)
    if (missing[node] == 0)
      search.run(node);
  for (uint32_t node = 0; node < nodes; ++node)
    search.run(node);

  missing = countPredecessors(nodes, edges, result);
  std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> ready;
  for (uint32_t node = 0; node < nodes; ++node)
    if (missing[node] == 0)
      ready.push(node);
  result.position.resize(nodes);
  while (!ready.empty()) {
    uint32_t node = ready.top();
    ready.pop();
    result.position[node] = uint32_t(result.nodes.size());
    result.nodes.push_back(node);
    for (uint32_t edge : successors.edgesOf(node))
      if (!result.ignored[edge] && --missing[edges[edge].to] == 0)
        ready.push(edges[edge].to);
  }
  return result;
}
