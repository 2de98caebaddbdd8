//===- GraphTest.cpp - Modules as graphs ----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recordings.h"
#include "mlir-prof/Graph/CriticalPath.h"
#include "mlir-prof/Match/ModuleGraph.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::graph;
using namespace mlirprof::match;
using namespace mlirprof::profile;
using namespace mlirprof::test;
using llvm::StringRef;

namespace {

Graph build(const std::string &text) {
  LoadedModule module = parseText(text);
  if (!module.root)
    return {};
  Profile profile;
  Ownership ownership = matchProfile(profile, *module.root);
  return buildDataflowGraph(*module.root, ownership,
                            attribute(profile, ownership));
}

/// Edges as "from>to" by op names.
std::set<std::string> getEdges(const Graph &graph) {
  std::set<std::string> edges;
  for (Edge edge : graph.edges)
    edges.insert(graph.nodes[edge.from].name + ">" + graph.nodes[edge.to].name);
  return edges;
}

TEST(GraphTest, EdgesGoThroughCallsAndDropConstants) {
  Graph graph = build(R"(
module {
  func.func @main(%x: f32) -> f32 {
    %c = arith.constant 1.0 : f32
    %0 = "x.a"(%x, %c) : (f32, f32) -> f32
    %1 = call @f(%0) : (f32) -> f32
    %2 = "x.d"(%1) : (f32) -> f32
    return %2 : f32
  }
  func.func private @f(%y: f32) -> f32 {
    %0 = "x.b"(%y) : (f32) -> f32
    return %0 : f32
  }
})");
  EXPECT_EQ(getEdges(graph),
            (std::set<std::string>{"x.a>func.call", "func.call>x.d", "x.a>x.b",
                                   "x.b>x.d"}));
  EXPECT_EQ(graph.nodes.size(), 4u);
  ASSERT_EQ(graph.clusters.size(), 2u);
  EXPECT_EQ(graph.clusters[0].name, "@main");
  EXPECT_EQ(graph.clusters[1].name, "@f");
}

TEST(GraphTest, LoopsAreFramesAndBodiesAreConnected) {
  Graph graph = build(R"(
module {
  func.func @main(%x: f32) -> f32 {
    %0 = "x.a"(%x) : (f32) -> f32
    %1 = "stablehlo.while"(%0) ({
    ^bb0(%y: f32):
      %c = "x.cond"(%y) : (f32) -> i1
      "stablehlo.return"(%c) : (i1) -> ()
    }, {
    ^bb0(%y: f32):
      %z = "x.body"(%y) : (f32) -> f32
      "stablehlo.return"(%z) : (f32) -> ()
    }) : (f32) -> f32
    %2 = "x.d"(%1) : (f32) -> f32
    return %2 : f32
  }
})");
  std::set<std::string> edges = getEdges(graph);
  EXPECT_TRUE(edges.count("x.a>x.body"));
  EXPECT_TRUE(edges.count("x.body>x.d"));
  EXPECT_TRUE(edges.count("x.a>stablehlo.while"));
  // The function, the loop, and its condition and body.
  ASSERT_EQ(graph.clusters.size(), 4u);
  EXPECT_EQ(graph.clusters[2].parent, 1u);
  EXPECT_EQ(graph.clusters[3].parent, 1u);
  ASSERT_NE(graph.clusters[1].owner, kNoNode);
  EXPECT_EQ(graph.nodes[graph.clusters[1].owner].name, "stablehlo.while");
}

TEST(GraphTest, ScopesNestAndReductionsAreFolded) {
  Graph graph = build(R"(
module {
  func.func @main(%x: tensor<4xf32>, %i: tensor<f32>) {
    %0 = "stablehlo.reduce"(%x, %i) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%s) : (tensor<f32>) -> ()
    }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32> loc("jit(f)/enc/sum")
    return
  }
})");
  ASSERT_EQ(graph.nodes.size(), 1u);
  EXPECT_EQ(graph.nodes[0].detail, "sum");
  ASSERT_EQ(graph.clusters.size(), 3u);
  EXPECT_EQ(graph.clusters[1].name, "jit(f)");
  EXPECT_EQ(graph.clusters[2].name, "enc");
  EXPECT_EQ(graph.clusters[2].parent, 1u);
  EXPECT_EQ(graph.nodes[0].cluster, 2u);
}

