//===- LayoutTest.cpp - Tests of the layout -------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Graph/Layout.h"
#include "TestGraphs.h"
#include "mlir-prof/Graph/ClusterTree.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <cmath>

using namespace mlirprof::graph;

static LayoutSizes makeSizes(const Graph &graph, std::mt19937 &random) {
  LayoutSizes sizes;
  for (size_t i = 0; i < graph.nodes.size(); ++i)
    sizes.nodes.push_back(
        {0, 0, 40.0 + random() % 200, random() % 2 ? 24.0 : 38.0});
  for (size_t i = 0; i < graph.clusters.size(); ++i)
    sizes.titles.push_back({0, 0, 60.0 + random() % 100, 22});
  return sizes;
}

static bool overlap(const Box &a, const Box &b) {
  return a.x < b.right() && b.x < a.right() && a.y < b.bottom() &&
         b.y < a.bottom();
}

static bool contains(const Box &outer, const Box &inner) {
  return outer.x <= inner.x && outer.y <= inner.y &&
         outer.right() >= inner.right() && outer.bottom() >= inner.bottom();
}

/// Boxes directly in a cluster: nodes and frames.
static std::vector<Box> membersOf(const ClusterTree &tree, uint32_t cluster,
                                  const Layout &layout) {
  std::vector<Box> boxes;
  for (uint32_t node : tree.nodesOf(cluster))
    boxes.push_back(layout.nodes[node]);
  for (uint32_t child : tree.childrenOf(cluster))
    if (layout.clusters[child].height > 0)
      boxes.push_back(layout.clusters[child]);
  return boxes;
}

/// Siblings do not overlap, and frames and the picture contain their content.
static void checkBoxes(const Graph &graph, const Layout &layout) {
  ClusterTree tree(graph, kMaxDrawnDepth);
  for (uint32_t cluster = 0; cluster <= tree.getRoot(); ++cluster) {
    Box frame = {0, 0, layout.width, layout.height};
    if (cluster != tree.getRoot())
      frame = layout.clusters[cluster];
    std::vector<Box> boxes = membersOf(tree, cluster, layout);
    for (size_t i = 0; i < boxes.size(); ++i) {
      EXPECT_TRUE(contains(frame, boxes[i]));
      for (size_t j = 0; j < i; ++j)
        EXPECT_FALSE(overlap(boxes[i], boxes[j])) << i << " and " << j;
    }
  }
}

static Point pointOn(Point from, const Segment &segment, double t) {
  if (segment.kind == Segment::Kind::Straight)
    return {from.x + (segment.to.x - from.x) * t,
            from.y + (segment.to.y - from.y) * t};
  double s = 1 - t;
  auto mix = [&](double a, double b, double c, double d) {
    return s * s * s * a + 3 * s * s * t * b + 3 * s * t * t * c +
           t * t * t * d;
  };
  return {mix(from.x, segment.control1.x, segment.control2.x, segment.to.x),
          mix(from.y, segment.control1.y, segment.control2.y, segment.to.y)};
}

/// Lines do not enter boxes or frames of their cluster.
static void checkWires(const Graph &graph, const Layout &layout) {
  ClusterTree tree(graph, kMaxDrawnDepth);
  constexpr int kSamples = 16;
  constexpr double kInside = 0.5;
  for (const Wire &wire : layout.wires) {
    std::vector<Box> boxes = membersOf(tree, wire.cluster, layout);
    Point from = wire.start;
    for (const Segment &segment : wire.segments) {
      for (int i = 0; i <= kSamples; ++i) {
        Point at = pointOn(from, segment, double(i) / kSamples);
        for (const Box &box : boxes) {
          bool inside = at.x > box.x + kInside &&
                        at.x < box.right() - kInside &&
                        at.y > box.y + kInside && at.y < box.bottom() - kInside;
          ASSERT_FALSE(inside) << graph.nodes[wire.source].name;
        }
      }
      from = segment.to;
    }
  }
}

