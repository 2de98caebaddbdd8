//===- EventsTest.cpp - Reading generic recordings ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadText.h"
#include "mlir-prof/Profile/KeyTraits.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using reading::findKey;
using reading::getImporter;
using reading::getLoss;
using reading::getTotal;
using reading::readBad;
using reading::readGood;
using reading::readSeed;

namespace {

TEST(EventsCsv, KeysAndTimes) {
  Profile profile = readSeed("csv", "csv/events.csv");
  EXPECT_EQ(profile.runs[0].tracks.size(), 2u);
  EXPECT_EQ(profile.runs[0].tracks[0].name, "worker 0");
  EXPECT_EQ(getTotal(profile, "net/up/matmul").executePs, 10500000);
  EXPECT_EQ(getTotal(profile, "unknown").executePs, 1000001);
  // The location takes precedence; the event's own name is kept along with it.
  const OpKey *sum = findKey(profile, "net/twice", "arith.addf");
  ASSERT_TRUE(sum);
  ASSERT_TRUE(sum->is<GraphNodeKey>());
  EXPECT_EQ(sum->get<GraphNodeKey>().eventName, "sum");
  EXPECT_EQ(getTotal(profile, "net/twice").keys, 2u);
  EXPECT_EQ(getLoss(profile, "argument 'batch', not kept"), 3u);
}

TEST(EventsCsv, UnitsAndOrder) {
  Profile profile = readGood("csv", "duration_ms,name,begin_ns\n"
                                    "0.001,late,1700000000000002000\n"
                                    "0.0005,early,1700000000000000000\n");
  EXPECT_EQ(getTotal(profile, "late").executePs, 1000000);
  EXPECT_EQ(getTotal(profile, "early").executePs, 500000);
  for (const OpSummary &op : profile.runs[0].ops)
    EXPECT_EQ(op.firstBeginPs,
              profile.opKeys[op.op].op == "late" ? 2000000 : 0);
  profile = readGood("csv", "name,begin,duration\na,0,1\nb,1e15,2\n");
  EXPECT_EQ(getLoss(profile, "event more than a month away from the first"),
            1u);
  EXPECT_EQ(getTotal(profile, "b").keys, 0u);
}

TEST(EventsCsv, NestedEventsKeepTheirOwnTime) {
  Profile profile = readGood("csv", "name,begin,duration,thread\n"
                                    "inner,2,3,a\nouter,1,10,a\nother,2,3,b\n");
  EXPECT_EQ(getTotal(profile, "outer").executePs, 10000000);
  EXPECT_EQ(getTotal(profile, "outer").selfPs, 7000000);
}

TEST(EventsCsv, Damaged) {
  auto bad = [](llvm::StringRef rows) {
    return readBad("csv", ("name,begin,duration\n" + rows).str());
  };
  EXPECT_NE(bad("a,1,x\n").find("line 2"), std::string::npos);
  EXPECT_NE(bad("a,1,-2\n").find("negative"), std::string::npos);
  EXPECT_NE(bad("a,,2\n").find("begin"), std::string::npos);
  EXPECT_NE(bad("a,1,2\n,1,2\n").find("line 3"), std::string::npos);
  EXPECT_NE(bad("a,1,2,3\n").find("4 fields"), std::string::npos);
  EXPECT_NE(bad("\"a,1,2\n").find("quote"), std::string::npos);
  EXPECT_EQ(bad(""), "");
  EXPECT_FALSE(getImporter("csv").detect("name,begin\na,1\n"));
  EXPECT_FALSE(getImporter("csv").detect("name,duration\na,1\n"));
}

TEST(EventsCsv, TwoColumnsForOneThingAreAnError) {
  for (llvm::StringRef header :
       {"name,begin,duration,duration_us", "name,begin,begin,duration",
        "name,name,begin,duration"})
    EXPECT_NE(readBad("csv", (header + "\na,1,2,3\n").str())
                  .find("two columns for '"),
              std::string::npos)
        << header.str();
}

TEST(ChromeGeneric, KeysAndTimes) {
  Profile profile = readSeed("chrome-json", "chrome/generic.json");
  Profile table = readSeed("csv", "csv/events.csv");
  EXPECT_EQ(profile.opKeys.size(), table.opKeys.size());
  for (const OpKey &key : table.opKeys) {
    const OpKey *same = findKey(profile, key.op, key.kernel);
    ASSERT_TRUE(same) << key.op;
    EXPECT_EQ(getKeyTraits(*same).graphNode, getKeyTraits(key).graphNode);
    EXPECT_EQ(getTotal(profile, key.op).selfPs, getTotal(table, key.op).selfPs);
  }
  EXPECT_EQ(getLoss(profile, "argument of an event, not kept"), 1u);
}

TEST(ChromeGeneric, NothingIsNamedWhereSomeEventSaysMore) {
  Profile profile = readGood("chrome-json", R"([
    {"ph":"X","name":"a","pid":1,"tid":1,"ts":0,"dur":1},
    {"ph":"X","name":"b","pid":1,"tid":1,"ts":2,"dur":1,
     "args":{"hlo_op":"dot.1","hlo_module":"m"}}])");
  ASSERT_EQ(profile.opKeys.size(), 1u);
  EXPECT_EQ(profile.opKeys[0].op, "dot.1");
}

