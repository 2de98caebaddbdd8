//===- ModelsTest.cpp - Tests of HLO graphs and overlap levels ------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Graph/CallGraph.h"
#include "mlir-prof/Graph/CriticalPath.h"
#include "mlir-prof/Graph/HloGraph.h"
#include "mlir-prof/Graph/OverlapGraph.h"
#include "mlir-prof/Trace/Time.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <random>

using namespace mlirprof;
using namespace mlirprof::graph;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

namespace {

/// Writes modules computation by computation.
struct ModuleWriter {
  HloModule module;

  void computation(const char *name, int64_t id) {
    HloComputation computation;
    computation.name = name;
    computation.id = id;
    computation.firstInstruction = uint32_t(module.instructions.size());
    module.computations.push_back(computation);
  }
  void instruction(const char *name, const char *opcode, int64_t id,
                   std::vector<int64_t> operands = {},
                   std::vector<int64_t> called = {}) {
    HloInstruction instruction;
    instruction.name = name;
    instruction.opcode = opcode;
    instruction.id = id;
    instruction.shape = {11, {2, 3}, {}};
    instruction.operandIds = std::move(operands);
    instruction.calledComputationIds = std::move(called);
    instruction.computation = uint32_t(module.computations.size() - 1);
    module.instructions.push_back(instruction);
    ++module.computations.back().size;
  }
};

} // namespace

static HloModule makeModule() {
  ModuleWriter writer;
  writer.module.name = "jit_f";
  writer.module.programId = 7;
  writer.computation("fused", 1);
  writer.instruction("p.0", "parameter", 10);
  writer.instruction("add.1", "add", 11, {10, 10});
  writer.computation("cond", 2);
  writer.instruction("p.2", "parameter", 12);
  writer.computation("body", 3);
  writer.instruction("p.3", "parameter", 13);
  writer.computation("region", 4);
  writer.instruction("p.4", "parameter", 14);
  writer.computation("main", 5);
  writer.instruction("arg", "parameter", 15);
  writer.instruction("fusion", "fusion", 16, {15}, {1});
  writer.instruction("while", "while", 17, {16}, {2, 3});
  writer.instruction("reduce.1", "reduce", 18, {17}, {4});
  writer.instruction("reduce.2", "reduce", 19, {18, 999}, {4});
  writer.module.entryComputationId = 5;
  return writer.module;
}

static const Cluster *findCluster(const Graph &graph, llvm::StringRef name) {
  for (const Cluster &cluster : graph.clusters)
    if (cluster.name == name)
      return &cluster;
  return nullptr;
}

TEST(HloGraph, ComputationsBecomeClusters) {
  HloModule module = makeModule();
  Profile profile;
  Graph graph = buildHloGraph(module, profile);
  ASSERT_EQ(graph.nodes.size(), module.instructions.size());
  EXPECT_EQ(graph.clusters.front().name, "main");
  EXPECT_EQ(graph.clusters.front().parent, kNoCluster);
  for (uint32_t i = 0; i < graph.clusters.size(); ++i)
    EXPECT_TRUE(graph.clusters[i].parent == kNoCluster ||
                graph.clusters[i].parent < i);

  const Cluster *fused = findCluster(graph, "fused");
  ASSERT_TRUE(fused);
  EXPECT_EQ(graph.nodes[fused->owner].name, "fusion");
  EXPECT_EQ(fused->parent, 0u);
  // Two computations of one instruction are frames in its frame.
  const Cluster *body = findCluster(graph, "body");
  ASSERT_TRUE(body);
  EXPECT_EQ(body->owner, kNoNode);
  EXPECT_EQ(graph.nodes[graph.clusters[body->parent].owner].name, "while");
  EXPECT_EQ(findCluster(graph, "cond")->parent, body->parent);
  // Called from two places: separate.
  EXPECT_EQ(findCluster(graph, "region")->parent, kNoCluster);
  EXPECT_EQ(graph.edges.size(), 6u);
  EXPECT_EQ(graph.nodes[1].detail, "add f32[2,3]");
}

