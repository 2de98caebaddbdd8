//===- ReportTest.cpp - Rows of the reports, computed by hand -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestData.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::report;
using namespace mlirprof::test;

// Parts of 1001 by 1:2 are 334 and 667 (333.67 and 667.33: the picosecond left
// goes to the larger remainder); of 900 by 1:2 are 300 and 600.

TEST(ReportTest, Ops) {
  auto data = makeData();
  EXPECT_EQ(rowsOf(data->withModule(), "op"),
            "2,stablehlo.dot,net/a/dot,3,4000,1001,334,4334,0\n"
            "4,stablehlo.tanh,net/b/tanh,3,0,1900,1100,1100,0\n"
            "3,stablehlo.add,net/a/add,3,70,1901,967,1037,0\n"
            "5,stablehlo.tanh,net/b/tanh,2,0,1000,500,500,0\n");
}

TEST(ReportTest, OpTypes) {
  auto data = makeData();
  // The ambiguous group lies within tanh, so its time is tanh's alone.
  EXPECT_EQ(rowsOf(data->withModule(), "op-type"),
            "stablehlo.dot,3,4000,1001,334,4334\n"
            "stablehlo.tanh,3,1000,900,600,1600\n"
            "stablehlo.add,3,70,1901,967,1037\n");
}

TEST(ReportTest, Locations) {
  auto data = makeData();
  EXPECT_EQ(rowsOf(data->withModule(), "location"),
            "net/a/dot,3,4000,1001,334,4334\n"
            "net/b/tanh,3,1000,900,600,1600\n"
            "net/a/add,3,70,1901,967,1037\n");
}

TEST(ReportTest, Sources) {
  auto data = makeData();
  // The set of main(1)/fusion lies within line 10; a partial match is never
  // sole, because the owner of the rest is unknown.
  EXPECT_EQ(rowsOf(data->withModule(), "source"),
            "net.py:10,5,5071,900,300,5371,net.py,10\n"
            "net.py:20,3,0,1900,1100,1100,net.py,20\n"
            "net.py:21,2,0,1000,500,500,net.py,21\n");
}

TEST(ReportTest, ModulePaths) {
  auto data = makeData();
  EXPECT_EQ(rowsOf(data->withModule(), "module-path"),
            "net,7,6971,0,0,6971\n"
            "net/a,5,5071,900,300,5371\n"
            "net/a/dot,3,4000,1001,334,4334\n"
            "net/b,3,1000,900,600,1600\n"
            "net/b/tanh,3,1000,900,600,1600\n"
            "net/a/add,3,70,1901,967,1037\n");
}

TEST(ReportTest, MeasuredOps) {
  auto data = makeData();
  EXPECT_EQ(rowsOf(data->withModule(), "measured-op"),
            "main,1,dot.1,dot,2,4000,4000,4000,4000,unique\n"
            "main,1,fusion,fusion,1,1001,1001,1001,1001,fused\n"
            "main,1,tanh.1,,2,1000,1000,1000,1000,ambiguous\n"
            "other,2,fusion,,1,900,900,900,900,fused\n"
            "main,1,odd,,1,70,70,70,70,partial\n"
            ",,graph/node,Relu,1,29,29,29,29,unmatched\n");
  EXPECT_EQ(rowsOf(data->withoutModule(), "measured-op", makeQuery(1)),
            "main,1,dot.1,dot,2,4000,4000,4000,4000,\n");
}

TEST(ReportTest, AsynchronousWorkCounts) {
  auto data = makeData();
  OpSummary &dot = data->profile.runs.front().ops.front();
  dot.get(Quantity::Self) = {};
  dot.get(Quantity::Self).add(2500);
  dot.get(Quantity::Self).add(700);
  dot.get(Quantity::Bounded).add(3500);
  dot.get(Quantity::Bounded).add(1700);
  // self 3200 + bounded 5200 - duration 4000
  EXPECT_EQ(rowsOf(data->withoutModule(), "measured-op", makeQuery(1)),
            "main,1,dot.1,dot,2,4000,5200,3200,4400,\n");
}

TEST(ReportTest, MeasuredOpTypesAndModules) {
  auto data = makeData();
  // Without a module there are no other types.
  EXPECT_EQ(rowsOf(data->withoutModule(), "op-type"),
            rowsOf(data->withoutModule(), "measured-op-type"));
  EXPECT_EQ(rowsOf(data->withoutModule(), "measured-op-type"),
            "dot,2,4000,0,0,4000\n"
            "(unknown),4,1970,0,0,1970\n"
            "fusion,1,1001,0,0,1001\n"
            "Relu,1,29,0,0,29\n");
  EXPECT_EQ(rowsOf(data->withoutModule(), "hlo-module"),
            "main(1),6,6071,0,0,6071,main,1\n"
            "other(2),1,900,0,0,900,other,2\n"
            "(no HLO module),1,29,0,0,29,,\n");
}

