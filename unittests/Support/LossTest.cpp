//===- LossTest.cpp - Data that could not be kept -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Support/Loss.h"

#include "gtest/gtest.h"

#include <limits>

using namespace mlirprof;

namespace {

TEST(LossList, AddsUpByNameInOrderOfFirstMention) {
  LossList losses;
  EXPECT_TRUE(losses.empty());
  losses.add("b", 2, 30);
  losses.add("a");
  losses.add("b", 1, -10);
  ASSERT_EQ(losses.list().size(), 2u);
  EXPECT_EQ(losses.list()[0].name, "b");
  EXPECT_EQ(losses.list()[0].count, 3u);
  EXPECT_EQ(losses.list()[0].timePs, 20);
  EXPECT_EQ(losses.list()[1].count, 1u);
  EXPECT_EQ(losses.list()[1].timePs, 0);
}

TEST(LossList, Saturates) {
  constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  LossList losses;
  losses.add("high", ~uint64_t(0), kMax);
  losses.add("high", 1, 1);
  losses.add("low", 0, kMin);
  losses.add("low", 0, -1);
  EXPECT_EQ(losses.list()[0].count, ~uint64_t(0));
  EXPECT_EQ(losses.list()[0].timePs, kMax);
  EXPECT_EQ(losses.list()[1].timePs, kMin);
}

TEST(LossList, BoundsTheNumberOfNames) {
  LossList losses;
  for (unsigned i = 0; i != 200000; ++i)
    losses.add("name " + std::to_string(i), 2, 3);
  losses.add("name 7");
  losses.add("name 1000");
  ASSERT_EQ(losses.list().size(), LossList::kMaxNames + 1);
  EXPECT_EQ(losses.list()[7].count, 3u);
  const Loss &rest = losses.list().back();
  EXPECT_EQ(rest.name, "other losses (more than 1000 names)");
  EXPECT_EQ(rest.count, 2u * 199000 + 1);
  EXPECT_EQ(rest.timePs, 3 * 199000);
}

} // namespace
