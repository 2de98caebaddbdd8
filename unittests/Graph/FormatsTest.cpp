//===- FormatsTest.cpp - Tests of the formats -----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestGraphs.h"
#include "mlir-prof/Graph/CriticalPath.h"
#include "mlir-prof/Graph/Format.h"
#include "mlir-prof/Graph/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "gtest/gtest.h"

#include <algorithm>

using namespace mlirprof::graph;

static std::string write(const Graph &graph, llvm::StringRef format,
                         const DrawOptions &options = {}) {
  std::string text;
  llvm::raw_string_ostream os(text);
  findGraphFormat(format)->write(graph, options, os);
  return text;
}

static std::string errorOf(llvm::StringRef text) {
  llvm::Expected<Graph> graph = readMlirGraph(text, "graph.json");
  return graph ? "" : llvm::toString(graph.takeError());
}

static std::vector<std::pair<uint32_t, uint32_t>> sortedEdges(const Graph &g) {
  std::vector<std::pair<uint32_t, uint32_t>> edges;
  for (const Edge &edge : g.edges)
    edges.push_back({edge.from, edge.to});
  llvm::sort(edges);
  return edges;
}

TEST(MlirGraph, KeepsKindFramesAndCertainty) {
  for (GraphKind kind :
       {GraphKind::Unknown, GraphKind::Dataflow, GraphKind::Hlo,
        GraphKind::Overlap, GraphKind::Calls}) {
    Graph graph;
    graph.kind = kind;
    graph.name = "a.mlprof";
    graph.clusters = {{"@f", kNoCluster, kNoNode, false}, {"loop", 0, 1, true}};
    graph.nodes.resize(3);
    for (uint32_t i = 0; i < 3; ++i) {
      graph.nodes[i].id = 10 + i;
      graph.nodes[i].durationPs = 4 * i;
      graph.nodes[i].cluster = i < 2 ? 0 : 1;
    }
    Node &last = graph.nodes.back();
    last.detail = "second";
    last.tooltip = "long\ntext";
    last.measured = last.incidental = true;
    last.estimatedPs = 1;
    last.splitPs = 2;
    last.instanceOf = 11;
    last.places = 0;
    last.calls = 5;
    last.inclusivePs = 99;
    std::string text = write(graph, "mlirgraph");
    llvm::Expected<Graph> back = readMlirGraph(text, "graph.json");
    ASSERT_TRUE(bool(back)) << llvm::toString(back.takeError());
    EXPECT_EQ(back->kind, kind);
    EXPECT_EQ(back->name, "a.mlprof");
    EXPECT_EQ(write(*back, "mlirgraph"), text);
    ASSERT_EQ(back->clusters.size(), 2u);
    EXPECT_EQ(back->clusters[1].parent, 0u);
    EXPECT_EQ(back->clusters[1].owner, 1u);
    EXPECT_TRUE(back->clusters[1].runsInOrder);
    EXPECT_EQ(back->clusters[0].name, "@f");
    const Node &node = back->nodes.back();
    EXPECT_EQ(node.detail, "second");
    EXPECT_EQ(node.tooltip, last.tooltip);
    EXPECT_TRUE(node.measured && node.incidental);
    EXPECT_EQ(node.cluster, 1u);
    EXPECT_EQ(node.estimatedPs, 1);
    EXPECT_EQ(node.splitPs, 2);
    EXPECT_EQ(node.instanceOf, 11u);
    EXPECT_EQ(node.places, 0u);
    EXPECT_EQ(node.calls, 5u);
    EXPECT_EQ(node.inclusivePs, 99);
    EXPECT_EQ(write(*back, "graphml"), write(graph, "graphml"));
    EXPECT_EQ(write(*back, "dot"), write(graph, "dot"));
  }
}

TEST(MlirGraph, RefusesWhatIsNoKindNorFrame) {
  auto read = [](llvm::StringRef more, llvm::StringRef node = "") {
    return errorOf(("{\"version\":\"1.0.0\",\"nodes\":[{\"name\":\"a\","
                    "\"id\":1" +
                    node + "}]" + more + "}")
                       .str());
  };
  EXPECT_EQ(read(",\"kind\":\"hlo\""), "");
  EXPECT_NE(read(",\"kind\":\"other\"").find("kind \"other\""),
            std::string::npos);
  EXPECT_NE(read(",\"kind\":3").find("\"kind\" is not a string"),
            std::string::npos);
  EXPECT_NE(read("", ",\"cluster\":0").find("there is no cluster 0"),
            std::string::npos);
  EXPECT_NE(read(",\"clusters\":[{\"name\":\"c\",\"parent\":0}]")
                .find("earlier cluster"),
            std::string::npos);
  EXPECT_NE(read(",\"clusters\":[{\"name\":\"c\",\"owner\":2}]")
                .find("there is no node with id 2"),
            std::string::npos);
  EXPECT_NE(read("", ",\"measured\":1").find("neither true nor false"),
            std::string::npos);
  EXPECT_NE(read("", ",\"places\":4294967296").find("larger than 32 bits"),
            std::string::npos);
}

