//===- ExplainTest.cpp - Explanations -------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Report/Explain.h"
#include "TestData.h"
#include "llvm/Support/JSON.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::report;
using namespace mlirprof::test;

static std::string explainText(const ReportInput &input, llvm::StringRef query,
                               ExplainFormat format = ExplainFormat::Text) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (llvm::Error error = explainOp(input, query, format, os))
    return llvm::toString(std::move(error));
  return text;
}

TEST(ExplainTest, OpWithSoleAndSharedTime) {
  auto data = makeData();
  for (llvm::StringRef query :
       {"2", "#2", "net/a/dot", "loc(\"net/a/dot\")", "stablehlo.dot"})
    EXPECT_EQ(explainText(data->withModule(), query),
              R"(#2 stablehlo.dot  net/a/dot
  source net.py:10
  3 events, sole 4.000 ns, shared 1.001 ns, estimated 334 ps, 61.9 % of op time

Its time comes from 2 measured ops, most first:
  main(1)/dot.1  dot
    2 events, 4.000 ns
    class unique, found by location-path
    names searched: net/a/dot
    owners:
    > 100.0 %  4.000 ns  weight 8  #2 stablehlo.dot  net/a/dot
    ran on /host:CPU line 3 'worker': 2 events
  main(1)/fusion  fusion
    1 event, 1.001 ns
    class fused, found by location-path
    names searched: net/a/dot, net/a/add
    owners:
      66.6 %  667 ps  weight 2  #3 stablehlo.add  net/a/add
    > 33.4 %  334 ps  weight 1  #2 stablehlo.dot  net/a/dot
)");
}

TEST(ExplainTest, OpsWithoutTime) {
  auto data = makeData();
  EXPECT_EQ(explainText(data->withModule(), "#0"),
            R"(#0 builtin.module  loc(unknown)
  0 events, sole 0 ps, shared 0 ps, estimated 0 ps, 0.0 % of op time
  ops inside it: 6.971 ns

It does not have any time:
  It contains other ops, which have its time.
)");
  EXPECT_EQ(explainText(data->withModule(), "#6"),
            R"(#6 stablehlo.constant  loc(unknown)
  0 events, sole 0 ps, shared 0 ps, estimated 0 ps, 0.0 % of op time

It does not have any time:
  It does not do work by itself at run time.
  Its location does not have a name that a measured op could carry.
)");
  EXPECT_EQ(explainText(data->withModule(), "net/c/exp"),
            R"(#7 stablehlo.exp  net/c/exp
  source net.py:30
  0 events, sole 0 ps, shared 0 ps, estimated 0 ps, 0.0 % of op time

It does not have any time:
  No measured op carries its name: the compiler removed it, folded it, or gave its work another name.
  The nearest names that were measured:
    net/a/add
    net/a/dot
)");
}

TEST(ExplainTest, OpThatWasNarrowedAway) {
  auto data = makeData();
  // tanh.1 matched the name of 4 and 5, and its frame selected 4.
  Match &match = data->ownership.matches[2];
  match.matchClass = MatchClass::Unique;
  match.tier = MatchTier::SourceFrame;
  match.ops = {4};
  match.weights = {1};
  data->attribution = attribute(data->profile, data->ownership);
  llvm::Expected<Explanation> explanation = explain(data->withModule(), "5");
  ASSERT_TRUE(bool(explanation));
  EXPECT_EQ(explanation->reasons,
            (std::vector<std::string>{
                "Its name is that of main(1)/tanh.1 (1.000 ns), but the tier "
                "'source-frame' assigned that to #4.",
                "Its name is that of other(2)/fusion (900 ps), but the tier "
                "'location-path' assigned that to #3, #4."}));
  EXPECT_TRUE(explanation->nearest.empty());
}

