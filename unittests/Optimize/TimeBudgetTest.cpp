//===- TimeBudgetTest.cpp - Seconds that a search may take ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Optimize/Search/TimeBudget.h"
#include "gtest/gtest.h"

using namespace mlirprof::optimize;

namespace {

TEST(TimeBudgetTest, CountsFromItsBegin) {
  double now = 100;
  TimeBudget budget([&] { return now; }, /*totalSeconds=*/50,
                    /*usedSeconds=*/3, /*requests=*/2);
  now = 110;
  EXPECT_DOUBLE_EQ(budget.getUsed(), 13);
  EXPECT_DOUBLE_EQ(budget.getLeft(), 37);
  EXPECT_EQ(budget.getTotal(), 50);
}

TEST(TimeBudgetTest, RunLimitGoesByWhatIsKnown) {
  TimeBudget budget([] { return 0; }, 50, 0, 2);
  // Ten seconds, and for each request five, four runs of the unoptimized model
  // or fifty of the model.
  EXPECT_DOUBLE_EQ(budget.getRunLimit(2), 20);
  budget.setReferenceSeconds(1);
  EXPECT_DOUBLE_EQ(budget.getRunLimit(2), 20);
  budget.setReferenceSeconds(2);
  EXPECT_DOUBLE_EQ(budget.getRunLimit(2), 26);
  budget.setModelSeconds(0.1);
  EXPECT_DOUBLE_EQ(budget.getRunLimit(2), 20);
  EXPECT_DOUBLE_EQ(budget.getRunLimit(1), 15);
}

TEST(TimeBudgetTest, ComparisonsTakeFourMeasurementsARound) {
  TimeBudget budget([] { return 0; }, 50, 0, 2);
  // 22 rounds of four measurements of a millisecond, each with a fifth more.
  EXPECT_DOUBLE_EQ(budget.getComparisonSeconds(20), 0.1056);
  budget.setModelSeconds(0.1);
  EXPECT_DOUBLE_EQ(budget.getComparisonSeconds(20), 21.12);
}

TEST(TimeBudgetTest, ComparisonsTakeAsLongAsTheControl) {
  TimeBudget budget([] { return 0; }, 50, 0, 2);
  budget.setModelSeconds(1e-3);
  // Two processes start in 20 ms each.
  budget.setRoundSeconds(0.05);
  EXPECT_DOUBLE_EQ(budget.getComparisonSeconds(20), 1.1);
  EXPECT_DOUBLE_EQ(budget.getReservedSeconds(), 1.1);
}

TEST(TimeBudgetTest, ReservesAFifthWithinLimits) {
  auto reserve = [](double total, double modelSeconds) {
    TimeBudget budget([] { return 0; }, total, 0, 2);
    budget.setModelSeconds(modelSeconds);
    return budget.getReservedSeconds();
  };
  EXPECT_DOUBLE_EQ(reserve(100, 0.1), 20);
  // Ten rounds at least, twenty at most, and a minute.
  EXPECT_DOUBLE_EQ(reserve(50, 0.1), 11.52);
  EXPECT_DOUBLE_EQ(reserve(1000, 0.1), 21.12);
  EXPECT_DOUBLE_EQ(reserve(1000, 1), 60);
}

} // namespace
