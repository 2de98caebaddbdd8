//===- ValueSumsTest.cpp - Tests of sums of observed values ---------------
//===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Profile/ValueSums.h"
#include "gtest/gtest.h"

#include <limits>

using namespace mlirprof;
using namespace mlirprof::profile;

namespace {

using Entries = std::vector<std::pair<std::vector<int64_t>, uint64_t>>;

Run makeRun(Entries entries, uint64_t other = 0,
            ValueKind kind = ValueKind::Arguments) {
  ValueTable table{kind, "program", 3, {"n"}, {}, other};
  for (auto &[tuple, count] : entries)
    table.entries.push_back({tuple, count});
  Run run;
  run.values.push_back(std::move(table));
  return run;
}

Entries getEntries(const ValueTable &table) {
  Entries entries;
  for (const ValueCount &entry : table.entries)
    entries.emplace_back(entry.tuple, entry.count);
  return entries;
}

TEST(ValueSums, RunsAddUpInAnyOrder) {
  // 9,900 calls with 2 in one run; 100 with 7 and 20 with 2 in the other, and 5
  // that did not fit: 2 has 9920.
  profile::Run often = makeRun({{{2}, 9900}}),
               seldom = makeRun({{{7}, 100}, {{2}, 20}}, 5);
  for (bool isTurned : {false, true}) {
    Profile profile;
    profile.runs = {often, seldom};
    if (isTurned)
      std::swap(profile.runs[0], profile.runs[1]);
    std::vector<ValueTable> tables = sumValues(profile);
    ASSERT_EQ(tables.size(), 1u);
    EXPECT_EQ(getEntries(tables[0]), (Entries{{{2}, 9920}, {{7}, 100}}));
    EXPECT_EQ(tables[0].other, 5u);
    EXPECT_EQ(tables[0].node, 3u);
    EXPECT_EQ(tables[0].names, std::vector<std::string>{"n"});
  }
}

TEST(ValueSums, PlacesAndKindsStayApart) {
  Profile profile;
  profile.runs = {makeRun({{{1}, 1}}), makeRun({{{1}, 2}}, 0, ValueKind::Trips),
                  makeRun({{{1}, 4}}), makeRun({{{1}, 8}})};
  profile.runs[2].values[0].node = 4;
  profile.runs[3].values[0].program = "another";
  std::vector<uint64_t> counts;
  for (const ValueTable &table : sumValues(profile))
    counts.push_back(table.entries.at(0).count);
  EXPECT_EQ(counts, (std::vector<uint64_t>{2, 8, 1, 4}));
}

TEST(ValueSums, CountsSaturate) {
  constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();
  Profile profile;
  profile.runs = {makeRun({{{1}, kMost}}, kMost), makeRun({{{1}, 2}}, 2)};
  std::vector<ValueTable> tables = sumValues(profile);
  EXPECT_EQ(tables.at(0).entries.at(0).count, kMost);
  EXPECT_EQ(tables.at(0).other, kMost);
}

} // namespace