TEST(MlirGraph, RoundTrip) {
  std::mt19937 random(1);
  for (unsigned round = 0; round < 30; ++round) {
    Graph graph = makeNodes(random() % 50, random);
    addForwardEdges(graph, 3, random);
    for (Node &node : graph.nodes) {
      node.id = node.id * 7 + 3;
      node.beginPs = int64_t(random()) - 1000000000;
    }
    std::string text = write(graph, "mlirgraph");
    llvm::Expected<Graph> back = readMlirGraph(text, "graph.json");
    ASSERT_TRUE(bool(back)) << llvm::toString(back.takeError());
    ASSERT_EQ(back->nodes.size(), graph.nodes.size());
    for (size_t i = 0; i < graph.nodes.size(); ++i) {
      EXPECT_EQ(back->nodes[i].id, graph.nodes[i].id);
      EXPECT_EQ(back->nodes[i].name, graph.nodes[i].name);
      EXPECT_EQ(back->nodes[i].beginPs, graph.nodes[i].beginPs);
      EXPECT_EQ(back->nodes[i].durationPs, graph.nodes[i].durationPs);
    }
    EXPECT_EQ(sortedEdges(*back), sortedEdges(graph));
    EXPECT_EQ(write(*back, "mlirgraph"), text);
  }
}

TEST(MlirGraph, ExtremeValues) {
  Graph graph;
  Node node;
  node.id = ~uint32_t(0);
  node.beginPs = INT64_MIN;
  node.durationPs = INT64_MAX;
  node.name = "\xFF\"\\\n";
  graph.nodes.push_back(node);
  llvm::Expected<Graph> back = readMlirGraph(write(graph, "mlirgraph"), "");
  ASSERT_TRUE(bool(back)) << llvm::toString(back.takeError());
  EXPECT_EQ(back->nodes[0].id, ~uint32_t(0));
  EXPECT_EQ(back->nodes[0].beginPs, INT64_MIN);
  EXPECT_EQ(back->nodes[0].durationPs, INT64_MAX);
}

TEST(MlirGraph, AnyOrderAndEitherListOfEdges) {
  llvm::Expected<Graph> graph = readMlirGraph(
      R"({"edges": [{"edgeTo": 5, "edgeFrom": 9}, {"edgeFrom": 9, "edgeTo": 5}],
          "nodes": [{"adj": [5, 9], "id": 9, "name": "a", "more": {}},
                    {"id": 5, "name": "b"}], "version": "1.4"})",
      "graph.json");
  ASSERT_TRUE(bool(graph)) << llvm::toString(graph.takeError());
  EXPECT_EQ(sortedEdges(*graph), (std::vector<std::pair<uint32_t, uint32_t>>{
                                     {0, 0}, {0, 1}, {0, 1}}));
}

TEST(MlirGraph, Errors) {
  const char *node = R"({"name": "a", "id": 1)";
  auto with = [&](const std::string &rest) {
    return R"({"version": "1.0.0", "nodes": [)" + (node + rest) + "}]}";
  };
  EXPECT_EQ(errorOf(with("")), "");
  EXPECT_NE(errorOf("").find("not JSON"), std::string::npos);
  EXPECT_NE(errorOf("[]").find("not an object"), std::string::npos);
  EXPECT_NE(errorOf("{}").find("\"version\""), std::string::npos);
  EXPECT_NE(errorOf(R"({"version": "2.0"})").find("2.0"), std::string::npos);
  EXPECT_NE(errorOf(R"({"version": "1.0"})").find("\"nodes\""),
            std::string::npos);
  EXPECT_NE(errorOf(with(R"(, "ts": 1.5)")).find("nodes[0]"),
            std::string::npos);
  EXPECT_NE(errorOf(with(R"(, "adj": [2])")).find("no node with id 2"),
            std::string::npos);
  EXPECT_NE(errorOf(with(R"(, "adj": [18446744073709551615])"))
                .find("no node with id"),
            std::string::npos);
  EXPECT_NE(errorOf(R"({"version": "1", "nodes": [{"name": "a", "id": 1}]})")
                .find("version"),
            std::string::npos);
  EXPECT_NE(errorOf(with(std::string(R"(}, )") + node)).find("occurs twice"),
            std::string::npos);
  EXPECT_NE(errorOf(std::string(100000, '[')).find("not JSON"),
            std::string::npos);
}

