//===- CriticalPathTest.cpp - Tests of order and critical path ------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Graph/CriticalPath.h"
#include "TestGraphs.h"
#include "mlir-prof/Graph/CallPlaces.h"
#include "mlir-prof/Graph/Order.h"
#include "gtest/gtest.h"

#include <algorithm>

using namespace mlirprof::graph;

/// Longest path from `node` on by trying all paths.
static int64_t longestFrom(const Graph &graph, uint32_t node) {
  int64_t best = 0;
  for (const Edge &edge : graph.edges)
    if (edge.from == node)
      best = std::max(best, longestFrom(graph, edge.to));
  return best + graph.nodes[node].durationPs;
}

static bool hasEdge(const Graph &graph, uint32_t from, uint32_t to) {
  return std::any_of(
      graph.edges.begin(), graph.edges.end(),
      [&](const Edge &e) { return e.from == from && e.to == to; });
}

TEST(CriticalPath, EqualsAllWaysTried) {
  std::mt19937 random(1);
  for (unsigned round = 0; round < 200; ++round) {
    Graph graph = makeNodes(1 + random() % 10, random);
    addForwardEdges(graph, 3, random);
    int64_t expected = 0;
    for (uint32_t node = 0; node < graph.nodes.size(); ++node)
      expected = std::max(expected, longestFrom(graph, node));

    CriticalPath path = markCriticalPath(graph);
    EXPECT_EQ(path.lengthPs, expected);
    EXPECT_EQ(path.ignoredEdges, 0u);
    int64_t sum = 0;
    for (size_t i = 0; i < path.nodes.size(); ++i) {
      sum += graph.nodes[path.nodes[i]].durationPs;
      if (i)
        EXPECT_TRUE(hasEdge(graph, path.nodes[i - 1], path.nodes[i]));
    }
    EXPECT_EQ(sum, expected);
    for (uint32_t node = 0; node < graph.nodes.size(); ++node)
      EXPECT_EQ(graph.nodes[node].critical,
                std::count(path.nodes.begin(), path.nodes.end(), node) == 1);
  }
}

TEST(CriticalPath, BreaksCycles) {
  std::mt19937 random(2);
  Graph graph = makeNodes(3, random);
  graph.edges = {{0, 1}, {1, 2}, {2, 0}, {1, 1}, {7, 1}};
  CriticalPath path = markCriticalPath(graph);
  EXPECT_EQ(path.ignoredEdges, 3u);
  EXPECT_EQ(path.nodes, (std::vector<uint32_t>{0, 1, 2}));
}

TEST(CriticalPath, EmptyWithoutTime) {
  Graph graph;
  EXPECT_EQ(markCriticalPath(graph).lengthPs, 0);
  graph.nodes.resize(2);
  graph.nodes[0].durationPs = -5;
  graph.edges = {{0, 1}};
  EXPECT_TRUE(markCriticalPath(graph).nodes.empty());
}

TEST(CriticalPath, DeepChainAndHugeTimes) {
  std::mt19937 random(3);
  constexpr uint32_t kNodes = 100000;
  Graph graph = makeNodes(kNodes, random);
  for (uint32_t i = 0; i + 1 < kNodes; ++i)
    graph.edges.push_back({i + 1, i});
  graph.nodes[0].durationPs = INT64_MAX - 10;
  CriticalPath path = markCriticalPath(graph);
  EXPECT_EQ(path.lengthPs, INT64_MAX);
  EXPECT_EQ(path.nodes.back(), 0u);
}

TEST(CriticalPath, GoesThroughWhatANodeHolds) {
  // 0 -> 1 { 2 -> 3, 4 } -> 5: the loop ends after all of its content.
  std::mt19937 random(5);
  Graph graph = makeNodes(6, random);
  int64_t times[] = {1, 2, 40, 80, 100, 7};
  for (uint32_t i = 0; i < 6; ++i)
    graph.nodes[i].durationPs = times[i];
  Cluster body;
  body.owner = 1;
  graph.clusters.push_back(body);
  for (uint32_t i : {2, 3, 4})
    graph.nodes[i].cluster = 0;
  graph.edges = {{0, 1}, {2, 3}, {1, 5}};
  CriticalPath path = markCriticalPath(graph);
  EXPECT_EQ(path.lengthPs, 1 + 2 + 40 + 80 + 7);
  EXPECT_EQ(path.nodes, (std::vector<uint32_t>{0, 1, 2, 3, 5}));
  // A result from inside is available when the loop has ended.
  graph.edges = {{0, 1}, {2, 3}, {4, 5}, {1, 2}};
  EXPECT_EQ(markCriticalPath(graph).lengthPs, 1 + 2 + 40 + 80 + 7);
  // If the body runs in order, all of it is on the path.
  graph.clusters[0].runsInOrder = true;
  path = markCriticalPath(graph);
  EXPECT_EQ(path.lengthPs, 1 + 2 + 40 + 80 + 100 + 7);
  EXPECT_EQ(path.nodes.size(), 6u);
}

TEST(CriticalPath, BlocksOfAFunctionRunInOrder) {
  std::mt19937 random(6);
  Graph graph = makeNodes(4, random);
  graph.clusters.resize(3);
  graph.clusters[0].runsInOrder = true;
  graph.clusters[1].parent = graph.clusters[2].parent = 0;
  int64_t sum = 0;
  for (uint32_t i = 0; i < 4; ++i) {
    graph.nodes[i].cluster = 1 + i / 2;
    sum += graph.nodes[i].durationPs;
  }
  EXPECT_EQ(markCriticalPath(graph).lengthPs, sum);
}