TEST(HloGraph, TimesOfTheRightModule) {
  HloModule module = makeModule();
  Profile profile;
  profile.hloModules = {module, module};
  profile.hloModules[1].programId = 8;
  auto addOp = [&](const char *op, int64_t program, int64_t begin,
                   int64_t execute, int64_t self) {
    profile.opKeys.emplace_back(op, "", HloInstructionKey{"jit_f", program});
    OpSummary summary;
    summary.op = uint32_t(profile.opKeys.size() - 1);
    summary.firstBeginPs = begin;
    summary.get(Quantity::Execute).add(execute);
    summary.get(Quantity::Self).add(self);
    profile.runs.resize(1);
    profile.runs[0].ops.push_back(summary);
  };
  addOp("fusion", 7, 100, 50, 40);
  addOp("while", 8, 5, 60, 60);
  addOp("no such", 7, 5, 60, 60);
  Graph graph = buildHloGraph(profile.hloModules[0], profile);
  for (const Node &node : graph.nodes) {
    EXPECT_EQ(node.measured, node.name == "fusion");
    EXPECT_EQ(node.durationPs, node.name == "fusion" ? 40 : 0);
    EXPECT_EQ(node.beginPs, node.name == "fusion" ? 100 : 0);
  }
}

TEST(HloGraph, HostileModules) {
  Profile profile;
  ModuleWriter writer;
  writer.computation("self", 1);
  writer.instruction("a", "call", 10, {10, 11}, {1});
  writer.computation("ring", 2);
  writer.instruction("b", "call", 11, {}, {3});
  writer.computation("other", 3);
  writer.instruction("c", "call", 12, {}, {2});
  Graph graph = buildHloGraph(writer.module, profile);
  EXPECT_EQ(graph.clusters.size(), 3u);

  writer.module.computations[0].size = ~uint32_t(0);
  writer.module.computations[1].firstInstruction = 1000;
  for (HloComputation &computation : writer.module.computations)
    computation.id = 1;
  graph = buildHloGraph(writer.module, profile);
  EXPECT_EQ(graph.nodes.size(), 3u);
  EXPECT_TRUE(buildHloGraph(HloModule(), profile).nodes.empty());
}

/// The rule as stated, comparing every pair.
static std::vector<uint32_t> levelsByPairs(llvm::ArrayRef<int64_t> begins,
                                           llvm::ArrayRef<int64_t> durations) {
  std::vector<std::vector<size_t>> levels;
  std::vector<uint32_t> result;
  for (size_t i = 0; i < begins.size(); ++i) {
    auto overlaps = [&](size_t j) {
      return std::max(begins[i], begins[j]) <
             std::min(begins[i] + durations[i], begins[j] + durations[j]);
    };
    if (levels.empty() || !llvm::all_of(levels.back(), overlaps))
      levels.emplace_back();
    levels.back().push_back(i);
    result.push_back(uint32_t(levels.size() - 1));
  }
  return result;
}

TEST(OverlapLevels, EqualsAllPairsCompared) {
  std::mt19937 random(1);
  for (unsigned round = 0; round < 300; ++round) {
    std::vector<int64_t> begins, durations;
    for (unsigned i = random() % 40; i > 0; --i) {
      begins.push_back(random() % 60);
      durations.push_back(random() % 25);
    }
    llvm::sort(begins);
    EXPECT_EQ(computeOverlapLevels({begins, durations}),
              levelsByPairs(begins, durations));
  }
}

static Profile makeKept(llvm::ArrayRef<int64_t> begins, int64_t duration) {
  Profile profile;
  profile.strings = {"event"};
  Run run;
  run.source = "x.pb";
  run.tracks.resize(1);
  run.tracks[0].name = "thread";
  for (int64_t begin : begins) {
    run.kept.track.push_back(0);
    run.kept.name.push_back(0);
    run.kept.op.push_back(begin % 2 ? kNone : 0);
    run.kept.beginPs.push_back(begin);
    run.kept.durationPs.push_back(duration);
  }
  run.steps.push_back({4, 0, 20, 0, 0});
  run.steps.push_back({5, 20, 20, 0, 0});
  profile.runs.push_back(std::move(run));
  return profile;
}