TEST(ExplainTest, MeasuredOp) {
  auto data = makeData();
  EXPECT_EQ(explainText(data->withModule(), "graph/node:Relu"),
            R"(measured op
  graph/node:Relu
    1 event, 29 ps
    class unmatched
    reason: no op has this name
    names searched: graph/node
    names without an op: graph/node
)");
  EXPECT_EQ(explainText(data->withoutModule(), "dot.1"),
            R"(measured op
  main(1)/dot.1  dot
    2 events, 4.000 ns
    the owner is unknown without a module
    ran on /host:CPU line 3 'worker': 2 events
)");
}

TEST(ExplainTest, AmbiguousQueries) {
  auto data = makeData();
  EXPECT_EQ(explainText(data->withModule(), "net/b/tanh"),
            R"('net/b/tanh' may mean 2 ops; ask for one of:
  #4  1.100 ns  stablehlo.tanh  net/b/tanh
  #5  500 ps  stablehlo.tanh  net/b/tanh
)");
  EXPECT_EQ(explainText(data->withModule(), "fusion"),
            R"('fusion' may mean 2 ops; ask for one of:
  main(1)/fusion  1.001 ns  measured op, 1 event
  other(2)/fusion  900 ps  measured op, 1 event
)");
}

TEST(ExplainTest, Errors) {
  auto data = makeData();
  EXPECT_EQ(explainText(data->withModule(), "net/a/dott"),
            "op 'net/a/dott': is neither in the module nor in the profile\n  "
            "hint: Nearest are: net/a/dot, net/a/add, net/b/tanh, net/c/exp.");
  EXPECT_EQ(explainText(data->withModule(), "zzzzzzzz"),
            "op 'zzzzzzzz': is neither in the module nor in the profile\n  "
            "hint: `report --by=op` and `--by=measured-op` list the names.");
  EXPECT_EQ(explainText(data->withModule(), "8"),
            "op '8': is not in the module, which has 8 ops\n  hint: `report "
            "--by=op` lists the indices.");
  EXPECT_EQ(explainText(data->withoutModule(), "#2"),
            "op '#2': refers to an op of a module, but there is none\n  hint: "
            "Name the module with --model=FILE.");
  EXPECT_EQ(explainText(data->withoutModule(), "net/a/dot"),
            "op 'net/a/dot': is not in the profile, and there is no module\n  "
            "hint: Name the module with --model=FILE.");
}

TEST(ExplainTest, Json) {
  auto data = makeData();
  // Invalid UTF-8, as in hostile recordings.
  data->ownership.matches[2].names = {"\xff"};
  llvm::json::Value value = llvm::cantFail(llvm::json::parse(
      explainText(data->withModule(), "#4", ExplainFormat::Json)));
  const llvm::json::Object &root = *value.getAsObject();
  EXPECT_EQ(*root.getString("schema"), "mlir-prof.explain/2");
  EXPECT_EQ(*root.getString("kind"), "op");
  EXPECT_EQ(*root.getInteger("index"), 4);
  EXPECT_EQ(*root.getInteger("estimated_ps"), 1100);
  const llvm::json::Array &measured = *root.getArray("measured");
  ASSERT_EQ(measured.size(), 2u);
  const llvm::json::Object &fusion = *measured[0].getAsObject();
  EXPECT_EQ(*fusion.getString("key"), "other(2)/fusion");
  EXPECT_EQ(*fusion.getInteger("program_id"), 2);
  EXPECT_EQ(*fusion.getString("class"), "fused");
  const llvm::json::Object &tanh =
      *(*fusion.getArray("owners"))[1].getAsObject();
  EXPECT_EQ(*tanh.getInteger("index"), 4);
  EXPECT_EQ(*tanh.getInteger("weight"), 2);
  EXPECT_EQ(*tanh.getInteger("part_ps"), 600);

  value = llvm::cantFail(llvm::json::parse(
      explainText(data->withModule(), "fusion", ExplainFormat::Json)));
  EXPECT_EQ(*value.getAsObject()->getString("kind"), "ambiguous");
  EXPECT_EQ(value.getAsObject()->getArray("candidates")->size(), 2u);
}