TEST(ChromeGeneric, NodesOfTensorFlow) {
  Profile profile = readGood("chrome-json", R"([
    {"ph":"X","name":"dense/MatMul:MatMul","pid":1,"tid":1,"ts":0,"dur":1}])");
  EXPECT_TRUE(findKey(profile, "dense/MatMul", "MatMul"));
}

TEST(MlirGraph, ForeignFields) {
  Profile profile = readSeed("mlirgraph", "mlirgraph/foreign.json");
  EXPECT_EQ(profile.opKeys.size(), 4u);
  const OpKey *key = findKey(profile, "net/up/matmul", "matmul");
  ASSERT_TRUE(key);
  EXPECT_EQ(key->get<GraphNodeKey>().number, 900);
  EXPECT_EQ(getTotal(profile, "net/up/matmul").selfPs, 4000);
  EXPECT_EQ(getTotal(profile, "linalg.matmul").selfPs, 9000);
  EXPECT_EQ(getTotal(profile, "net/twice").selfPs, 100);
  EXPECT_TRUE(profile.runs[0].losses.empty());
}

TEST(MlirGraph, SumsThatOverlapKeepTheirTime) {
  Profile profile = readGood("mlirgraph", R"({"nodes": [
    {"name": "a.b", "ts": 0, "duration": 100, "id": 1},
    {"name": "a.c", "ts": 10, "duration": 20, "id": 2}]})");
  EXPECT_EQ(getTotal(profile, "a.b").selfPs, 100);
  EXPECT_EQ(getTotal(profile, "a.c").selfPs, 20);
  EXPECT_EQ(profile.runs[0].tracks.size(), 2u);
}

/// 4 * 9e18 ps do not fit into 64 bits; 9e18 + 2e17 do.
TEST(MlirGraph, SumsBeyondWhatCanBeAreLosses) {
  Profile profile = readGood("mlirgraph", R"({"nodes": [
    {"name": "a.a", "duration": 9000000000000000000, "id": 1},
    {"name": "a.b", "duration": 9000000000000000000, "id": 2},
    {"name": "a.c", "duration": 9000000000000000000, "id": 3},
    {"name": "a.d", "duration": 200000000000000000, "id": 4}]})");
  EXPECT_EQ(getTotal(profile, "a.a").selfPs, 9000000000000000000);
  EXPECT_EQ(getTotal(profile, "a.d").selfPs, 200000000000000000);
  EXPECT_EQ(profile.opKeys.size(), 2u);
  EXPECT_EQ(getLoss(profile, "op whose time exceeds 64 bits of picoseconds "
                             "together with those before it, left out"),
            2u);
}

TEST(MlirGraph, Damaged) {
  Profile profile = readGood("mlirgraph", R"({"version": "1.2", "nodes": [
    {"name": "a.a", "duration": -1, "id": 1},
    {"name": "a.b", "duration": "soon", "id": 2}, 7,
    {"duration": 5, "id": 3}, {"name": "a.c", "duration": 9223372036854775807,
     "ts": 9223372036854775807, "id": 99999999999},
    {"name": "a.d", "ts": [], "duration": 3, "id": {}}]})");
  EXPECT_EQ(getLoss(profile, "node with a negative duration, left out"), 1u);
  EXPECT_EQ(
      getLoss(profile,
              "node whose duration is not a number of picoseconds, left out"),
      1u);
  EXPECT_EQ(getLoss(profile, "node without a name, left out"), 1u);
  EXPECT_EQ(getLoss(profile, "node without an id of 32 bits, known by its name "
                             "alone"),
            2u);
  EXPECT_NE(readBad("mlirgraph", R"({"version": "2.0", "nodes": []})")
                .find("version 2.0"),
            std::string::npos);
  EXPECT_EQ(getLoss(readGood("mlirgraph", R"({"version":"1.0.0","nodes":[]})"),
                    "graph without a node that was measured"),
            1u);
}

TEST(MlirGraph, Detection) {
  const Importer &importer = getImporter("mlirgraph");
  EXPECT_TRUE(importer.detect(R"({"nodes":[{"duration":1,"name":"x"}]})"));
  EXPECT_TRUE(importer.detect(R"({"edges":[{"edgeTo":1,"edgeFrom":2}],)"));
  EXPECT_TRUE(importer.detect(R"({"version":"1.0.0","nodes":[]})"));
  EXPECT_FALSE(importer.detect(R"({"nodes":[{"label":"x"}]})"));
  EXPECT_FALSE(importer.detect(R"([{"name":"x","duration":1}])"));
}

TEST(Folded, OneFrame) {
  Profile profile = readSeed("folded", "folded/one-frame.folded");
  EXPECT_EQ(profile.opKeys.size(), 3u);
  const Importer &folded = getImporter("folded");
  EXPECT_FALSE(folded.detect("a,b,c 12\n"));
  EXPECT_FALSE(folded.detect("a 12\nb\n"));
  EXPECT_FALSE(folded.detect("12\n"));
}

TEST(Folded, TimeOfASample) {
  Profile profile;
  ProfileBuilder builder(profile);
  ImportInput input = {"main;f 3\ng 4\n", "test"};
  input.samplePeriodPs = 1000000;
  ASSERT_FALSE(getImporter("folded").read(input, builder));
  builder.finish();
  EXPECT_EQ(getTotal(profile, "f").selfPs, 3000000);
  EXPECT_EQ(getTotal(profile, "g").selfPs, 4000000);
  EXPECT_EQ(profile.runs[0].samplePeriodPs, 1000000);
}

} // namespace