TEST(CriticalPath, StandsDeepNests) {
  std::mt19937 random(7);
  constexpr uint32_t kNodes = 20000;
  Graph graph = makeNodes(kNodes, random);
  for (uint32_t i = 0; i < kNodes; ++i) {
    Cluster cluster;
    cluster.owner = i;
    cluster.parent = i ? i - 1 : kNoCluster;
    graph.clusters.push_back(cluster);
    graph.nodes[i].cluster = cluster.parent;
    graph.edges.push_back({i, (i * 7919) % kNodes});
  }
  EXPECT_GT(markCriticalPath(graph).lengthPs, 0);
}

TEST(Order, IsTopologicalAndNearToTheGivenOne) {
  std::mt19937 random(4);
  for (unsigned round = 0; round < 50; ++round) {
    Graph graph = makeNodes(40, random);
    for (unsigned i = 0; i < 60; ++i)
      graph.edges.push_back({uint32_t(random() % 40), uint32_t(random() % 40)});
    TopologicalOrder order = computeOrder(40, graph.edges);
    ASSERT_EQ(order.nodes.size(), 40u);
    for (size_t i = 0; i < graph.edges.size(); ++i)
      if (!order.ignored[i])
        EXPECT_LT(order.position[graph.edges[i].from],
                  order.position[graph.edges[i].to]);
  }
  Graph forward = makeNodes(40, random);
  addForwardEdges(forward, 3, random);
  TopologicalOrder order = computeOrder(40, forward.edges);
  EXPECT_TRUE(std::is_sorted(order.nodes.begin(), order.nodes.end()));
  EXPECT_EQ(order.ignoredCount, 0u);
}

/// A node of an op whose time is split among instances.
static Node makeInstance(uint32_t op, int64_t splitPs) {
  Node node;
  node.durationPs = node.splitPs = splitPs;
  node.instanceOf = op;
  return node;
}

TEST(CriticalPath, BoundHoldsForInstancesSideBySide) {
  // 10 ps of two calls, of which only the sum is known: one of them takes at
  // least 5. With 3 ps before and after both, 11.
  Graph graph;
  graph.nodes = {makeInstance(7, 6), makeInstance(7, 4)};
  CriticalPath path = markCriticalPath(graph);
  EXPECT_EQ(path.lengthPs, 6);
  EXPECT_EQ(path.boundPs, 5);
  Node node;
  node.durationPs = 3;
  graph.nodes.push_back(node);
  graph.nodes.push_back(node);
  graph.edges = {{2, 0}, {2, 1}, {0, 3}, {1, 3}};
  EXPECT_EQ(markCriticalPath(graph).boundPs, 3 + 5 + 3);
}

TEST(CriticalPath, BoundOfInstancesOneAfterAnother) {
  // One after the other: the sum is certain, however it is split.
  Graph graph;
  graph.nodes = {makeInstance(7, 5), makeInstance(7, 5)};
  graph.edges = {{0, 1}};
  CriticalPath path = markCriticalPath(graph);
  EXPECT_EQ(path.lengthPs, 10);
  EXPECT_EQ(path.boundPs, 10);
}

TEST(CriticalPath, EstimatesAreNotCertain) {
  // 8 ps, of which 3 are a share of a set; and 9 ps of three places.
  Graph graph;
  graph.nodes.resize(2);
  graph.nodes[0].durationPs = 8;
  graph.nodes[0].estimatedPs = 3;
  EXPECT_EQ(markCriticalPath(graph).boundPs, 5);
  graph.nodes[1].durationPs = 9;
  graph.nodes[1].places = 3;
  graph.edges = {{0, 1}};
  CriticalPath path = markCriticalPath(graph);
  EXPECT_EQ(path.lengthPs, 17);
  EXPECT_EQ(path.boundPs, 5 + 3);
  graph.nodes[1].places = 0;
  EXPECT_EQ(markCriticalPath(graph).boundPs, 5);
}

TEST(CriticalPath, NoSplitBeatsTheBound) {
  // Whatever parts of the sum the instances had, the longest path is not
  // shorter than the bound computed before.
  std::mt19937 random(5);
  for (unsigned round = 0; round < 100; ++round) {
    Graph graph = makeNodes(12, random);
    addForwardEdges(graph, 2, random);
    for (uint32_t node = 0; node < 12; ++node)
      if (uint32_t group = node % 3; group != 0) {
        graph.nodes[node].instanceOf = group;
        graph.nodes[node].splitPs = graph.nodes[node].durationPs;
      }
    int64_t boundPs = markCriticalPath(graph).boundPs;
    for (unsigned split = 0; split < 20; ++split) {
      Graph truth = graph;
      for (unsigned i = 0; i < 30; ++i) {
        uint32_t from = random() % 12, to = (from + 3) % 12;
        if (from % 3 == 0)
          continue;
        int64_t moved =
            truth.nodes[from].durationPs * int64_t(random() % 5) / 4;
        truth.nodes[from].durationPs -= moved;
        truth.nodes[to].durationPs += moved;
      }
      EXPECT_GE(markCriticalPath(truth).lengthPs, boundPs);
    }
  }
}

TEST(CriticalPath, CountsPlacesOfCalls) {
  // 0 calls 1 twice, 1 calls 2 twice; 3 and 4 call each other, and 5.
  std::vector<std::pair<uint32_t, uint32_t>> calls = {
      {0, 1}, {0, 1}, {1, 2}, {1, 2}, {3, 4}, {4, 3}, {4, 5}, {9, 0}};
  EXPECT_EQ(countCallPlaces(6, calls),
            (std::vector<uint32_t>{1, 2, 4, 0, 0, 0}));
  // 2^40 paths exceed the limit.
  calls.clear();
  for (uint32_t i = 0; i < 40; ++i)
    calls.insert(calls.end(), 2, {i, i + 1});
  EXPECT_EQ(countCallPlaces(41, calls)[40], ~uint32_t(0));
}
