//===- SignedRankTest.cpp - Against scipy.stats and by enumeration --------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Tuning/SignedRank.h"
#include "mlir-prof/Support/Statistics.h"
#include "gtest/gtest.h"

#include <cmath>
#include <vector>

using namespace mlirprof;
using namespace mlirprof::tuning;

namespace {

const std::vector<double> kTen = {-0.051, -0.048, 0.012,  -0.033, -0.060,
                                  -0.020, 0.004,  -0.045, -0.052, -0.039};

std::vector<double> makeForty() {
  std::vector<double> values;
  for (int i = 1; i <= 40; ++i)
    values.push_back(std::sin(i * 1.7) - 0.2);
  return values;
}

TEST(SignedRankTest, Probability) {
  // scipy.stats.wilcoxon(values, alternative="less", method="exact").
  EXPECT_NEAR(probabilityNotBelow(kTen, 0), 0.0048828125, 1e-15);
  EXPECT_NEAR(probabilityNotBelow(makeForty(), 0), 0.03516958887939836, 1e-14);
  // alternative="greater".
  std::vector<double> mirrored = makeForty();
  for (double &value : mirrored)
    value = -value;
  EXPECT_NEAR(probabilityNotBelow(mirrored, 0), 0.965887889629812, 1e-14);
  // Of 1024 signs 85 have as small a sum.
  EXPECT_NEAR(probabilityNotBelow(kTen, -0.02), 85.0 / 1024, 1e-15);
}

TEST(SignedRankTest, Ties) {
  // Ranks 2.5 four times, 5.5 twice, 7.5 twice; of 256 signs 27 have a sum of
  // at most 2.5 + 5.5.
  EXPECT_NEAR(probabilityNotBelow({-1, -1, -2, 1, -3, -3, 2, -1}, 0),
              27.0 / 256, 1e-15);
  // What is at the bound speaks against the claim: a sum of at most 1.
  EXPECT_NEAR(probabilityNotBelow({0, -1, -2, -3, -4}, 0), 2.0 / 32, 1e-15);
  EXPECT_EQ(probabilityNotBelow({0, 0, 0, 0}, 0), 1);
}

TEST(SignedRankTest, Extremes) {
  EXPECT_EQ(probabilityNotBelow({}, 0), 1);
  EXPECT_EQ(probabilityNotBelow({1}, 0), 1);
  EXPECT_EQ(probabilityNotBelow({-1}, 0), 0.5);
  std::vector<double> below(kMaxSignedRankValues, -1);
  EXPECT_DOUBLE_EQ(probabilityNotBelow(below, 0), std::ldexp(1, -256));
}

TEST(SignedRankTest, Estimates) {
  // NumPy: median of the 55 and 820 means of pairs.
  EXPECT_NEAR(estimateCenter(kTen), -0.036, 1e-15);
  EXPECT_NEAR(estimateCenter(makeForty()), -0.2006913521142899, 1e-14);
  EXPECT_NEAR(getMedian(kTen), -0.042, 1e-15);
  EXPECT_NEAR(estimateSpread(kTen), 0.0140847, 1e-12);
  EXPECT_EQ(estimateCenter({}), 0);
  EXPECT_EQ(estimateSpread({}), 0);
  // One that is far off moves nothing.
  EXPECT_NEAR(estimateCenter({1, 1, 1, 1, 1, 1, 1, 1, 1000}), 1, 1e-15);
}

} // namespace