static Layout layOutAndCheck(const Graph &graph, std::mt19937 &random) {
  Layout layout = layOut(graph, makeSizes(graph, random));
  checkBoxes(graph, layout);
  checkWires(graph, layout);
  return layout;
}

TEST(Layout, EdgesGoDown) {
  std::mt19937 random(1);
  for (uint32_t count : {1, 2, 10, 50, 200}) {
    Graph graph = makeNodes(count, random);
    addForwardEdges(graph, 3, random);
    Layout layout = layOutAndCheck(graph, random);
    for (const Edge &edge : graph.edges)
      EXPECT_LT(layout.nodes[edge.from].bottom(), layout.nodes[edge.to].y);
  }
}

TEST(Layout, EveryEdgeIsDrawn) {
  std::mt19937 random(2);
  Graph graph = makeNodes(60, random);
  addForwardEdges(graph, 2, random);
  Layout layout = layOutAndCheck(graph, random);
  for (const Edge &edge : graph.edges) {
    const Box &from = layout.nodes[edge.from], &to = layout.nodes[edge.to];
    bool drawn = std::any_of(
        layout.wires.begin(), layout.wires.end(), [&](const Wire &wire) {
          Point end = wire.segments.back().to;
          return wire.source == edge.from && wire.target == edge.to &&
                 wire.start.y >= from.bottom() - 0.5 &&
                 std::fabs(end.y - to.y) < 0.5 && end.x >= to.x &&
                 end.x <= to.right();
        });
    EXPECT_TRUE(drawn) << edge.from << " to " << edge.to;
  }
}

TEST(Layout, TreesHaveNoCrossings) {
  std::mt19937 random(3);
  for (uint32_t children : {1, 2, 3, 7}) {
    for (bool upward : {false, true}) {
      Graph graph = makeNodes(100, random);
      for (uint32_t i = 1; i < 100; ++i) {
        uint32_t parent = (i - 1) / children;
        graph.edges.push_back(upward ? Edge{i, parent} : Edge{parent, i});
      }
      EXPECT_EQ(layOutAndCheck(graph, random).crossings, 0u);
    }
  }
}

TEST(Layout, StacksAreStraight) {
  std::mt19937 random(8);
  // Layers of a dot, its input, a relu, and an add of the layer before.
  constexpr uint32_t kLayers = 60;
  Graph graph = makeNodes(4 * kLayers, random);
  for (uint32_t layer = 0; layer < kLayers; ++layer) {
    uint32_t first = 4 * layer;
    graph.edges.push_back({first, first + 1});
    graph.edges.push_back({first + 1, first + 2});
    graph.edges.push_back({first + 2, first + 3});
    if (layer) {
      graph.edges.push_back({first - 1, first + 1});
      graph.edges.push_back({first - 1, first + 3});
    }
  }
  Layout layout = layOutAndCheck(graph, random);
  auto middleOf = [&](uint32_t node) {
    return layout.nodes[node].x + layout.nodes[node].width / 2;
  };
  for (uint32_t node = 0; node < 4 * kLayers; ++node)
    if (node % 4 != 0)
      EXPECT_NEAR(middleOf(node), middleOf(1), 0.5) << node;
  // Two boxes of 240 pixels and a line next to them.
  EXPECT_LE(layout.width, 600);
}

TEST(Layout, KnownCrossings) {
  std::mt19937 random(4);
  // Two sources and two sinks, fully connected: one crossing at best.
  Graph square = makeNodes(4, random);
  square.edges = {{0, 2}, {0, 3}, {1, 2}, {1, 3}};
  EXPECT_EQ(layOutAndCheck(square, random).crossings, 1u);
  // Three with three: (3 over 2) squared.
  Graph threes = makeNodes(6, random);
  for (uint32_t from = 0; from < 3; ++from)
    for (uint32_t to = 3; to < 6; ++to)
      threes.edges.push_back({from, to});
  EXPECT_EQ(layOutAndCheck(threes, random).crossings, 9u);
  // A ladder, given in an order that crosses.
  Graph ladder = makeNodes(20, random);
  for (uint32_t i = 0; i < 10; ++i)
    ladder.edges.push_back({i, 19 - i});
  EXPECT_EQ(layOutAndCheck(ladder, random).crossings, 0u);
}