TEST(OverlapGraph, LevelsAndEdges) {
  Profile profile = makeKept({0, 1, 2, 20, 22, 24}, 10);
  EventOptions options;
  options.events = EventKind::All;
  llvm::Expected<Graph> graph = buildOverlapGraph(profile, 0, options);
  ASSERT_TRUE(bool(graph));
  EXPECT_EQ(graph->nodes.size(), 6u);
  // Two levels of three, fully connected.
  EXPECT_EQ(graph->edges.size(), 9u);
  EXPECT_EQ(graph->nodes[3].beginPs, 20);
  EXPECT_EQ(graph->nodes[3].detail, "thread");

  options.step = 5;
  graph = buildOverlapGraph(profile, 0, options);
  ASSERT_TRUE(bool(graph));
  EXPECT_EQ(graph->nodes.size(), 3u);
  EXPECT_TRUE(graph->edges.empty());
  options.events = EventKind::Ops;
  options.step.reset();
  EXPECT_EQ(llvm::cantFail(buildOverlapGraph(profile, 0, options)).nodes.size(),
            5u);
}

TEST(OverlapGraph, LargeLevelsHaveFewEdges) {
  std::vector<int64_t> begins(20000, 0);
  begins.resize(40000, 100);
  Profile profile = makeKept(begins, 10);
  EXPECT_EQ(llvm::cantFail(buildOverlapGraph(profile, 0)).edges.size(), 39999u);
}

static std::string errorOf(const Profile &profile, uint32_t run,
                           const EventOptions &options = {}) {
  llvm::Expected<Graph> graph = buildOverlapGraph(profile, run, options);
  return graph ? "" : llvm::toString(graph.takeError());
}

TEST(OverlapGraph, Errors) {
  Profile profile = makeKept({1, 3}, 10);
  EXPECT_NE(errorOf(profile, 1).find("no run 1"), std::string::npos);
  EXPECT_NE(errorOf(profile, 0).find("none of the kept events"),
            std::string::npos);
  EventOptions options;
  options.step = 9;
  EXPECT_NE(errorOf(profile, 0, options).find("no step 9"), std::string::npos);
  profile.runs[0].kept = {};
  EXPECT_NE(errorOf(profile, 0).find("--keep-events"), std::string::npos);
}

TEST(KeptEvents, KnowPythonFunctionsByName) {
  for (const char *name :
       {"$api.py:2490 try_to_block", "$builtins isinstance",
        "torch/nn/modules/module.py(1782): _call_impl", "<string>(1): <module>",
        "<frozen importlib._bootstrap>(1007): _find_and_load",
        "<built-in function linear>", "nn.Module: Linear_0",
        "forward (/home/me/models.py:12)"})
    EXPECT_TRUE(isPythonFunction(name)) << name;
  for (const char *name :
       {"aten::addmm", "ProfilerStep#3", "dot.5", "$", "$x", "f (1)",
        "ynn_fusion.1", "ThunkExecutor::Execute (wait for completion)",
        "operator(): x", "", "(1):", "a.py:12"})
    EXPECT_FALSE(isPythonFunction(name)) << name;
}

