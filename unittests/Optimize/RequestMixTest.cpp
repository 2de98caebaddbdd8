//===- RequestMixTest.cpp - Tests of requests for calls -------------------
//===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Optimize/RequestMix.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::optimize;
using namespace mlirprof::profile;

namespace {

using Mix = std::vector<std::pair<int64_t, unsigned>>;

ObservedValues observe(std::vector<ValueCount> entries,
                       std::vector<double> weights = {}) {
  ObservedValues values;
  for (const ValueCount &entry : entries)
    values.total += entry.count;
  values.entries = std::move(entries);
  values.weights = std::move(weights);
  return values;
}

Mix choose(const ObservedValues &values, const MixLimits &limits) {
  Mix mix;
  for (const MixedTuple &part : chooseMix(values, limits))
    mix.emplace_back(part.tuple.at(0), part.requests);
  return mix;
}

/// A request of so many bytes, of a model that takes a microsecond.
MixLimits makeLimits(double bytes) { return {1e-6, bytes}; }

TEST(RequestMix, AFewWhereAllAreFrequent) {
  EXPECT_EQ(choose(observe({{{2}, 50}, {{7}, 50}}), makeLimits(4)),
            (Mix{{2, 8}, {7, 8}}));
  // 90 % of 16 are 14.4.
  EXPECT_EQ(choose(observe({{{2}, 90}, {{7}, 10}}), makeLimits(4)),
            (Mix{{2, 14}, {7, 2}}));
}

TEST(RequestMix, MoreWhereAValueIsRare) {
  // 1 % of 64 are 0.64, less than 0.75; of 128 1.28.
  ObservedValues values = observe({{{2}, 9900}, {{7}, 100}});
  EXPECT_EQ(choose(values, makeLimits(4)), (Mix{{2, 127}, {7, 1}}));
  // 64 of a mebibyte are as much as there may be; 16 of four are.
  EXPECT_EQ(choose(values, makeLimits(1 << 20)), (Mix{{2, 63}, {7, 1}}));
  EXPECT_EQ(choose(values, makeLimits(4 << 20)), (Mix{{2, 15}, {7, 1}}));
  // 32 runs of 3 ms pass in 0.1 s, 64 do not.
  EXPECT_EQ(choose(values, {3e-3, 4}), (Mix{{2, 31}, {7, 1}}));
  EXPECT_EQ(choose(values, {1e-6, 4, 10}), (Mix{{2, 9}, {7, 1}}));
}

TEST(RequestMix, TimeChoosesAndCallsCount) {
  // 7 has one call of a hundred and nine tenths of the time: it is in, as often
  // as it was called. 3 has as many calls and no time.
  EXPECT_EQ(choose(observe({{{7}, 100}, {{2}, 9800}, {{3}, 100}},
                           {0.9, 0.0999, 0.0001}),
                   makeLimits(4)),
            (Mix{{7, 1}, {2, 127}}));
}

TEST(RequestMix, AtMostSixteenValues) {
  std::vector<ValueCount> entries;
  for (int64_t i = 0; i != 40; ++i)
    entries.push_back({{i}, 10});
  Mix mix = choose(observe(entries), makeLimits(4));
  ASSERT_EQ(mix.size(), 16u);
  for (auto [value, requests] : mix)
    EXPECT_EQ(requests, 1u) << value;
  EXPECT_EQ(choose(observe(entries), {1e-6, 4, 3}).size(), 3u);
}

TEST(RequestMix, NothingOfNothing) {
  EXPECT_TRUE(choose(observe({}), {}).empty());
}

} // namespace