/// A graph with `instances` of calls, in which each op "x.work" took 12 ps.
Graph buildInstances(const std::string &text, CallDrawing drawing) {
  LoadedModule module = parseText(text);
  EXPECT_TRUE(module.root);
  if (!module.root)
    return {};
  Profile profile;
  Ownership ownership = matchProfile(profile, *module.root);
  Attribution attribution = attribute(profile, ownership);
  for (auto [op, time] : llvm::zip_equal(ownership.ops, attribution.ops))
    if (op.op == "x.work") {
      time.count = 1;
      time.solePs = 12;
    }
  return buildDataflowGraph(*module.root, ownership, attribution, drawing);
}

TEST(GraphTest, IndependentCallsAreInstancesSideBySide) {
  const char *text = R"(
module {
  func.func private @f(%y: f32) -> f32 {
    %0 = "x.work"(%y) : (f32) -> f32
    %1 = "x.work"(%0) : (f32) -> f32
    return %1 : f32
  }
  func.func @main(%x: f32, %y: f32) -> (f32, f32) {
    %a = call @f(%x) : (f32) -> f32 loc("a")
    %b = call @f(%y) : (f32) -> f32 loc("b")
    return %a, %b : f32, f32
  }
})";
  Graph once = buildInstances(text, CallDrawing::Once);
  EXPECT_EQ(markCriticalPath(once).lengthPs, 24);
  Graph graph = buildInstances(text, CallDrawing::Instances);
  EXPECT_EQ(graph.nodes.size(), once.nodes.size() + 2);
  ASSERT_EQ(graph.clusters.size(), 3u);
  EXPECT_EQ(graph.clusters[0].name, "@f by a");
  EXPECT_EQ(graph.clusters[2].name, "@f by b");
  // Two calls have 6 ps each in two ops of 12 ps: 12 along one of them.
  CriticalPath path = markCriticalPath(graph);
  EXPECT_EQ(path.lengthPs, 12);
  EXPECT_EQ(path.boundPs, 12);
}

TEST(GraphTest, CallsOneAfterAnotherStaySerial) {
  Graph graph = buildInstances(R"(
module {
  func.func private @f(%y: f32) -> f32 {
    %0 = "x.work"(%y) : (f32) -> f32
    return %0 : f32
  }
  func.func private @g(%y: f32) -> f32 {
    %0 = call @f(%y) : (f32) -> f32
    %1 = call @f(%0) : (f32) -> f32
    return %1 : f32
  }
  func.func @main(%x: f32) -> f32 {
    %0 = call @g(%x) : (f32) -> f32
    %1 = call @g(%0) : (f32) -> f32
    return %1 : f32
  }
})",
                               CallDrawing::Instances);
  // Four times through @f, 3 ps each.
  CriticalPath path = markCriticalPath(graph);
  EXPECT_EQ(llvm::count_if(graph.nodes,
                           [](const Node &n) { return n.name == "x.work"; }),
            4);
  EXPECT_EQ(path.lengthPs, 12);
  EXPECT_EQ(path.boundPs, 12);
}

TEST(GraphTest, RecursionAndManyPathsStandByThemselves) {
  // @r calls itself; nothing about it is certain.
  Graph graph = buildInstances(R"(
module {
  func.func private @r(%y: f32) -> f32 {
    %0 = "x.work"(%y) : (f32) -> f32
    %1 = call @r(%0) : (f32) -> f32
    return %1 : f32
  }
  func.func @main(%x: f32) -> f32 {
    %0 = call @r(%x) : (f32) -> f32
    return %0 : f32
  }
})",
                               CallDrawing::Instances);
  CriticalPath path = markCriticalPath(graph);
  EXPECT_EQ(path.lengthPs, 12);
  EXPECT_EQ(path.boundPs, 0);

  // 2^20 paths through twenty functions.
  std::string text = "module {\nfunc.func @f0(%x: f32) -> f32 {\n"
                     "  %0 = \"x.work\"(%x) : (f32) -> f32\n"
                     "  return %0 : f32\n}\n";
  for (int i = 1; i <= 20; ++i) {
    std::string callee = "@f" + std::to_string(i - 1);
    text += "func.func @f" + std::to_string(i) +
            "(%x: f32) -> f32 {\n  %0 = call " + callee +
            "(%x) : (f32) -> f32\n  %1 = call " + callee +
            "(%0) : (f32) -> f32\n  return %1 : f32\n}\n";
  }
  graph = buildInstances(text + "}", CallDrawing::Instances);
  EXPECT_LT(graph.nodes.size(), size_t(1) << 17);
  path = markCriticalPath(graph);
  EXPECT_EQ(path.lengthPs, 12);
  EXPECT_EQ(path.boundPs, 0);
}