TEST(CallGraph, NestsEventsOfEachThread) {
  Profile profile;
  profile.strings = {"a.py(1): f", "a.py(2): g", "a.py(3): h", "aten::mm"};
  profile::Run &run = profile.runs.emplace_back();
  run.source = "trace.json";
  run.tracks.resize(2);
  run.tracks[0].name = "main";
  run.tracks[1].name = "worker";
  auto add = [&](uint32_t track, uint32_t name, int64_t begin, int64_t end) {
    run.kept.track.push_back(track);
    run.kept.name.push_back(name);
    run.kept.op.push_back(name == 3 ? 0 : kNone);
    run.kept.beginPs.push_back(begin);
    run.kept.durationPs.push_back(end - begin);
  };
  // f(0..100) { g(10..40) { mm(20..30) } g(50..90) { h(60..70) } }, f again,
  // and h on the other thread, half of which lies beyond the end of f.
  add(0, 0, 0, 100);
  add(0, 1, 10, 40);
  add(0, 3, 20, 30);
  add(0, 1, 50, 90);
  add(0, 2, 60, 70);
  add(1, 2, 95, 105);
  add(0, 0, 200, 250);
  EventOptions options;
  options.events = EventKind::Python;
  auto calls = buildCallGraph(profile, options);
  ASSERT_TRUE(bool(calls)) << llvm::toString(calls.takeError());
  const Graph &graph = calls->graph;
  ASSERT_EQ(graph.clusters.size(), 2u);
  EXPECT_EQ(graph.clusters[0].name, "main");
  struct Expected {
    const char *name;
    uint32_t cluster;
    uint64_t calls;
    int64_t self, inclusive;
  };
  std::vector<Expected> expected = {{"a.py(1): f", 0, 2, 80, 150},
                                    {"a.py(2): g", 0, 2, 60, 70},
                                    {"a.py(3): h", 0, 1, 10, 10},
                                    {"a.py(3): h", 1, 1, 10, 10}};
  ASSERT_EQ(graph.nodes.size(), expected.size());
  for (auto [node, e] : llvm::zip_equal(graph.nodes, expected)) {
    EXPECT_EQ(node.name, e.name);
    EXPECT_EQ(node.cluster, e.cluster);
    EXPECT_EQ(node.calls, e.calls);
    EXPECT_EQ(node.durationPs, e.self);
    EXPECT_EQ(node.inclusivePs, e.inclusive);
  }
  ASSERT_EQ(graph.edges.size(), 2u);
  EXPECT_EQ(graph.edges[1].from, 1u);
  EXPECT_EQ(graph.edges[1].to, 2u);
  EXPECT_EQ(calls->partialOverlaps, 0u);

  // With all events, g's own time is its time without the op in it.
  options.events = EventKind::All;
  calls = buildCallGraph(profile, options);
  ASSERT_TRUE(bool(calls));
  EXPECT_EQ(calls->graph.nodes.size(), 5u);
  EXPECT_EQ(calls->graph.nodes[1].durationPs, 50);

  run.kept = {};
  calls = buildCallGraph(profile, options);
  ASSERT_FALSE(bool(calls));
  EXPECT_NE(llvm::toString(calls.takeError()).find("--keep-events"),
            std::string::npos);
}

TEST(HloGraph, ComputationsOfSeveralCallsStandForPlaces) {
  // Two calls of one computation, whose op took 10 ps in both together.
  HloModule module;
  module.name = "main";
  module.entryComputationId = 1;
  module.computations.resize(2);
  module.computations[0].id = 1;
  module.computations[0].size = 2;
  module.computations[1].id = 7;
  module.computations[1].firstInstruction = 2;
  module.computations[1].size = 1;
  module.instructions.resize(3);
  for (uint32_t i = 0; i < 3; ++i) {
    module.instructions[i].id = i + 1;
    module.instructions[i].name = "i" + std::to_string(i);
    module.instructions[i].opcode = i < 2 ? "call" : "dot";
    if (i < 2)
      module.instructions[i].calledComputationIds = {7};
  }
  module.instructions[2].computation = 1;
  Graph graph = buildHloGraph(module, Profile());
  ASSERT_EQ(graph.nodes.size(), 3u);
  EXPECT_EQ(graph.nodes[0].places, 1u);
  EXPECT_EQ(graph.nodes[2].places, 2u);
  // In parallel, either call may have taken half.
  graph.nodes[2].durationPs = 10;
  CriticalPath path = markCriticalPath(graph);
  EXPECT_EQ(path.lengthPs, 10);
  EXPECT_EQ(path.boundPs, 5);
}
