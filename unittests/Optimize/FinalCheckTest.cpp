//===- FinalCheckTest.cpp - Whether the result holds as a whole -----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Optimize/Search/FinalCheck.h"
#include "SearchParts.h"
#include "gtest/gtest.h"

using namespace mlirprof::test;

namespace {

/// The first choice of a machine as the result.
struct Result {
  explicit Result(FakeMachine &machine,
                  llvm::function_ref<void(OptimizerOptions &)> tune = nullptr)
      : parts(machine, tune) {
    parts.start();
    ModelVersion version = parts.build(0);
    version.seconds = parts.incumbent.getBaseline().seconds;
    version.isForSizeOnly = machine.choices[0].smaller > 0;
    parts.incumbent.adopt(std::move(version));
  }

  std::optional<Refusal> compareTimes() {
    return llvm::cantFail(check.compareTimes(parts.comparer, parts.incumbent));
  }
  std::optional<Refusal> checkOtherRequests() {
    return llvm::cantFail(
        check.checkOtherRequests(parts.incumbent, parts.journal));
  }

  SearchParts parts;
  FinalCheck check{parts.options, parts.budget, parts.builder, parts.reference};
};

TEST(FinalCheckTest, FasterHolds) {
  FakeMachine machine({{0.1}}, 1, kQuiet);
  Result result(machine);
  EXPECT_FALSE(result.compareTimes());
  ASSERT_TRUE(result.check.getComparison());
  EXPECT_NEAR(result.check.getComparison()->ratio, 0.9, 0.005);
}

TEST(FinalCheckTest, SlowerIsTheFaultOfTheChoices) {
  FakeMachine machine({{-0.1}}, 1, kQuiet);
  Result result(machine);
  std::optional<Refusal> refusal = result.compareTimes();
  ASSERT_TRUE(refusal);
  EXPECT_TRUE(llvm::StringRef(refusal->why)
                  .starts_with("the result is not faster beyond noise: 1.1"))
      << refusal->why;
  EXPECT_EQ(refusal->blame, Blame::Choices);
}

TEST(FinalCheckTest, ADisturbanceIsNotTheirFault) {
  FakeMachine machine({{-0.1}}, 1, kQuiet);
  Result result(machine);
  machine.slowness = 1.5;
  std::optional<Refusal> refusal = result.compareTimes();
  ASSERT_TRUE(refusal);
  EXPECT_TRUE(
      llvm::StringRef(refusal->why).ends_with("; the machine was disturbed"));
  EXPECT_EQ(refusal->blame, Blame::Circumstances);
}

TEST(FinalCheckTest, SmallerCodeNeedNotBeFaster) {
  FakeMachine machine({{0, Fault::None, 0.3}}, 1, kQuiet);
  EXPECT_FALSE(Result(machine).compareTimes());
  FakeMachine others({{0}}, 1, kQuiet);
  EXPECT_TRUE(Result(others).compareTimes());
}

// A loss of 0.8 % is larger than a gain that does not count.
TEST(FinalCheckTest, SmallerCodeMayNotBeSlower) {
  FakeMachine machine({{-0.008, Fault::None, 0.3}}, 1, kQuiet);
  Result result(machine);
  std::optional<Refusal> refusal = result.compareTimes();
  ASSERT_TRUE(refusal);
  EXPECT_TRUE(llvm::StringRef(refusal->why)
                  .starts_with("the result is not shown to be as fast: 1.00"))
      << refusal->why;
  EXPECT_EQ(refusal->blame, Blame::Choices);
  EXPECT_EQ(result.check.getSizeMargin(), 0.005);
}

TEST(FinalCheckTest, OtherArguments) {
  auto two = [](OptimizerOptions &options) { options.checkRequests.resize(2); };
  FakeMachine right({{0.1}}, 1, kQuiet);
  EXPECT_FALSE(Result(right, two).checkOtherRequests());
  FakeMachine wrong({{0.1, Fault::WrongOnOthers}}, 1, kQuiet);
  Result result(wrong, two);
  std::optional<Refusal> refusal = result.checkOtherRequests();
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->blame, Blame::Choices);
  EXPECT_EQ(result.parts.incumbent.get().error, 0.5);
  // Without a reference there is nothing to compare with.
  FakeMachine slow({{0.1, Fault::WrongOnOthers}}, 1, kQuiet);
  slow.isUnoptimizedSlowOnOthers = true;
  Result unchecked(slow, two);
  EXPECT_FALSE(unchecked.checkOtherRequests());
  EXPECT_EQ(unchecked.parts.journal.getNotes().size(), 1u);
}

} // namespace
