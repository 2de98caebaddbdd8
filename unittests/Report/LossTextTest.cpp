//===- LossTextTest.cpp - Descriptions of losses --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Report/LossText.h"
#include "gtest/gtest.h"

#include <limits>

using namespace mlirprof;
using namespace mlirprof::report;

TEST(LossText, SaysWhatIsTheLeast) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(describeLoss({"event", 3, 1000000000}), "event: 3 times, 1.000 ms");
  EXPECT_FALSE(isSaturated({"event", ~uint64_t(0) - 1, kMost - 1}));
  EXPECT_EQ(describeLoss({"event", ~uint64_t(0), 0}),
            "event: at least 18446744073709551615 times, 0 ps");
  EXPECT_EQ(describeLoss({"event", 2, kMost}),
            "event: 2 times, at least 9223372.037 s");
  EXPECT_TRUE(isSaturated({"event", 0, -kMost - 1}));
}

// Sums saturate, and saturated numbers stay unchanged.
TEST(LossText, FollowsLists) {
  LossList losses;
  losses.add("event", ~uint64_t(0), 5);
  losses.add("event", 7, 6);
  EXPECT_EQ(describeLoss(losses.list().front()),
            "event: at least 18446744073709551615 times, 11 ps");
}
