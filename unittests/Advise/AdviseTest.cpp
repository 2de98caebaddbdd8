//===- AdviseTest.cpp - All rules, their order, and the formats -----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Advise/Words.h"
#include "TestData.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "gtest/gtest.h"

#include <set>

using namespace mlirprof;
using namespace mlirprof::advise;
using namespace mlirprof::profile;
using namespace mlirprof::test;

/// Idle for 30 us in three steps; copies for 10; compiled in between; lost for
/// 9.
static Data makeData() {
  Data data;
  for (int i = 0; i < 3; ++i)
    data.addStep(i * 34 * kUs, 34 * kUs, 24 * kUs);
  data.addOp(nodeKey("net/<t>|x", "Transpose"), 5 * kUs, 2);
  data.addOp(nodeKey("net/mm", "MatMul"), 20 * kUs, 3);
  data.run().losses = {{"lost", 1, 9 * kUs}};
  return data;
}

static std::string write(llvm::StringRef format, const AdviceReport &report) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::cantFail(findAdviceWriter(format))->write(report, os);
  return text;
}

TEST(AdviseTest, MostGainFirstUnknownLast) {
  std::vector<std::string> rules;
  for (const Advice &advice : makeData().adviseAll().advice)
    rules.push_back(advice.rule.str());
  EXPECT_EQ(llvm::join(rules, " "),
            "idle-gaps layout-changes-and-copies lost-measurements");
}

TEST(AdviseTest, EveryRuleIsAccountedFor) {
  AdviceReport report = makeData().adviseAll();
  std::set<llvm::StringRef> names;
  for (const Advice &advice : report.advice)
    names.insert(advice.rule);
  EXPECT_EQ(names.size() + report.silent.size() + report.withoutData.size(),
            getAdviceRules().size());
}

TEST(AdviseTest, NothingInAnEmptyProfile) {
  AdviceReport report = Data().adviseAll();
  EXPECT_TRUE(report.advice.empty());
  EXPECT_EQ(report.withoutData.size(), getAdviceRules().size());
}

// Parameters that texts name must exist, or users read braces.
TEST(AdviseTest, TextsHaveTheirFigures) {
  AdviceReport report = makeData().adviseAll();
  report.profile = "run's.mlprof";
  for (const char *format : {"text", "markdown"}) {
    std::string text = write(format, report);
    EXPECT_EQ(text.find('{'), std::string::npos) << text;
    EXPECT_NE(text.find("'run'"), std::string::npos) << text;
  }
  EXPECT_NE(write("markdown", report).find("net/\\<t\\>\\|x"),
            std::string::npos);
}

TEST(AdviseTest, Text) {
  AdviceReport report = makeData().adviseAll();
  report.profile = "run.mlprof";
  std::string expected =
      "idle-gaps: may save 30.000 us, 29.4 % of the steps' time\n  found  no "
      "op runs in 29.4 % of 3 typical steps (102.000 us): 0 ps between the "
      "steps, 30.000 us in them\n  from   the medians over the steps of a run "
      "of the idle time in a step, the busy time and the gap to the next step, "
      "times the number of each\n  next   Prepare the next step while "
      "this one runs: dispatch asynchronously, fetch results later, and keep "
      "slow Python code out of the loop.\n         $ mlir-prof report "
      "run.mlprof --by=step\n\nlayout-changes-and-copies: may save 10.000 us, "
      "14.2 %";
  EXPECT_EQ(write("text", report).substr(0, expected.size()), expected);
}

TEST(AdviseTest, JsonHasKeysAndNumbers) {
  AdviceReport report = makeData().adviseAll();
  report.profile = "run.mlprof";
  llvm::json::Value value =
      llvm::cantFail(llvm::json::parse(write("json", report)));
  const llvm::json::Object &root = *value.getAsObject();
  EXPECT_EQ(root.getString("schema"), "mlir-prof.advice/2");
  const llvm::json::Object &first =
      *root.getArray("advice")->front().getAsObject();
  EXPECT_EQ(first.getString("rule"), "idle-gaps");
  EXPECT_EQ(first.getInteger("gain_ps"), 30 * kUs);
  EXPECT_EQ(first.getInteger("gain_ppm"), 294117);
  EXPECT_EQ(first.getString("basis"), "step_time");
  EXPECT_EQ(first.getString("statistic"), "step_medians");
  EXPECT_EQ(first.getObject("parameters")->getInteger("within_steps_ps"),
            30 * kUs);
  const llvm::json::Object &last =
      *root.getArray("advice")->back().getAsObject();
  EXPECT_TRUE(last.get("gain_ps")->kind() == llvm::json::Value::Null);
}

TEST(AdviseTest, EveryRuleNamesItsStatistic) {
  for (const AdviceRule &rule : getAdviceRules()) {
    EXPECT_FALSE(rule.statistic.empty()) << rule.name.str();
    EXPECT_FALSE(rule.statisticKey.empty()) << rule.name.str();
    EXPECT_EQ(
        rule.statisticKey.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"),
        llvm::StringRef::npos)
        << rule.name.str();
  }
}

TEST(AdviseTest, UnknownNamesNameAll) {
  std::string rule = llvm::toString(findAdviceRule("no").takeError());
  EXPECT_NE(rule.find("hot-op-far-from-roofline, "), std::string::npos);
  std::string format = llvm::toString(findAdviceWriter("csv").takeError());
  EXPECT_NE(format.find("text, json, markdown"), std::string::npos);
}

TEST(AdviseTest, HostileNumbers) {
  Data data = makeData();
  data.addStep(INT64_MIN, INT64_MAX, INT64_MAX);
  data.addStep(INT64_MAX, INT64_MAX, INT64_MIN);
  uint32_t track = data.addTrack("pool/1");
  data.addTrack("pool/2");
  data.addEvent(track, "compile", INT64_MAX, 4);
  data.run().events.push_back({99, 99, {}, {}});
  data.run().opBusyPs = INT64_MAX;
  data.addOp(callKey("aten::mm", "[[1,9223372036854775807],[1,1]]"), INT64_MAX,
             3);
  data.addOp(callKey("aten::mm", "[[1099511627776,1],[1,1099511627776]]"),
             INT64_MIN, 3);
  for (OpSummary &op : data.run().ops)
    for (Measurement &measurement : op.measurements)
      measurement.summary.count = UINT64_MAX;
  AdviceReport report = data.adviseAll();
  for (const AdviceWriter &writer : getAdviceWriters())
    EXPECT_FALSE(write(writer.name, report).empty());
}

TEST(AdviseTest, Words) {
  auto words = [](llvm::StringRef name) {
    return llvm::join(splitWords(name), " ");
  };
  EXPECT_EQ(words("_MklNativeConv2D"), "mkl native conv2 d");
  EXPECT_EQ(words("enumerate(DataLoader)#next"), "enumerate data loader next");
  EXPECT_EQ(words("HTTPServer"), "http server");
  EXPECT_EQ(words("ABC"), "abc");
  EXPECT_EQ(words(""), "");
  EXPECT_TRUE(isWaiting("ThreadExecutor (wait for completion)"));
  EXPECT_TRUE(isWaiting("BlockUntilReady"));
  EXPECT_FALSE(isWaiting("block1/Conv2D"));
}
