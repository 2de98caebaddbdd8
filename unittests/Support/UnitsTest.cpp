//===- UnitsTest.cpp - Formatting and parsing times -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Support/Units.h"
#include "gtest/gtest.h"

using namespace mlirprof;

TEST(UnitsTest, FormatsWithThreeDecimals) {
  EXPECT_EQ(formatTime(0), "0 ps");
  EXPECT_EQ(formatTime(999), "999 ps");
  EXPECT_EQ(formatTime(1000), "1.000 ns");
  EXPECT_EQ(formatTime(1234567), "1.235 us");
  EXPECT_EQ(formatTime(248717188000), "248.717 ms");
  EXPECT_EQ(formatTime(-1500000000000), "-1.500 s");
  EXPECT_EQ(formatTime(INT64_MAX), "9223372.037 s");
  EXPECT_EQ(formatTime(INT64_MIN), "-9223372.037 s");
}

TEST(UnitsTest, RoundsHalfAwayFromZero) {
  TimeUnit us = chooseTimeUnit(1000000);
  EXPECT_EQ(us.name, "us");
  EXPECT_EQ(formatTimeIn(499, us), "0.000");
  EXPECT_EQ(formatTimeIn(500, us), "0.001");
  EXPECT_EQ(formatTimeIn(-499, us), "0.000");
  EXPECT_EQ(formatTimeIn(-500, us), "-0.001");
  EXPECT_EQ(formatTimeIn(999999500, us), "1000.000");
}

TEST(UnitsTest, ShortTimesHaveThreeDigits) {
  EXPECT_EQ(shortTime(0), "0 ps");
  EXPECT_EQ(shortTime(999), "999 ps");
  EXPECT_EQ(shortTime(1000), "1.00 ns");
  EXPECT_EQ(shortTime(999999), "1.00 \u00b5s");
  EXPECT_EQ(shortTime(12345678), "12.3 \u00b5s");
  EXPECT_EQ(shortTime(-1500000000), "-1.50 ms");
  EXPECT_EQ(shortTime(INT64_MAX), "9223372 s");
}

TEST(UnitsTest, Percent) {
  EXPECT_EQ(formatPercent(1, 3), "33.3 %");
  EXPECT_EQ(formatPercent(2, 3), "66.7 %");
  EXPECT_EQ(formatPercent(1, 2000), "0.1 %");
  EXPECT_EQ(formatPercent(INT64_MAX, INT64_MAX), "100.0 %");
  EXPECT_EQ(formatPercent(-1, 4), "-25.0 %");
  EXPECT_EQ(formatPercent(1, 0), "");
}

TEST(UnitsTest, CountsNouns) {
  EXPECT_EQ(formatCount(0, "row"), "0 rows");
  EXPECT_EQ(formatCount(1, "matching row"), "1 matching row");
  EXPECT_EQ(formatCount(UINT64_MAX, "file"), "18446744073709551615 files");
}

TEST(UnitsTest, Parses) {
  for (auto [text, ps] : {std::pair<const char *, int64_t>("1500", 1500),
                          {"0", 0},
                          {"7ps", 7},
                          {"1.5ns", 1500},
                          {"20us", 20000000},
                          {"20 \u00b5s", 20000000},
                          {" 2 ms ", 2000000000},
                          {"1.5s", 1500000000000},
                          {"-3ns", -3000},
                          {"2.000ps", 2},
                          {"0.000000000001s", 1},
                          {"9223372036854775807", INT64_MAX},
                          {"-9223372036854775808", INT64_MIN}}) {
    llvm::Expected<int64_t> parsed = parseTime(text);
    ASSERT_TRUE(bool(parsed)) << text;
    EXPECT_EQ(*parsed, ps) << text;
  }
}

TEST(UnitsTest, RefusesOtherTexts) {
  for (auto [text, what] :
       {std::pair<llvm::StringRef, llvm::StringRef>("", "is not a time"),
        {"ms", "is not a time"},
        {"1.", "is not a time"},
        {".5ms", "is not a time"},
        {"1h", "is not a time"},
        {"1e3", "is not a time"},
        {"0.5", "has fractions of a picosecond"},
        {"1.0005ns", "has fractions of a picosecond"},
        {"9223372036854775808", "is too large"},
        {"99999999999999999999999999999999999999999s", "is too large"},
        {"18446744073709551616s", "is too large"}}) {
    llvm::Expected<int64_t> parsed = parseTime(text);
    ASSERT_FALSE(bool(parsed)) << text.str();
    EXPECT_EQ(llvm::toString(parsed.takeError()),
              ("'" + text + "': " + what +
               "\n  hint: Write a time as a number of ps, ns, us, ms or s, "
               "like 1500, 20us or 1.5ms.")
                  .str());
  }
}
