//===- EvidenceValuesTest.cpp - Values of merged runs ---------------------
//===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Optimize/Evidence.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::optimize;
using namespace mlirprof::profile;

namespace {

/// A function of one dynamic size and one number, and runs of it.
class EvidenceValuesTest : public testing::Test {
protected:
  EvidenceValuesTest() {
    context.loadDialect<mlir::func::FuncDialect, mlir::linalg::LinalgDialect>();
    module = mlir::parseSourceString<mlir::ModuleOp>(
        "func.func @main(%a: tensor<?xf32>, %n: index) -> tensor<?xf32> {\n"
        "  %r = linalg.add ins(%a, %a : tensor<?xf32>, tensor<?xf32>)\n"
        "      outs(%a : tensor<?xf32>) -> tensor<?xf32>\n"
        "  return %r : tensor<?xf32>\n"
        "}\n",
        &context);
    addProgram("one build");
    addProgram("another build");
  }

  void addProgram(const char *fingerprint) {
    Program program;
    program.fingerprint = fingerprint;
    program.levels = {"input"};
    program.strings = {"", "builtin.module", "func.func", "main"};
    program.nodes.resize(2);
    program.nodes[0].op = 1;
    program.nodes[0].position = 0;
    program.nodes[1].kind = NodeKind::Function;
    program.nodes[1].op = 2;
    program.nodes[1].name = 3;
    program.nodes[1].position = 1;
    profile.programs.push_back(program);
  }

  /// A run of `milliseconds` of a program with one table at the function.
  profile::Run makeRun(ValueKind kind, const char *name,
                       std::vector<ValueCount> entries, int64_t milliseconds,
                       uint64_t other = 0, size_t program = 0) {
    profile::Run run;
    run.iterations.add(milliseconds * 1'000'000'000);
    run.values.push_back({kind,
                          profile.programs[program].fingerprint,
                          1,
                          {name},
                          std::move(entries),
                          other});
    return run;
  }

  /// The only table.
  ObservedValues read() {
    auto evidence = readEvidence(profile, "a profile", *module);
    if (!evidence) {
      ADD_FAILURE() << llvm::toString(evidence.takeError());
      return {};
    }
    EXPECT_EQ(evidence->values.size(), 1u);
    if (evidence->values.size() != 1)
      return {};
    EXPECT_EQ(evidence->values[0].position, 1u);
    return evidence->values[0].values;
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  Profile profile;
};

TEST_F(EvidenceValuesTest, RunsAddUpInBothOrders) {
  // 9,900 calls in 10 ms and 100 in 30 ms: the 1 % has three quarters of the
  // time, and comes first.
  profile::Run often = makeRun(ValueKind::Arguments, "n", {{{2}, 9900}}, 10);
  profile::Run seldom = makeRun(ValueKind::Arguments, "n", {{{7}, 100}}, 30);
  for (bool isTurned : {false, true}) {
    profile.runs = {often, seldom};
    if (isTurned)
      std::swap(profile.runs[0], profile.runs[1]);
    ObservedValues values = read();
    ASSERT_EQ(values.entries.size(), 2u);
    EXPECT_EQ(values.total, 10000u);
    EXPECT_EQ(values.entries[0].tuple, std::vector<int64_t>{7});
    EXPECT_EQ(values.entries[0].count, 100u);
    EXPECT_EQ(values.entries[1].count, 9900u);
    EXPECT_NEAR(values.getShare(0), 0.75, 1e-12);
    EXPECT_NEAR(values.getShare(1), 0.25, 1e-12);
  }
}

TEST_F(EvidenceValuesTest, ProgramsOfOneModelAddUp) {
  profile.runs = {makeRun(ValueKind::Arguments, "n", {{{2}, 60}}, 10),
                  makeRun(ValueKind::Arguments, "n", {{{2}, 30}}, 5, 10, 1)};
  ObservedValues values = read();
  ASSERT_EQ(values.entries.size(), 1u);
  EXPECT_EQ(values.entries[0].count, 90u);
  EXPECT_EQ(values.total, 100u);
  // 10 of 40 calls of the second run are of other values: 1.25 of 15 ms.
  EXPECT_NEAR(values.getShare(0), 13.75 / 15, 1e-12);
}

TEST_F(EvidenceValuesTest, WithinARunWorkSharesTheTime) {
  // n elements are n additions, 4 n bytes read and 4 n written; a call counts
  // 100 more. So 90 calls of 1 have 90 * 109 = 9810, 10 of 100 have 10 * 1000 =
  // 10000.
  profile.runs = {
      makeRun(ValueKind::Dimensions, "a.dim0", {{{1}, 90}, {{100}, 10}}, 1)};
  ObservedValues values = read();
  ASSERT_EQ(values.entries.size(), 2u);
  EXPECT_EQ(values.entries[0].tuple, std::vector<int64_t>{100});
  EXPECT_NEAR(values.getShare(0), 10000.0 / 19810, 1e-12);
  EXPECT_NEAR(values.getShare(1), 9810.0 / 19810, 1e-12);
}

TEST_F(EvidenceValuesTest, WithoutTimesCallsCount) {
  profile.runs = {makeRun(ValueKind::Arguments, "n", {{{2}, 9900}}, 10),
                  makeRun(ValueKind::Arguments, "n", {{{7}, 100}}, 0)};
  ObservedValues values = read();
  ASSERT_EQ(values.entries.size(), 2u);
  EXPECT_EQ(values.entries[0].count, 9900u);
  EXPECT_EQ(values.getShare(0), 0.99);
}

} // namespace
