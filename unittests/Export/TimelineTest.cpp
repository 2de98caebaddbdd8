//===- TimelineTest.cpp - Formats of single events ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Export/Decimal.h"
#include "../../lib/Export/Timeline/LaneFinder.h"
#include "ExportTest.h"
#include "llvm/Support/JSON.h"
#include "gtest/gtest.h"

#include <map>
#include <random>

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::exporter;
using namespace mlirprof::profile;

namespace {

TEST(Decimal, IsExact) {
  auto write = [](int64_t value, unsigned digits) {
    std::string text;
    llvm::raw_string_ostream os(text);
    writeDecimal(os, value, digits);
    return text;
  };
  EXPECT_EQ(write(0, 3), "0");
  EXPECT_EQ(write(1, 6), "0.000001");
  EXPECT_EQ(write(-1500, 3), "-1.5");
  EXPECT_EQ(write(1020000, 6), "1.02");
  EXPECT_EQ(write(INT64_MIN, 6), "-9223372036854.775808");
  EXPECT_EQ(write(INT64_MAX, 3), "9223372036854775.807");
  EXPECT_EQ(floorDivide(-1, 1000), -1);
  EXPECT_EQ(floorDivide(1999, 1000), 1);
}

TEST(LaneFinder, NestsWhatItPutsTogether) {
  std::mt19937 random(7);
  std::vector<std::pair<int64_t, int64_t>> events;
  for (int i = 0; i < 2000; ++i) {
    int64_t begin = random() % 5000;
    events.emplace_back(begin, begin + random() % 60);
  }
  std::sort(events.begin(), events.end(), [](const auto &a, const auto &b) {
    return a.first != b.first ? a.first < b.first : a.second > b.second;
  });
  LaneFinder finder;
  std::map<uint32_t, std::vector<int64_t>> open;
  for (auto [begin, end] : events) {
    std::vector<int64_t> &stack = open[finder.place(begin, end)];
    while (!stack.empty() && stack.back() <= begin)
      stack.pop_back();
    EXPECT_TRUE(stack.empty() || end <= stack.back());
    stack.push_back(end);
  }
  EXPECT_EQ(open.size(), finder.size());
  // About 24 are open at a time.
  EXPECT_LT(finder.size(), 64u);
}

TEST(LaneFinder, NeedsOneLaneForWhatNests) {
  LaneFinder finder;
  int64_t most = std::numeric_limits<int64_t>::max();
  for (auto [begin, end] : std::vector<std::pair<int64_t, int64_t>>{{0, most},
                                                                    {0, 100},
                                                                    {5, 20},
                                                                    {5, 20},
                                                                    {20, 20},
                                                                    {20, 30},
                                                                    {90, 100}})
    EXPECT_EQ(finder.place(begin, end), 0u);
  EXPECT_EQ(finder.place(95, 120), 1u);
}

TEST(Chrome, WritesExactTimes) {
  Profile profile = makeTrace();
  std::string text = exportAs("chrome-json", {profile});
  auto json = llvm::json::parse(text);
  ASSERT_TRUE(bool(json)) << llvm::toString(json.takeError());
  for (
      const char *line :
      {R"({"ph":"X","name":"step","pid":1,"tid":1,"ts":0,"dur":0.01})",
       R"("name":"a/b:Add","pid":1,"tid":1,"ts":0.0015,"dur":0.003,"cat":"op")",
       R"("name":"a/c:Mul","pid":1,"tid":1,"ts":0.0045,"dur":0,)",
       R"("name":"x;y","pid":1,"tid":2,"ts":0.002,"dur":0.004001,)",
       R"("name":"x;y","pid":1,"tid":3,"ts":0.005,"dur":0.002,)",
       R"("args":{"op":"a/b","kernel":"Add","op_key":0}})",
       R"x("args":{"name":"worker (overlapping 1)"}})x"})
    EXPECT_TRUE(llvm::StringRef(text).contains(line)) << line << text;
}

TEST(Chrome, NamesOwners) {
  Profile profile = makeTrace();
  Ownership owners = makeOwners();
  Attribution attribution = attribute(profile, owners);
  std::string text = exportAs("chrome-json", {profile, &owners, &attribution});
  EXPECT_TRUE(llvm::StringRef(text).contains(
      R"x("match":"fused","mlir":"tosa.mul (net/x); tosa.exp (net/y)")x"))
      << text;
}

TEST(Timeline, NeedsSingleEvents) {
  Profile profile = makeTrace(KeepEvents::Mode::None);
  for (const char *format : {"chrome-json", "perfetto"}) {
    std::string text = exportAs(format, {profile});
    EXPECT_TRUE(llvm::StringRef(text).contains("without single events"))
        << text;
  }
}

/// Lines with `part` in the output for Chrome.
std::string findLine(llvm::StringRef text, llvm::StringRef part) {
  size_t at = text.find(part);
  return text.substr(0, text.find('\n', at)).rsplit('\n').second.str();
}

TEST(Timeline, PutsRunsOnOneClock) {
  Profile profile = makeTrace();
  profile.runs.push_back(profile.runs[0]);
  profile.runs.push_back(profile.runs[0]);
  profile.runs[0].clock = {"", 1000, true};
  profile.runs[1].clock = {"", 1003, true};
  LossList losses;
  ExportInput input{profile};
  input.losses = &losses;
  std::string text = exportAs("chrome-json", input);
  EXPECT_TRUE(llvm::StringRef(text).contains(R"("clock_anchor_ns":"1000")"));
  EXPECT_EQ(
      findLine(text, R"("name":"step","pid":2)"),
      R"({"ph":"X","name":"step","pid":2,"tid":4,"ts":0.003,"dur":0.01},)");
  // Nothing is known about the third.
  EXPECT_EQ(findLine(text, R"("name":"step","pid":3)"),
            R"({"ph":"X","name":"step","pid":3,"tid":7,"ts":0,"dur":0.01},)");
  ASSERT_EQ(losses.list().size(), 1u);
  EXPECT_EQ(losses.list()[0].count, 1u);
}

TEST(Timeline, TakesEventsInAnyOrder) {
  Profile profile = makeTrace();
  EventColumns &kept = profile.runs[0].kept;
  std::string before = exportAs("chrome-json", {profile});
  for (auto *column : {&kept.track, &kept.name, &kept.op})
    std::reverse(column->begin(), column->end());
  for (auto *column : {&kept.beginPs, &kept.durationPs})
    std::reverse(column->begin(), column->end());
  EXPECT_EQ(exportAs("chrome-json", {profile}), before);
}

TEST(Table, HasAllTime) {
  Profile profile = makeTrace();
  EXPECT_EQ(exportAs("csv", {profile}),
            "module,program_id,op,kernel,count,duration_ps,bounded_ps,self_ps,"
            "time_ps,class\r\n,,x;y,,2,6001,6001,6001,6001,\r\n"
            ",,a/b,Add,1,3000,3000,3000,3000,\r\n,,a/c,Mul,1,0,0,0,0,\r\n");
}

graph::Graph makeGraph() {
  graph::Graph graph;
  graph.name = "net";
  graph.clusters = {{"main", graph::kNoCluster, graph::kNoNode},
                    {"a/b", 0, graph::kNoNode}};
  graph.nodes.resize(3);
  for (uint32_t i = 0; i < 3; ++i) {
    graph.nodes[i].id = i + 1;
    graph.nodes[i].name = "op" + std::to_string(i);
    graph.nodes[i].cluster = i == 2 ? 1 : 0;
  }
  graph.nodes[0].measured = graph.nodes[2].measured = true;
  graph.nodes[0].durationPs = 3000;
  graph.nodes[2].durationPs = 4001;
  graph.edges = {{0, 1}, {0, 2}, {1, 2}};
  return graph;
}

TEST(ModelExplorer, WritesGraphAndData) {
  Profile profile = makeTrace();
  graph::Graph graph = makeGraph();
  LossList losses;
  ExportInput input{profile};
  input.graph = &graph;
  input.losses = &losses;
  std::string text = exportAs("model-explorer", input);
  ASSERT_TRUE(bool(llvm::json::parse(text))) << text;
  EXPECT_TRUE(llvm::StringRef(text).contains(
      R"({"id":"3","label":"op2","namespace":"main/a|b","attrs":[)"
      R"({"key":"total_ps","value":"4001"}],"incomingEdges":[)"
      R"({"sourceNodeId":"1","sourceNodeOutputId":"0","targetNodeInputId":"0"},)"
      R"({"sourceNodeId":"2","sourceNodeOutputId":"0","targetNodeInputId":"1"}]})"))
      << text;
  // 2000 of 9001 ps do not belong to a node.
  ASSERT_EQ(losses.list().size(), 1u);
  EXPECT_EQ(losses.list()[0].timePs, 2000);
  std::string data = exportAs("model-explorer-data", input);
  EXPECT_TRUE(llvm::StringRef(data).contains(
      "{\"net\":{\"results\":{\n\"1\":{\"value\":0.003},\n\"3\":"
      "{\"value\":0.004001}},\n\"gradient\":[{\"stop\":0.00,"))
      << data;
  EXPECT_TRUE(llvm::StringRef(exportAs("dot", input)).contains("op2"));
}

TEST(Graph, NeedsOne) {
  Profile profile = makeTrace();
  for (const char *format :
       {"dot", "graphml", "mlirgraph", "model-explorer", "model-explorer-data"})
    EXPECT_TRUE(llvm::StringRef(exportAs(format, {profile}))
                    .contains("does not contain a graph of ops"));
}

} // namespace
