//===- MinimumCutTest.cpp - The cheapest division of a graph --------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Codegen/Graph/MinimumCut.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <array>
#include <random>

using namespace mlirprof::codegen;

namespace {

/// A random graph of a few nodes.
struct Graph {
  explicit Graph(unsigned seed) : random(seed) {
    nodes = 1 + next(8);
    for (size_t node = 0; node < nodes; ++node)
      costs.push_back({next(20), next(20)});
    for (unsigned edge = next(24); edge > 0; --edge)
      edges.push_back({next(nodes), next(nodes), next(20)});
  }

  int64_t next(int64_t end) { return int64_t(random() % uint64_t(end)); }

  /// The cost of a division, in which bit n is the side of node n.
  int64_t getCost(unsigned sides) const {
    int64_t cost = 0;
    for (size_t node = 0; node < nodes; ++node)
      cost += sides >> node & 1 ? costs[node].second : costs[node].first;
    for (auto [from, to, price] : edges)
      if (!(sides >> from & 1) && (sides >> to & 1))
        cost += price;
    return cost;
  }

  std::mt19937 random;
  size_t nodes = 0;
  std::vector<std::pair<int64_t, int64_t>> costs;
  std::vector<std::array<int64_t, 3>> edges;
};

TEST(MinimumCutTest, DividesRandomGraphsAsCheaplyAsAnyDivision) {
  for (unsigned seed = 0; seed < 2000; ++seed) {
    Graph graph(seed);
    MinimumCut cut;
    for (auto [onFirst, onSecond] : graph.costs)
      cut.addCosts(cut.addNode(), onFirst, onSecond);
    for (auto [from, to, price] : graph.edges)
      cut.addEdge(from, to, price);
    std::vector<bool> found = cut.solve();
    ASSERT_EQ(found.size(), graph.nodes);
    unsigned sides = 0;
    for (size_t node = 0; node < graph.nodes; ++node)
      sides |= unsigned(found[node]) << node;
    int64_t least = graph.getCost(0);
    for (unsigned other = 1; other < 1u << graph.nodes; ++other)
      least = std::min(least, graph.getCost(other));
    EXPECT_EQ(graph.getCost(sides), least) << "seed " << seed;
  }
}

TEST(MinimumCutTest, NeverCutsAnInfiniteEdge) {
  MinimumCut cut;
  size_t a = cut.addNode(), b = cut.addNode();
  cut.addCosts(a, 0, MinimumCut::kInfinite);
  cut.addCosts(b, 1000, 0);
  cut.addEdge(a, b, MinimumCut::kInfinite);
  EXPECT_EQ(cut.solve(), (std::vector<bool>{false, false}));
}

TEST(MinimumCutTest, HandlesLongPaths) {
  MinimumCut cut;
  constexpr size_t length = 100000;
  size_t first = cut.addNode();
  cut.addCosts(first, 0, MinimumCut::kInfinite);
  size_t last = first;
  for (size_t i = 0; i < length; ++i) {
    size_t next = cut.addNode();
    cut.addEdge(last, next, i == length / 2 ? 3 : 5);
    last = next;
  }
  cut.addCosts(last, MinimumCut::kInfinite, 0);
  std::vector<bool> sides = cut.solve();
  EXPECT_EQ(std::count(sides.begin(), sides.end(), true),
            int64_t(length - length / 2));
}

} // namespace
