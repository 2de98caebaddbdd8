//===- VersionsTest.cpp - Proposals of versions ---------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Optimize/Techniques/Techniques.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::optimize;
using namespace mlirprof::profile;
using namespace mlirprof::tuning;

namespace {

class VersionsTest : public testing::Test {
protected:
  VersionsTest() {
    context.loadDialect<mlir::func::FuncDialect>();
    module = mlir::parseSourceString<mlir::ModuleOp>(
        "func.func @main(%a: tensor<?x?xf32>, %n: index, %b: tensor<4x?xf32>,\n"
        "                %m: tensor<i32>, %f: f32, %unused: i1)\n"
        "    -> (tensor<?x?xf32>, index, tensor<4x?xf32>, tensor<i32>, f32) {\n"
        "  return %a, %n, %b, %m, %f : tensor<?x?xf32>, index,\n"
        "      tensor<4x?xf32>, tensor<i32>, f32\n"
        "}\n",
        &context);
    sites.module = *module;
    sites.entry = *module->getOps<mlir::func::FuncOp>().begin();
    sites.hasProfile = true;
    // Something else, so that indices of sites matter.
    sites.sites.resize(2);
    sites.sites[0].ops = {*module};
    sites.sites[1].ops = {sites.entry};
  }

  void observe(ValueKind kind, std::vector<std::string> names,
               std::vector<ValueCount> entries, uint64_t other = 0) {
    ObservedValues values;
    values.kind = kind;
    values.names = std::move(names);
    values.total = other;
    for (const ValueCount &entry : entries)
      values.total += entry.count;
    values.entries = std::move(entries);
    sites.sites[1].values.push_back(std::move(values));
  }
  void observeSizes(std::vector<ValueCount> entries, uint64_t other = 0) {
    observe(ValueKind::Dimensions, {"a.dim0", "a.dim1", "b.dim1"},
            std::move(entries), other);
  }
  /// Observes values of n, m and unused.
  void observeNumbers(std::vector<ValueCount> entries, uint64_t other = 0) {
    observe(ValueKind::Arguments, {"n", "m", "unused"}, std::move(entries),
            other);
  }

  /// The choices, all for the function.
  std::vector<Choice> propose() {
    std::vector<Choice> choices;
    for (const Proposal &proposal : technique::Versions().propose(sites)) {
      EXPECT_EQ(proposal.choices.size(), 1u);
      EXPECT_EQ(proposal.choices.front().first, 1u);
      choices.push_back(proposal.choices.front().second);
    }
    return choices;
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  ModelSites sites;
};

TEST_F(VersionsTest, NothingWithoutObservations) {
  EXPECT_TRUE(propose().empty());
  observeSizes({{{1, 2, 3}, 100}});
  EXPECT_EQ(propose().size(), 1u);
  sites.hasProfile = false;
  EXPECT_TRUE(propose().empty());
}

TEST_F(VersionsTest, FrequentSizesAndFewerOfThem) {
  observeSizes({{{1, 2, 3}, 500}, {{4, 5, 6}, 300}, {{7, 8, 9}, 180}}, 20);
  std::string first = "arg0.dim0=1 arg0.dim1=2 arg2.dim1=3";
  std::string second = "arg0.dim0=4 arg0.dim1=5 arg2.dim1=6";
  std::string third = "arg0.dim0=7 arg0.dim1=8 arg2.dim1=9";
  EXPECT_EQ(propose(),
            (std::vector<Choice>{{{"1", first}, {"2", second}, {"3", third}},
                                 {{"1", first}},
                                 {{"1", first}, {"2", second}}}));
}

TEST_F(VersionsTest, RareSizesAndMoreThanFour) {
  // 19 of 1000 are too few; of the others four.
  std::vector<ValueCount> entries;
  for (int64_t size = 1; size <= 5; ++size)
    entries.push_back({{size, 1, 1}, 196});
  entries.push_back({{6, 1, 1}, 19});
  observeSizes(entries, 1);
  std::vector<Choice> choices = propose();
  ASSERT_EQ(choices.size(), 3u);
  EXPECT_EQ(choices[0].size(), 4u);
  EXPECT_EQ(choices[0].at("4"), "arg0.dim0=4 arg0.dim1=1 arg2.dim1=1");
  sites.sites[1].values.clear();
  observeSizes({{{1, 2, 3}, 19}}, 981);
  EXPECT_TRUE(propose().empty());
}

TEST_F(VersionsTest, ValuesThatAreAlmostAlwaysTheSame) {
  // n alone holds in 95 %, m in 80 %; what is not used decides nothing.
  observeNumbers({{{7, 1, 1}, 75}, {{7, 2, 1}, 20}, {{8, 1, 1}, 5}});
  EXPECT_EQ(propose(), (std::vector<Choice>{{{"1", "arg1=7"}}}));
  sites.sites[1].values.clear();
  observeNumbers({{{7, -1, 0}, 95}, {{7, 2, 0}, 5}});
  EXPECT_EQ(propose(), (std::vector<Choice>{{{"1", "arg1=7 arg3=-1"}}}));
  sites.sites[1].values.clear();
  // Each holds in 90 %, both only in 80 %.
  observeNumbers({{{7, 1, 0}, 80}, {{7, 2, 0}, 10}, {{8, 1, 0}, 10}});
  EXPECT_EQ(propose(), (std::vector<Choice>{{{"1", "arg1=7"}}}));
  sites.sites[1].values.clear();
  // A tuple that did not fit counts as another value.
  observeNumbers({{{7, 1, 0}, 89}}, 11);
  EXPECT_TRUE(propose().empty());
}

TEST_F(VersionsTest, SizesAndValues) {
  observeSizes({{{1, 2, 3}, 60}, {{4, 5, 6}, 40}});
  observeNumbers({{{7, 1, 0}, 100}});
  std::string first = "arg0.dim0=1 arg0.dim1=2 arg2.dim1=3";
  std::string second = "arg0.dim0=4 arg0.dim1=5 arg2.dim1=6";
  std::string numbers = "arg1=7 arg3=1";
  EXPECT_EQ(propose(), (std::vector<Choice>{{{"1", first + " " + numbers},
                                             {"2", second + " " + numbers},
                                             {"3", numbers}},
                                            {{"1", numbers}},
                                            {{"1", first}, {"2", second}},
                                            {{"1", first}}}));
}

TEST_F(VersionsTest, RunsCountTogether) {
  observeSizes({{{1, 2, 3}, 60}, {{4, 5, 6}, 40}});
  observeSizes({{{4, 5, 6}, 100}});
  std::string first = "arg0.dim0=4 arg0.dim1=5 arg2.dim1=6";
  std::string second = "arg0.dim0=1 arg0.dim1=2 arg2.dim1=3";
  EXPECT_EQ(propose(), (std::vector<Choice>{{{"1", first}, {"2", second}},
                                            {{"1", first}}}));
}

TEST_F(VersionsTest, ObservationsOfAnotherFunctionAreLeftOut) {
  observe(ValueKind::Dimensions, {"a.dim0"}, {{{8}, 100}});
  observe(ValueKind::Arguments, {"n", "m", "unused"}, {{{8}, 100}});
  EXPECT_TRUE(propose().empty());
}

} // namespace
