//===- ValuesTest.cpp - Tables of observed values -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RawReader.h"
#include "TestModule.h"
#include "gtest/gtest.h"

#include <atomic>
#include <thread>

namespace {

/// Distinct tuples that a table holds, as documented.
constexpr uint64_t kTuples = 256;

TEST(Values, AreJointTuples) {
  TestModule module("tuples", {}, {2, 0});
  for (int64_t value = 0; value < 10; ++value) {
    int64_t tuple[] = {value % 3, -value % 2};
    prof_rt_value(&module.module, 0, 2, tuple);
    prof_rt_value(&module.module, 1, 0, tuple);
  }
  RawFile file = readNow();
  const auto &values = file.find("tuples").values;
  std::map<std::vector<int64_t>, uint64_t> expected = {
      {{0, 0}, 2},  {{1, -1}, 2}, {{2, 0}, 2},
      {{0, -1}, 2}, {{1, 0}, 1},  {{2, -1}, 1}};
  EXPECT_EQ(values.at(0), expected);
  EXPECT_EQ(values.at(1).at({}), 10u);
}

TEST(Values, BeyondTheTableAreOther) {
  TestModule module("many", {}, {1});
  for (int round = 0; round < 2; ++round)
    for (int64_t value = 0; value < 1000; ++value)
      prof_rt_value(&module.module, 0, 1, &value);
  RawFile file = readNow();
  const RawModule &raw = file.find("many");
  ASSERT_EQ(raw.values.at(0).size(), kTuples);
  // Listed counts are exact.
  for (const auto &[tuple, count] : raw.values.at(0)) {
    EXPECT_LT(tuple[0], int64_t(kTuples));
    EXPECT_EQ(count, 2u);
  }
  EXPECT_EQ(raw.other.at(0), 2 * (1000 - kTuples));
}

TEST(Values, AreCountedInline) {
  TestModule module("cells", {PROF_RT_NO_PARENT}, {1, 2});
  for (int64_t value : {0, 0, 5, 5, 5, 0, 7})
    observeInline(module, 0, {value});
  for (int64_t value : {1, 1, 2})
    observeInline(module, 1, {value, value * 10});
  for (int round = 0; round < 2; ++round) {
    // Reading twice must not count twice.
    RawFile file = readNow();
    const auto &values = file.find("cells").values;
    std::map<std::vector<int64_t>, uint64_t> first = {
        {{0}, 3}, {{5}, 3}, {{7}, 1}};
    std::map<std::vector<int64_t>, uint64_t> second = {{{1, 10}, 2},
                                                       {{2, 20}, 1}};
    EXPECT_EQ(values.at(0), first);
    EXPECT_EQ(values.at(1), second);
  }
  observeInline(module, 0, {7});
  EXPECT_EQ(readNow().find("cells").values.at(0).at({7}), 2u);
}

TEST(Values, OfManyThreadsAreExact) {
  TestModule module("shared", {PROF_RT_NO_PARENT}, {1, 1});
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int64_t number = 0; number < 4; ++number)
    threads.emplace_back([&, number] {
      for (int64_t round = 0; round < 3000; ++round) {
        observeInline(module, 0, {round / 3 % 10});
        int64_t value = round % 400 + number * 100;
        prof_rt_value(&module.module, 1, 1, &value);
      }
    });
  std::thread reader([&] {
    while (!stop)
      readNow();
  });
  for (std::thread &thread : threads)
    thread.join();
  stop = true;
  reader.join();
  RawFile file = readNow();
  const RawModule &raw = file.find("shared");
  ASSERT_EQ(raw.values.at(0).size(), 10u);
  for (const auto &[tuple, count] : raw.values.at(0))
    EXPECT_EQ(count, 1200u);
  EXPECT_EQ(raw.other.at(0), 0u);
  uint64_t listed = 0;
  for (const auto &[tuple, count] : raw.values.at(1)) {
    // Exactly how often each is seen: round % 400 takes 200 of its values 8
    // times and 200 of them 7 times.
    uint64_t expected = 0;
    for (int64_t number = 0; number < 4; ++number) {
      int64_t place = tuple[0] - number * 100;
      expected += place < 0 || place >= 400 ? 0 : place < 200 ? 8 : 7;
    }
    EXPECT_EQ(count, expected) << tuple[0];
    listed += count;
  }
  EXPECT_EQ(listed + raw.other.at(1), 12000u);
}

TEST(Values, OfNoTableAreLost) {
  TestModule module("wrong", {}, {2});
  int64_t tuple[] = {1, 2, 3};
  uint64_t before = readNow().losses[PROF_RAW_LOSS_VALUE];
  prof_rt_value(&module.module, 0, 3, tuple);
  prof_rt_value(&module.module, 1, 2, tuple);
  EXPECT_EQ(readNow().losses[PROF_RAW_LOSS_VALUE], before + 2);
}

} // namespace
