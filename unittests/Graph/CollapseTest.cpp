//===- CollapseTest.cpp - Tests of collapsing -----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Graph/Collapse.h"
#include "TestGraphs.h"
#include "gtest/gtest.h"

#include <algorithm>

using namespace mlirprof::graph;

/// Nothing is lost: every node is shown, and every box has the time and the
/// number of what it stands for.
static void checkTotals(const Graph &graph, const CollapsedGraph &collapsed) {
  ASSERT_EQ(collapsed.shownBy.size(), graph.nodes.size());
  std::vector<int64_t> times(collapsed.graph.nodes.size());
  std::vector<uint32_t> counts(collapsed.graph.nodes.size());
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    ASSERT_LT(collapsed.shownBy[i], collapsed.graph.nodes.size());
    times[collapsed.shownBy[i]] += graph.nodes[i].durationPs;
    ++counts[collapsed.shownBy[i]];
  }
  for (size_t i = 0; i < times.size(); ++i) {
    const Node &node = collapsed.graph.nodes[i];
    EXPECT_EQ(node.durationPs, times[i]);
    EXPECT_EQ(std::max(node.hidden, 1u), counts[i]);
  }
  EXPECT_EQ(totalTime(collapsed.graph), totalTime(graph));
}

TEST(Collapse, SmallGraphsStayAsTheyAre) {
  std::mt19937 random(1);
  Graph graph = makeNodes(50, random);
  addForwardEdges(graph, 2, random);
  addClusters(graph, 5, random);
  CollapsedGraph collapsed = collapse(graph, {});
  checkTotals(graph, collapsed);
  EXPECT_TRUE(collapsed.notes.empty());
  EXPECT_EQ(collapsed.graph.nodes.size(), graph.nodes.size());
}

TEST(Collapse, KeepsTotalsAndTheHottest) {
  std::mt19937 random(2);
  for (unsigned round = 0; round < 40; ++round) {
    Graph graph = makeNodes(2000, random);
    addForwardEdges(graph, 3, random);
    if (round % 2)
      addClusters(graph, 1 + random() % 60, random);
    uint32_t hottest = uint32_t(random() % 2000);
    graph.nodes[hottest].durationPs = 1000000;
    DrawOptions options;
    options.maxNodes = 20 + random() % 200;
    CollapsedGraph collapsed = collapse(graph, options);
    checkTotals(graph, collapsed);
    EXPECT_FALSE(collapsed.notes.empty());
    EXPECT_LE(collapsed.graph.nodes.size(), options.maxNodes + 12);
    if (round % 2 == 0)
      EXPECT_EQ(collapsed.graph.nodes[collapsed.shownBy[hottest]].hidden, 0u);
  }
}

TEST(Collapse, RegionsFirst) {
  std::mt19937 random(3);
  Graph graph = makeNodes(400, random);
  for (uint32_t cluster = 0; cluster < 4; ++cluster)
    graph.clusters.push_back({"f" + std::to_string(cluster)});
  for (uint32_t i = 0; i < 400; ++i)
    graph.nodes[i].cluster = i / 100;
  graph.nodes[250].durationPs = 1000000;
  DrawOptions options;
  options.maxNodes = 120;
  options.collapse = CollapseMode::Regions;
  CollapsedGraph collapsed = collapse(graph, options);
  checkTotals(graph, collapsed);
  // The hottest function is open, the others are a box each.
  EXPECT_EQ(collapsed.graph.nodes.size(), 103u);
  EXPECT_EQ(collapsed.graph.clusters.size(), 1u);
  EXPECT_EQ(collapsed.graph.clusters[0].name, "f2");
}

TEST(Collapse, HottestDissolvesClusters) {
  std::mt19937 random(4);
  Graph graph = makeNodes(500, random);
  addClusters(graph, 10, random);
  DrawOptions options;
  options.maxNodes = 50;
  options.collapse = CollapseMode::Hottest;
  CollapsedGraph collapsed = collapse(graph, options);
  checkTotals(graph, collapsed);
  EXPECT_TRUE(collapsed.graph.clusters.empty());
}

TEST(Collapse, NothingWhenAskedSo) {
  std::mt19937 random(5);
  Graph graph = makeNodes(1000, random);
  DrawOptions options;
  options.maxNodes = 10;
  options.collapse = CollapseMode::None;
  EXPECT_EQ(collapse(graph, options).graph.nodes.size(), 1000u);
}

TEST(Collapse, EdgesOfBoxesAreLimitedAndSaid) {
  std::mt19937 random(6);
  Graph graph = makeNodes(5000, random);
  for (unsigned i = 0; i < 50000; ++i)
    graph.edges.push_back(
        {uint32_t(random() % 5000), uint32_t(random() % 5000)});
  DrawOptions options;
  options.maxNodes = 100;
  CollapsedGraph collapsed = collapse(graph, options);
  size_t ofBoxes =
      std::count_if(collapsed.graph.edges.begin(), collapsed.graph.edges.end(),
                    [&](const Edge &edge) {
                      return collapsed.graph.nodes[edge.from].hidden ||
                             collapsed.graph.nodes[edge.to].hidden;
                    });
  EXPECT_LE(ofBoxes, 200u);
  EXPECT_NE(collapsed.notes.back().find("not drawn"), std::string::npos);
}