TEST(Formats, EveryPrefixIsAnErrorOrAGraph) {
  std::mt19937 random(2);
  Graph graph = makeNodes(4, random);
  addForwardEdges(graph, 2, random);
  std::string text = write(graph, "mlirgraph");
  for (size_t size = 0; size + 2 < text.size(); ++size)
    EXPECT_NE(errorOf(llvm::StringRef(text).take_front(size)), "");
}

TEST(Text, XmlHoldsHostileNames) {
  auto xml = [](llvm::StringRef text) {
    std::string result;
    llvm::raw_string_ostream os(result);
    writeXml(os, text);
    return result;
  };
  EXPECT_EQ(xml("<a & 'b' \"c\">"),
            "&lt;a &amp; &#39;b&#39; &quot;c&quot;&gt;");
  EXPECT_EQ(xml(llvm::StringRef("\0\x1b\x7f", 3)),
            "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(xml("\xC3\xA4\xFF\xC3"), "\xC3\xA4\xEF\xBF\xBD\xEF\xBF\xBD");
  // U+FFFE, and half of a surrogate pair.
  EXPECT_EQ(xml("\xEF\xBF\xBE"), "\xEF\xBF\xBD");
  EXPECT_EQ(xml("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(Text, Fitting) {
  std::string name(1000, 'x');
  std::string cut = fitText(name, 12, 200);
  EXPECT_LE(textWidth(cut, 12), 200);
  EXPECT_GT(textWidth(cut, 12), 180);
  EXPECT_EQ(fitText("short", 12, 200), "short");
  EXPECT_LE(textWidth(fitText(std::string(1 << 20, 'x'), 12, 200), 12), 200);
}

TEST(Heat, ColorsGetDarkerAndStayReadable) {
  for (Palette palette : {Palette::Heat, Palette::Viridis}) {
    HeatScale scale(palette, Scale::Log, 1000, 1000000);
    double before = 2;
    for (int i = 0; i <= 200; ++i) {
      Color color = scale.colorAt(i / 200.0);
      EXPECT_LT(color.luminance(), before);
      before = color.luminance();
      EXPECT_GE(contrast(color, textColorOn(color)), 4.5);
    }
  }
}

TEST(Heat, LogarithmicScale) {
  HeatScale scale(Palette::Heat, Scale::Log, 1000, 1000000);
  EXPECT_EQ(scale.positionOf(0), 0);
  EXPECT_EQ(scale.positionOf(1000), 0);
  EXPECT_EQ(scale.positionOf(1000000), 1);
  EXPECT_NEAR(scale.positionOf(31623), 0.5, 1e-4);
  EXPECT_EQ(HeatScale(Palette::Heat, Scale::Log, 1, 1000000000).getShortest(),
            100000);
  EXPECT_EQ(HeatScale(Palette::Heat, Scale::Log, 5, 5).positionOf(5), 1);
  EXPECT_TRUE(HeatScale(Palette::Heat, Scale::Log, Graph()).isEmpty());
}

TEST(Heat, LinearScale) {
  HeatScale scale(Palette::Heat, Scale::Linear, 1000, 1000000);
  EXPECT_EQ(scale.getShortest(), 0);
  EXPECT_EQ(scale.positionOf(0), 0);
  // A thousandth of the time has a thousandth of the heat.
  EXPECT_NEAR(scale.positionOf(1000), 0.001, 1e-9);
  EXPECT_NEAR(scale.positionOf(500000), 0.5, 1e-9);
  EXPECT_EQ(scale.positionOf(1000000), 1);
  EXPECT_EQ(HeatScale(Palette::Heat, Scale::Linear, 5, 5).positionOf(5), 1);
}

TEST(Text, IsNoNarrowerThanInTheFontsThatStandIn) {
  // Widths in thousandths of the size, as fontTools reads them from DejaVu Sans
  // and DejaVu Sans Bold 2.37.
  EXPECT_GE(textWidth("linalg.matmul", 1000), 6899);
  EXPECT_GE(textWidth("linalg.matmul", 1000, FontWeight::Bold), 7804);
  EXPECT_GE(textWidth("transformer/feed_forward", 1000), 12852);
  EXPECT_GE(textWidth("transformer/feed_forward", 1000, FontWeight::Bold),
            14576);
  EXPECT_GE(textWidth("stablehlo.dot_general \u00b7 1.23 ms", 1000), 15829);
  // And in Helvetica.
  EXPECT_GE(textWidth("linalg.matmul", 1000), 5890);
}

TEST(Text, Shares) {
  EXPECT_EQ(shortShare(0, 1000), "0.0 %");
  EXPECT_EQ(shortShare(1, 100000), "<0.1 %");
  EXPECT_EQ(shortShare(276, 1000), "27.6 %");
  EXPECT_EQ(shortShare(5, 0), "0.0 %");
}

/// `count` layers of three nodes, each of which uses the layer before twice.
static Graph makeStack(uint32_t count) {
  Graph graph;
  graph.name = "stack";
  for (uint32_t layer = 0; layer < count; ++layer) {
    Cluster cluster;
    cluster.name = "layer_" + std::to_string(layer);
    graph.clusters.push_back(cluster);
    for (const char *name : {"dot", "relu", "add"}) {
      Node node;
      node.id = uint32_t(graph.nodes.size());
      node.name = name;
      node.durationPs = 10 + node.id % 3;
      node.measured = true;
      node.cluster = layer;
      graph.nodes.push_back(node);
    }
    uint32_t first = layer * 3;
    graph.edges.push_back({first, first + 1});
    graph.edges.push_back({first + 1, first + 2});
    if (layer) {
      graph.edges.push_back({first - 1, first});
      graph.edges.push_back({first - 1, first + 2});
    }
  }
  return graph;
}

/// The number after `name="` where the picture begins.
static double getAttribute(llvm::StringRef svg, llvm::StringRef name) {
  double value = 0;
  svg.split((name + "=\"").str()).second.split('"').first.getAsDouble(value);
  return value;
}

TEST(Svg, FoldsAStackAndFitsAScreen) {
  Graph graph = makeStack(60);
  std::string folded = write(graph, "svg");
  EXPECT_NE(folded.find("60 \u00d7 layer_0 \u2026 layer_59"),
            std::string::npos);
  EXPECT_NE(folded.find("177 nodes of repeated parts folded"),
            std::string::npos);
  EXPECT_LE(getAttribute(folded, "height"), 1080);
  // Unfolded, but collapsed to fit four screens.
  DrawOptions options;
  options.repeats = Repeats::Unfolded;
  std::string fits = write(graph, "svg", options);
  EXPECT_LE(getAttribute(fits, "data-height"), 4 * 1080);
  EXPECT_NE(fits.find("collapsed into"), std::string::npos);
  options.size = PictureSize::Any;
  std::string whole = write(graph, "svg", options);
  EXPECT_EQ(whole.find("collapsed into"), std::string::npos);
  EXPECT_NE(whole.find("layer_59"), std::string::npos);
}

TEST(Svg, ShowsSharesAndLinesThatAreNotCut) {
  Graph graph = makeStack(1);
  graph.nodes[0].durationPs = 900;
  graph.nodes[1].durationPs = 99;
  graph.nodes[2].durationPs = 1;
  std::string text = write(graph, "svg");
  for (const char *part : {"900 ps \u00b7 90.0 %", "99 ps \u00b7 9.9 %",
                           "1 ps \u00b7 0.1 %", "3 nodes, 3 measured"})
    EXPECT_NE(text.find(part), std::string::npos) << part;
  // The heading's lines are not truncated, and end within the picture.
  llvm::StringRef rest = text;
  while (rest.contains("class=\"line\"")) {
    rest = rest.split("class=\"line\"").second;
    llvm::StringRef line = rest.split('>').second.split('<').first;
    EXPECT_FALSE(line.contains("\u2026"));
    EXPECT_LE(16 + textWidth(line, 12), getAttribute(text, "width"));
  }
}

TEST(Svg, SaysWhatItShows) {
  std::mt19937 random(3);
  Graph graph = makeNodes(1000, random);
  addForwardEdges(graph, 2, random);
  graph.name = "<module>";
  markCriticalPath(graph);
  DrawOptions options;
  options.maxNodes = 100;
  std::string text = write(graph, "svg", options);
  EXPECT_NE(text.find("&lt;module&gt;"), std::string::npos);
  EXPECT_EQ(text.find("<module>"), std::string::npos);
  EXPECT_NE(text.find("1000 nodes, 1000 measured"), std::string::npos);
  EXPECT_NE(text.find("with the least time collapsed into"), std::string::npos);
  EXPECT_NE(text.find("critical path"), std::string::npos);
  options.title = "another";
  EXPECT_NE(write(graph, "svg", options).find(">another<"), std::string::npos);
}

TEST(Formats, AllTakeAnyGraph) {
  std::mt19937 random(4);
  Graph graph = makeNodes(20, random);
  graph.edges = {{0, 0}, {1, 2}, {2, 1}, {3, 4}, {3, 4}};
  addClusters(graph, 5, random);
  graph.nodes[3].name = std::string("\0<\"\\&\n", 6);
  graph.clusters[1].name = "]]>\x01";
  for (const GraphFormat &format : getGraphFormats()) {
    EXPECT_FALSE(write(graph, format.name).empty());
    EXPECT_FALSE(write(Graph(), format.name).empty());
    EXPECT_EQ(findGraphFormat(format.name)->write, format.write);
  }
  EXPECT_EQ(findGraphFormat("png"), nullptr);
}
