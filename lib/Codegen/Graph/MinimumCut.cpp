//===- MinimumCut.cpp - The cheapest division of a graph ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The largest flow from a source, which is on the first side, to a sink, which
// is on the second, by blocking flows (Dinic's algorithm).
//
//===----------------------------------------------------------------------===//

#include "MinimumCut.h"

#include <algorithm>
#include <deque>

using namespace mlirprof;
using namespace mlirprof::codegen;

static constexpr size_t kSource = 0, kSink = 1, kFirstNode = 2;

MinimumCut::MinimumCut() : edgesOf(kFirstNode) {}

size_t MinimumCut::addNode() {
  edgesOf.emplace_back();
  return edgesOf.size() - 1 - kFirstNode;
}

void MinimumCut::connect(size_t from, size_t to, int64_t capacity) {
  if (capacity <= 0)
    return;
  edgesOf[from].push_back(edges.size());
  edges.push_back({to, std::min(capacity, kInfinite)});
  edgesOf[to].push_back(edges.size());
  edges.push_back({from, 0});
}

void MinimumCut::addCosts(size_t node, int64_t onFirst, int64_t onSecond) {
  // A node on the second side is cut from the source.
  connect(kSource, node + kFirstNode, onSecond);
  connect(node + kFirstNode, kSink, onFirst);
}

void MinimumCut::addEdge(size_t from, size_t to, int64_t cost) {
  connect(from + kFirstNode, to + kFirstNode, cost);
}

/// Ranks nodes by their distance from the source. Returns whether the sink can
/// be reached.
bool MinimumCut::rank() {
  ranks.assign(edgesOf.size(), -1);
  ranks[kSource] = 0;
  std::deque<size_t> queue = {kSource};
  while (!queue.empty()) {
    size_t node = queue.front();
    queue.pop_front();
    for (size_t edge : edgesOf[node])
      if (edges[edge].left > 0 && ranks[edges[edge].to] < 0) {
        ranks[edges[edge].to] = ranks[node] + 1;
        queue.push_back(edges[edge].to);
      }
  }
  return ranks[kSink] >= 0;
}

/// Sends flow along one path from `node` to the sink. The path is kept in a
/// list, since it may be as long as the graph. Returns the flow.
int64_t MinimumCut::push(size_t node, int64_t most) {
  std::vector<size_t> path;
  while (node != kSink) {
    bool advanced = false;
    for (; next[node] < edgesOf[node].size(); ++next[node]) {
      size_t edge = edgesOf[node][next[node]];
      if (edges[edge].left <= 0 || ranks[edges[edge].to] != ranks[node] + 1)
        continue;
      path.push_back(edge);
      node = edges[edge].to;
      advanced = true;
      break;
    }
    if (advanced)
      continue;
    if (path.empty())
      return 0;
    node = edges[path.back() ^ 1].to;
    path.pop_back();
    ++next[node];
  }
  for (size_t edge : path)
    most = std::min(most, edges[edge].left);
  for (size_t edge : path) {
    edges[edge].left -= most;
    edges[edge ^ 1].left += most;
  }
  return most;
}

std::vector<bool> MinimumCut::solve() {
  while (rank()) {
    next.assign(edgesOf.size(), 0);
    while (push(kSource, kInfinite) > 0) {
    }
  }
  // The first side is as large as it can be: all but the nodes from which the
  // sink can be reached.
  std::vector<bool> reaches(edgesOf.size(), false);
  reaches[kSink] = true;
  std::deque<size_t> queue = {kSink};
  while (!queue.empty()) {
    size_t node = queue.front();
    queue.pop_front();
    for (size_t edge : edgesOf[node])
      if (edges[edge ^ 1].left > 0 && !reaches[edges[edge].to]) {
        reaches[edges[edge].to] = true;
        queue.push_back(edges[edge].to);
      }
  }
  return std::vector<bool>(reaches.begin() + kFirstNode, reaches.end());
}
