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

/// Nothing is lost: every node is shown, and every box has the total time and
/// number of its nodes.
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
    EXPECT_EQ(std::max({node.hidden, node.repeats, 1u}), counts[i]);
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
  // No room for a part of what is closed.
  options.maxNodes = 105;
  CollapsedGraph collapsed = collapse(graph, options);
  checkTotals(graph, collapsed);
  // The hottest function is open, the others are a box each.
  EXPECT_EQ(collapsed.graph.nodes.size(), 103u);
  EXPECT_EQ(collapsed.graph.clusters.size(), 1u);
  EXPECT_EQ(collapsed.graph.clusters[0].name, "f2");
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

/// `count` times dot and add, with a constant for some of the dots.
static Graph makeLayers(uint32_t count, uint32_t oddLayer) {
  Graph graph;
  uint32_t before = kNoNode;
  auto add = [&](const std::string &name, std::vector<uint32_t> from) {
    Node node;
    node.id = uint32_t(graph.nodes.size());
    node.name = name;
    node.durationPs = 100 + node.id;
    node.measured = true;
    graph.nodes.push_back(node);
    for (uint32_t source : from)
      if (source != kNoNode)
        graph.edges.push_back({source, node.id});
    return node.id;
  };
  for (uint32_t layer = 0; layer < count; ++layer) {
    uint32_t weight =
        layer % 3 ? add("constant." + std::to_string(layer), {}) : kNoNode;
    uint32_t dot = add("dot." + std::to_string(layer), {before, weight});
    uint32_t act = add(layer == oddLayer ? "tanh" : "relu", {dot});
    before = add("add." + std::to_string(layer), {act, before});
  }
  return graph;
}

TEST(Collapse, FoldsRepeats) {
  Graph graph = makeLayers(60, kNoNode);
  CollapsedGraph folded = collapse(graph, {});
  checkTotals(graph, folded);
  // One layer of four nodes for sixty.
  ASSERT_EQ(folded.graph.nodes.size(), 4u);
  ASSERT_EQ(folded.graph.clusters.size(), 1u);
  EXPECT_EQ(folded.graph.clusters[0].name, "60 \u00d7 3 nodes");
  EXPECT_EQ(folded.graph.edges.size(), 3u);
  EXPECT_EQ(folded.notes.size(), 1u);
  for (const Node &node : folded.graph.nodes)
    EXPECT_EQ(node.repeats, node.name.rfind("constant", 0) == 0 ? 40u : 60u);

  // A different layer separates the others.
  Graph odd = makeLayers(60, 20);
  CollapsedGraph parted = collapse(odd, {});
  checkTotals(odd, parted);
  ASSERT_EQ(parted.graph.clusters.size(), 2u);
  EXPECT_LE(parted.graph.nodes.size(), 12u);

  DrawOptions options;
  options.repeats = Repeats::Unfolded;
  EXPECT_EQ(collapse(graph, options).graph.nodes.size(), graph.nodes.size());
  // Parts that do not feed the next one are not a stack.
  graph.edges.clear();
  EXPECT_EQ(collapse(graph, {}).graph.nodes.size(), graph.nodes.size());
}

TEST(Collapse, FoldsAnyGraphWithoutLosingTime) {
  std::mt19937 random(8);
  for (unsigned round = 0; round < 200; ++round) {
    Graph graph = makeNodes(8 + random() % 60, random);
    for (Node &node : graph.nodes) {
      node.name = random() % 5 ? "a" : "b";
      node.incidental = random() % 7 == 0;
    }
    for (uint32_t i = 1; i < graph.nodes.size(); ++i)
      graph.edges.push_back({i - 1, i});
    addForwardEdges(graph, round % 2, random);
    if (round % 3)
      addClusters(graph, 1 + random() % 6, random);
    CollapsedGraph folded = collapse(graph, {});
    checkTotals(graph, folded);
    for (const Edge &edge : folded.graph.edges) {
      EXPECT_LT(edge.from, folded.graph.nodes.size());
      EXPECT_LT(edge.to, folded.graph.nodes.size());
    }
  }
}