TEST(ReportTest, OpDetails) {
  auto data = makeData();
  data->profile.runs.front().ops.front().get(Quantity::Bytes).add(48);
  EXPECT_EQ(rowsOf(data->withModule(), "op-detail", makeQuery(3)),
            "dot.1,dot,,,,2,2000,1000,3000,4000,4000,571429,48,,"
            "stablehlo.dot (net/a/dot),\n"
            "fusion,fusion,,,,1,1001,1001,1001,1001,1001,143000,,,,\n"
            "tanh.1,,,,,2,500,500,500,1000,1000,142857,,,,\n");
  OpKey &key = data->profile.opKeys.back();
  FrameworkCallKey call;
  call.scope = {"Net_0", "Linear_1"};
  call.shapes = InputShapes({{2, 3}});
  call.phase = CallPhase::Backward;
  key.op = "aten::mm";
  key.kernel.clear();
  key.make(std::move(call));
  EXPECT_EQ(
      rowsOf(data->withoutModule(), "op-detail", makeQuery({}, "op=aten::mm")),
      "aten::mm,aten::mm,Net_0/Linear_1,backward,\"[[2,3]]\",1,29,29,29,"
      "29,29,4143,,,,\n");
  // Its type is its name.
  EXPECT_EQ(rowsOf(data->withoutModule(), "measured-op-type",
                   makeQuery({}, "key=aten::mm")),
            "aten::mm,1,29,0,0,29\n");
}

TEST(ReportTest, EventsAndSteps) {
  auto data = makeData();
  EXPECT_EQ(rowsOf(data->withoutModule(), "event"),
            "/host:CPU,3,\"say \"\"hi\"\", all\",1,5000,1000\n"
            "/host:CPU,3,dot.1,2,4000,4000\n");
  EXPECT_EQ(rowsOf(data->withoutModule(), "step"), "7,100,5000,4000,4500\n"
                                                   "8,5100,2000,1500,1500\n");
}

TEST(ReportTest, RunsAddUpAndStepsSayTheirRun) {
  auto data = makeData();
  data->profile.runs.push_back(data->profile.runs.front());
  EXPECT_EQ(rowsOf(data->withoutModule(), "event"),
            "/host:CPU,3,\"say \"\"hi\"\", all\",2,10000,2000\n"
            "/host:CPU,3,dot.1,4,8000,8000\n");
  EXPECT_EQ(rowsOf(data->withoutModule(), "step"),
            "7,100,5000,4000,4500,0\n8,5100,2000,1500,1500,0\n"
            "7,100,5000,4000,4500,1\n8,5100,2000,1500,1500,1\n");
}

/// The names of a report's losses beyond those of its runs.
static std::vector<std::string> getNewLosses(const Data &data) {
  llvm::Expected<Report> report =
      buildReport(data.withoutModule(), **findReport("measured-op"));
  std::vector<std::string> names;
  if (report)
    for (const Loss &loss : report->losses)
      if (loss.name != "event without a name")
        names.push_back(loss.name);
  return names;
}

TEST(ReportTest, SumsThatPass64BitsAreLosses) {
  const std::string total = "op times whose sum exceeds 64 bits: totals and "
                            "shares of the whole are too small or too large";
  auto data = makeData();
  EXPECT_EQ(getNewLosses(*data), std::vector<std::string>());
  // Two ops, each of which can be counted, but not their sum.
  profile::Run &run = data->profile.runs.front();
  for (size_t op : {0, 1}) {
    run.ops[op].measurements.clear();
    run.ops[op].get(Quantity::Execute).add(INT64_MAX);
  }
  EXPECT_EQ(getNewLosses(*data), std::vector<std::string>{total});
  // One op in two runs, each of which can be counted.
  run.ops.resize(1);
  data->profile.runs.push_back(run);
  EXPECT_EQ(
      getNewLosses(*data),
      std::vector<std::string>{"ops whose times in all runs exceed 64 bits"});
}

TEST(ReportTest, AllRowsOnRequest) {
  auto data = makeData();
  for (auto [by, rows] :
       {std::pair("op", 8u), std::pair("location", 6u),
        std::pair("module-path", 9u), std::pair("source", 5u)}) {
    llvm::Expected<Report> report = buildReport(
        data->withModule(), **findReport(by), {}, RowSelection::All);
    ASSERT_TRUE(bool(report));
    EXPECT_EQ(report->table.size(), rows) << by;
  }
}

TEST(ReportTest, Errors) {
  auto data = makeData();
  llvm::Expected<Report> report =
      buildReport(data->withoutModule(), **findReport("module-path"));
  EXPECT_EQ(llvm::toString(report.takeError()),
            "report 'module-path': needs the measured module, which the "
            "profile does not contain\n  hint: Name it with --model=FILE, or "
            "use --by=measured-op.");
  llvm::SmallVector<llvm::StringRef> names;
  for (const ReportKind &kind : getReports())
    names.push_back(kind.name);
  EXPECT_EQ(llvm::toString(findReport("ops").takeError()),
            "report 'ops': does not exist\n  hint: There are " +
                llvm::join(names, ", ") + ".");
  data->ownership.matches[3].ops = {99, 100};
  report = buildReport(data->withModule(), **findReport("module-path"));
  EXPECT_EQ(llvm::toString(report.takeError()),
            "ownership: does not belong to this profile\n  hint: Match the "
            "profile with the module again.");
}