TEST(Layout, Clusters) {
  std::mt19937 random(5);
  for (unsigned round = 0; round < 60; ++round) {
    Graph graph = makeNodes(5 + random() % 60, random);
    addForwardEdges(graph, 2, random);
    addClusters(graph, 1 + random() % 12, random);
    layOutAndCheck(graph, random);
  }
}

TEST(Layout, CyclesAndSelfLoops) {
  std::mt19937 random(6);
  for (unsigned round = 0; round < 60; ++round) {
    uint32_t count = 1 + random() % 40;
    Graph graph = makeNodes(count, random);
    for (uint32_t i = 0; i < count; ++i)
      graph.edges.push_back(
          {uint32_t(random() % count), uint32_t(random() % count)});
    if (round % 2)
      addClusters(graph, 4, random);
    Layout layout = layOutAndCheck(graph, random);
    EXPECT_EQ(layout.undrawnEdges, 0u);
  }
}

TEST(Layout, ExtremeShapes) {
  std::mt19937 random(7);
  EXPECT_GE(layOutAndCheck(makeNodes(0, random), random).width, 0);
  constexpr uint32_t kNodes = 2000;
  Graph chain = makeNodes(kNodes, random), wide = makeNodes(kNodes, random);
  Graph star = makeNodes(kNodes, random), dense = makeNodes(80, random);
  for (uint32_t i = 1; i < kNodes; ++i) {
    chain.edges.push_back({i - 1, i});
    star.edges.push_back({0, i});
  }
  for (uint32_t to = 0; to < 80; ++to)
    for (uint32_t from = 0; from < to; ++from)
      dense.edges.push_back({from, to});
  layOutAndCheck(chain, random);
  checkBoxes(dense, layOut(dense, makeSizes(dense, random)));
  // Checking all pairs of the others takes long; their sizes suffice.
  Layout grid = layOut(wide, makeSizes(wide, random));
  EXPECT_LT(grid.width, 5 * grid.height);
  Layout fan = layOut(star, makeSizes(star, random));
  EXPECT_LT(fan.width, 40000);
}

TEST(Layout, BrokenReferencesAreIgnored) {
  std::mt19937 random(8);
  Graph graph = makeNodes(6, random);
  graph.edges = {{0, 1}, {1, 99}, {99, 1}};
  graph.clusters = {{"own parent", 0, kNoNode},
                    {"later parent", 2, kNoNode},
                    {"stolen owner", kNoCluster, 3},
                    {"same owner", kNoCluster, 3},
                    {"owner inside", kNoCluster, 4}};
  graph.nodes[3].cluster = kNoCluster;
  graph.nodes[4].cluster = 4;
  graph.nodes[5].cluster = 77;
  layOutAndCheck(graph, random);
}

TEST(Layout, DeepNestingIsDissolved) {
  std::mt19937 random(9);
  Graph graph = makeNodes(3, random);
  for (uint32_t i = 0; i < 100000; ++i)
    graph.clusters.push_back({"deep", i ? i - 1 : kNoCluster, kNoNode});
  graph.nodes[1].cluster = 99999;
  graph.edges = {{0, 1}, {1, 2}};
  Layout layout = layOut(graph, makeSizes(graph, random));
  checkBoxes(graph, layout);
  EXPECT_EQ(ClusterTree(graph, kMaxDrawnDepth).getDissolved(),
            100000 - kMaxDrawnDepth);
}