TEST(GraphTest, RecordingsAreWellFormedAndKeepAllTime) {
  for (const std::string &recording : getRecordings()) {
    SCOPED_TRACE(recording);
    Profile profile = loadProfile(recording);
    LoadedModule module = loadModule(getPath(recording, "model.generic.mlir"));
    ASSERT_TRUE(module.root);
    Ownership ownership = matchProfile(profile, *module.root);
    Attribution attribution = attribute(profile, ownership);
    Graph graph = buildDataflowGraph(*module.root, ownership, attribution);
    int64_t drawn = 0, total = 0;
    std::set<uint32_t> ids;
    for (const Node &node : graph.nodes) {
      drawn += node.durationPs;
      EXPECT_TRUE(ids.insert(node.id).second);
      ASSERT_LT(node.id, ownership.ops.size());
      EXPECT_EQ(node.name, ownership.ops[node.id].op);
      EXPECT_TRUE(node.cluster == kNoCluster ||
                  node.cluster < graph.clusters.size());
    }
    for (const OpTime &op : attribution.ops)
      total += op.totalPs();
    EXPECT_EQ(drawn, total);
    for (size_t i = 0; i < graph.clusters.size(); ++i)
      EXPECT_TRUE(graph.clusters[i].parent == kNoCluster ||
                  graph.clusters[i].parent < i);
    for (Edge edge : graph.edges) {
      ASSERT_LT(edge.from, graph.nodes.size());
      ASSERT_LT(edge.to, graph.nodes.size());
      EXPECT_NE(edge.from, edge.to);
    }
  }
}

/// Adds `timePs` of an instruction in a dispatch, which belongs to the op at
/// position `op` of the module.
void addTime(Profile &profile, Ownership &ownership, uint32_t instruction,
             uint32_t instance, uint32_t op, int64_t timePs) {
  OpSummary &summary = profile.runs.front().ops.emplace_back();
  summary.op = uint32_t(profile.opKeys.size());
  summary.get(Quantity::Execute).add(timePs);
  CodeKey key{"p", instruction};
  key.instance = instance;
  profile.opKeys.push_back(
      OpKey("k+" + std::to_string(profile.opKeys.size()), "", key));
  Match &match = ownership.matches.emplace_back();
  match.matchClass = MatchClass::Unique;
  match.ops = {op};
  match.weights = {1};
}

TEST(GraphTest, DispatchesHaveTheBeginsOfTheirKernels) {
  LoadedModule module = parseText(R"(
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = dispatch.run @k ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>)
    {instance = 0 : i32} -> tensor<4xf32>
  %1 = dispatch.run @k ins(%0 : tensor<4xf32>) outs(%y : tensor<4xf32>)
    {instance = 1 : i32} -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @k(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32>
    attributes {dispatch.kernel} {
  %0 = "x.a"(%x, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
)");
  ASSERT_TRUE(module.root);
  Profile profile;
  Program &program = profile.programs.emplace_back();
  program.fingerprint = "p";
  program.levels = {"dispatch"};
  program.nodes.resize(4);
  for (uint32_t node : {0u, 1u, 2u})
    program.nodes[node].kind =
        node == 0 ? NodeKind::Function : NodeKind::Operation;
  program.nodes[1].container = program.nodes[2].container = 0;
  program.nodes[3].kind = NodeKind::Function;
  ProgramNode &inner = program.nodes.emplace_back();
  inner.kind = NodeKind::Operation;
  inner.container = 3;
  program.instructions.resize(2);
  program.instructions[0].node = 3;
  program.instructions[1].node = 4;
  program.instances.resize(2);
  for (uint32_t instance : {0u, 1u}) {
    program.instances[instance].node = 1 + instance;
    program.instances[instance].kernel = 3;
  }
  profile.runs.emplace_back();
  Ownership ownership = matchProfile(Profile(), *module.root);
  uint32_t kernel = 0;
  while (ownership.ops[kernel].op != "x.a")
    ++kernel;
  // Its begin ran for the second dispatch alone.
  addTime(profile, ownership, 1, 0, kernel, 100);
  addTime(profile, ownership, 1, 1, kernel, 300);
  addTime(profile, ownership, 0, 1, kernel - 1, 40);
  Graph graph = buildDataflowGraph(
      *module.root, ownership, attribute(profile, ownership),
      CallDrawing::Instances, &profile, KernelDrawing::Folded);
  std::vector<int64_t> times;
  for (const Node &node : graph.nodes)
    if (node.name == "dispatch.run")
      times.push_back(node.durationPs);
  EXPECT_EQ(times, (std::vector<int64_t>{100, 340}));
}

} // namespace
