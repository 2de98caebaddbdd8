//===- TableTest.cpp - Tables of scopes -----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Scope/Table.h"
#include "ReadScopes.h"
#include "mlir-prof/Scope/RecordingBuilder.h"
#include "mlir-prof/Scope/Scope.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <thread>

using namespace mlirprof;
using namespace mlirprof::scope;

using Lines = std::vector<std::string>;

static void spend(int64_t ns) { simulatedNs += ns; }

/// Calls, total and self time in ns of each row, indented.
static Lines makeLines(const std::vector<TableRow> &rows) {
  Lines lines;
  for (const TableRow &row : rows)
    lines.push_back(std::string(row.depth, ' ') + row.name + " " +
                    std::to_string(row.calls) + " " +
                    std::to_string(row.totalPs / 1000) + " " +
                    std::to_string(row.selfPs / 1000) +
                    (row.isGroup ? " group" : ""));
  return lines;
}

static Recording record(void (*work)(), uint32_t modes = PROF_SCOPE_EVENTS) {
  prof_scope_options options = PROF_SCOPE_OPTIONS;
  options.modes = modes;
  options.level = PROF_SCOPE_LEVEL_ALL;
  EXPECT_EQ(prof_scope_start(&options, nullptr), 0);
  work();
  Recording recording = readScopes();
  prof_scope_stop(nullptr);
  return recording;
}

static void run(const char *name, int64_t ns) {
  Scope one(name);
  spend(ns);
}

TEST(Tables, SplitNamesAtASeparator) {
  SimulatedClock clock;
  Recording recording = record([] {
    run("tune/build/gcc", 10);
    run("tune/build/llvm", 20);
    run("tune/run", 30);
    run("tune/run", 40);
    run("other", 5);
    run("/", 1);
    run("", 2);
  });
  TableOptions options;
  options.separator = "/";
  EXPECT_EQ(makeLines(makeTable(recording, options)),
            (Lines{"tune 4 100 100 group", " build 2 30 30 group",
                   "  gcc 1 10 10", "  llvm 1 20 20", " run 2 70 70",
                   "other 1 5 5", " 1 2 2", "  1 1 1"}));
}

TEST(Tables, NamesContinueThoseAroundThem) {
  SimulatedClock clock;
  Recording recording = record([] {
    Scope around("tune");
    spend(1);
    run("tune/build", 10);
    run("load/file", 5);
  });
  TableOptions options;
  options.key = RowKey::Path;
  options.separator = "/";
  EXPECT_EQ(makeLines(makeTable(recording, options)),
            (Lines{"tune 1 16 1", " build 1 10 10", " load 1 5 5 group",
                   "  file 1 5 5"}));
}

TEST(Tables, FiltersLeaveScopesOut) {
  SimulatedClock clock;
  Recording recording = record([] {
    Scope step("step", ScopeType::ProfileStep);
    spend(1);
    {
      Scope hidden("hidden", ScopeType::Forward, 3, ScopeRole::InnerOp);
      spend(2);
      Scope op("op", ScopeType::Operator, 2);
      spend(4);
    }
  });
  TableOptions options;
  options.key = RowKey::Path;
  Lines expected = {"step 1 7 1", " op 1 4 4"};
  options.types = 1 << unsigned(ScopeType::Operator) |
                  1 << unsigned(ScopeType::ProfileStep);
  EXPECT_EQ(makeLines(makeTable(recording, options)), expected);
  options.types = 0;
  options.roles = 1 << unsigned(ScopeRole::Ordinary);
  EXPECT_EQ(makeLines(makeTable(recording, options)), expected);
  options.roles = 0;
  options.level = 2;
  EXPECT_EQ(makeLines(makeTable(recording, options)), expected);
  options.level = 1;
  options.key = RowKey::Name;
  EXPECT_EQ(makeLines(makeTable(recording, options)), (Lines{"step 1 7 1"}));
}

TEST(Tables, CountScopesOfOtherThreadsBelow) {
  SimulatedClock clock;
  Recording recording = record([] {
    PROF_SCOPE("spawner");
    for (int count = 1; count <= 3; ++count)
      std::thread([count, context = here()] {
        ContextGuard guard(context);
        run("work", count);
      }).join();
  });
  std::vector<TableRow> rows = makeTable(recording);
  sortRows(rows, RowOrder::Name);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].name, "spawner");
  EXPECT_EQ(rows[0].linked, 3u);
  EXPECT_EQ(rows[0].linkedPs, 6000);
  EXPECT_EQ(rows[0].selfPs, 6000);
  EXPECT_EQ(rows[1].linked, 0u);
}

TEST(Tables, UniteRecordings) {
  SimulatedClock clock;
  Recording first = record([] { run("a", 10); });
  Recording second = record([] {
    run("b", 1);
    run("a", 30);
  });
  // The second process began a second before.
  second.clock.anchorNs = first.clock.anchorNs - 1000000000;
  Recordings both = {&first, &second};
  std::vector<TableRow> rows = makeTable(both);
  EXPECT_EQ(makeLines(rows), (Lines{"b 1 1 1", "a 2 40 40"}));
  EXPECT_EQ(rows[1].minPs, 10000);
  EXPECT_EQ(rows[1].maxPs, 30000);
  EXPECT_EQ(rows[1].getAveragePs(), 20000);
  // On the clock of the earliest recording, whichever comes first.
  EXPECT_EQ(rows[0].firstEndPs, makeTable(second)[0].firstEndPs);
  EXPECT_EQ(rows[1].firstEndPs, makeTable(second)[1].firstEndPs);
  EXPECT_EQ(makeTable(Recordings{&second, &first})[1].firstEndPs,
            rows[1].firstEndPs);
  TableOptions apart;
  apart.mergesThreads = false;
  rows = makeTable(both, apart);
  EXPECT_EQ(makeLines(rows), (Lines{"b 1 1 1", "a 1 30 30", "a 1 10 10"}));
  EXPECT_EQ(rows[1].recording, 1u);
  EXPECT_EQ(rows[2].recording, 0u);
}

TEST(Tables, StatisticsOfSeveralRecordings) {
  SimulatedClock clock;
  auto work = [] {
    for (int index = 1; index <= 100; ++index)
      run("a/b", index);
  };
  Recording first = record(work, PROF_SCOPE_STATISTICS);
  Recording second = record(work, PROF_SCOPE_STATISTICS);
  // Its ticks are twice as long.
  second.clock.ps *= 2;
  EXPECT_TRUE(hasBetterStatistics(first));
  TableOptions options;
  options.separator = "/";
  std::vector<TableRow> rows = makeBestTable({&first, &second}, options);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_TRUE(rows[0].isGroup);
  EXPECT_EQ(rows[0].calls, 200u);
  EXPECT_EQ(rows[1].calls, 200u);
  EXPECT_EQ(rows[1].totalPs, 3 * 5050 * 1000);
  EXPECT_EQ(rows[1].minPs, 1000);
  EXPECT_EQ(rows[1].maxPs, 200000);
  // Both together: 1 to 100, and every second one to 200.
  std::vector<int64_t> all;
  for (int index = 1; index <= 100; ++index) {
    all.push_back(index * 1000);
    all.push_back(index * 2000);
  }
  std::sort(all.begin(), all.end());
  EXPECT_NEAR(double(rows[1].p50Ps), double(all[99]), double(all[99]) * 0.06);
  EXPECT_NEAR(double(rows[1].p90Ps), double(all[179]), double(all[179]) * 0.06);
}

/// Recordings of which some have statistics alone, some a sample as well, and
/// some all events make one table, equal to that of all events.
TEST(Tables, StatisticsAndEventsAreMixed) {
  SimulatedClock clock;
  static std::mt19937 random(11);
  static std::vector<int64_t> outer, inner;
  auto work = [] {
    for (int count = 0; count != 300; ++count) {
      int64_t before = int64_t(random() % 100000), in = 0;
      {
        PROF_SCOPE("outer");
        spend(before);
        for (uint32_t left = random() % 3; left; --left) {
          inner.push_back(int64_t(random() % 1000) + 1);
          in += inner.back();
          run("inner", inner.back());
        }
      }
      outer.push_back(before + in);
    }
  };
  Recording events = record(work);
  Recording statistics = record(work, PROF_SCOPE_STATISTICS);
  prof_scope_options options = PROF_SCOPE_OPTIONS;
  options.modes = PROF_SCOPE_EVENTS | PROF_SCOPE_STATISTICS;
  options.sample_every = 7;
  EXPECT_EQ(prof_scope_start(&options, nullptr), 0);
  work();
  Recording both = readScopes();
  prof_scope_stop(nullptr);
  Recordings all = {&statistics, &events, &both};
  EXPECT_TRUE(haveBetterStatistics(all));
  EXPECT_FALSE(haveBetterStatistics({&events}));
  std::vector<TableRow> rows = makeBestTable(all);
  sortRows(rows, RowOrder::Name);
  ASSERT_EQ(rows.size(), 2u);
  int64_t sumInner = std::accumulate(inner.begin(), inner.end(), int64_t(0));
  int64_t sumOuter = std::accumulate(outer.begin(), outer.end(), int64_t(0));
  for (bool isInner : {true, false}) {
    const TableRow &row = rows[isInner ? 0 : 1];
    std::vector<int64_t> &times = isInner ? inner : outer;
    std::sort(times.begin(), times.end());
    EXPECT_EQ(row.calls, times.size());
    EXPECT_EQ(row.totalPs, 1000 * (isInner ? sumInner : sumOuter));
    EXPECT_EQ(row.selfPs, 1000 * (isInner ? sumInner : sumOuter - sumInner));
    EXPECT_EQ(row.minPs, 1000 * times.front());
    EXPECT_EQ(row.maxPs, 1000 * times.back());
    auto expectNear = [&](int64_t found, size_t perMille) {
      double wanted =
          double(times[(times.size() * perMille + 999) / 1000 - 1]) * 1000;
      EXPECT_NEAR(double(found), wanted, wanted * 0.06) << perMille;
    };
    expectNear(row.p50Ps, 500);
    expectNear(row.p90Ps, 900);
    expectNear(row.p99Ps, 990);
  }
  // Threads of recordings are apart.
  TableOptions apart;
  apart.mergesThreads = false;
  EXPECT_EQ(makeBestTable(all, apart).size(), 6u);
  // Paths need events; those without any have rows without parents.
  TableOptions paths;
  paths.key = RowKey::Path;
  rows = makeBestTable({&statistics, &events}, paths);
  sortRows(rows, RowOrder::Name);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].name, "inner");
  EXPECT_EQ(rows[0].depth, 0u);
  EXPECT_EQ(rows[1].name, "outer");
  EXPECT_EQ(rows[1].calls, 600u);
  EXPECT_EQ(rows[2].depth, 1u);
}

TEST(Tables, QuantilesAreThoseOfSortedDurations) {
  SimulatedClock clock;
  std::mt19937 random(3);
  for (size_t count : {1, 2, 3, 10, 999, 1000, 1001}) {
    std::vector<int64_t> durations;
    prof_scope_start(nullptr, nullptr);
    for (size_t index = 0; index != count; ++index) {
      durations.push_back(int64_t(random() % 5000));
      run("one", durations.back());
    }
    std::vector<TableRow> rows = makeTable(readScopes());
    prof_scope_stop(nullptr);
    std::sort(durations.begin(), durations.end());
    ASSERT_EQ(rows.size(), 1u);
    auto expectRank = [&](int64_t found, size_t perMille) {
      // The first value that so many are not above.
      size_t rank = 1;
      while (rank * 1000 < count * perMille)
        ++rank;
      EXPECT_EQ(found, durations[rank - 1] * 1000) << count << ", " << perMille;
    };
    expectRank(rows[0].p50Ps, 500);
    expectRank(rows[0].p90Ps, 900);
    expectRank(rows[0].p99Ps, 990);
    expectRank(rows[0].p999Ps, 999);
    EXPECT_EQ(rows[0].minPs, durations.front() * 1000);
    EXPECT_EQ(rows[0].maxPs, durations.back() * 1000);
  }
}

TEST(Tables, SortBelowEachParent) {
  SimulatedClock clock;
  Recording recording = record([] {
    {
      PROF_SCOPE("short");
      run("x", 1);
      run("y", 3);
      run("z", 2);
    }
    run("long", 50);
    run("long", 1);
  });
  TableOptions options;
  options.key = RowKey::Path;
  std::vector<TableRow> rows = makeTable(recording, options);
  auto getNames = [&](RowOrder order) {
    sortRows(rows, order);
    std::string names;
    for (const TableRow &row : rows) {
      names += row.name + " ";
      if (row.depth) {
        EXPECT_EQ(rows[row.parent].name, "short");
      }
    }
    return names;
  };
  EXPECT_EQ(getNames(RowOrder::Total), "long short y z x ");
  EXPECT_EQ(getNames(RowOrder::FirstEnd), "short x y z long ");
  EXPECT_EQ(getNames(RowOrder::Name), "long short x y z ");
  EXPECT_EQ(getNames(RowOrder::Calls), "long short x y z ");
  EXPECT_EQ(getNames(RowOrder::Min), "short y z x long ");
  EXPECT_EQ(getNames(RowOrder::Average), "long short y z x ");
  EXPECT_EQ(getNames(RowOrder::Self), "long short y z x ");
  EXPECT_EQ(getNames(RowOrder::Max), "long short y z x ");
}

TEST(Tables, RecursionCountsTimeOnce) {
  SimulatedClock clock;
  Recording recording = record([] {
    Scope first("even");
    spend(1);
    Scope second("odd");
    spend(2);
    Scope third("even");
    spend(4);
    std::thread([context = here()] {
      ContextGuard guard(context);
      run("even", 8);
    }).join();
  });
  std::vector<TableRow> rows = makeTable(recording);
  sortRows(rows, RowOrder::Name);
  EXPECT_EQ(makeLines(rows), (Lines{"even 3 23 21", "odd 1 14 2"}));
  EXPECT_EQ(rows[0].recursive, 1u);
  EXPECT_EQ(rows[0].recursivePs, 12000);
  EXPECT_EQ(rows[0].getAveragePs(), (15 + 12 + 8) * 1000 / 3);
  EXPECT_EQ(rows[0].maxPs, 15000);
}

/// Every figure of a row is without what recording took: those of a single call
/// are its total, from events and from statistics.
TEST(Tables, FiguresHaveOneBase) {
  Recording recording;
  recording.costWindowPs = 10;
  recording.costPairPs = 30;
  recording.hasEvents = recording.hasStatistics = true;
  recording.clock.ps = recording.clock.ticks = 1;
  recording.threads.emplace_back();
  for (const char *name : {"inner", "outer"})
    recording.sites.emplace_back().name = name;
  for (int64_t scope : {0, 1}) {
    ScopeEvent &event = recording.events.emplace_back();
    event.site = event.first = uint32_t(scope);
    event.parent = scope ? kNoScope : 1;
    event.beginPs = scope ? 0 : 100;
    event.endPs = scope ? 1000 : 300;
    SiteStatistics &sum = recording.statistics.emplace_back();
    sum.site = uint32_t(scope);
    sum.calls = 1;
    sum.total = sum.min = sum.max = uint64_t(event.getDurationPs());
    sum.self = scope ? 800 : 200;
    sum.children = sum.inside = uint64_t(scope);
  }
  computeSelfTimes(recording);
  for (const auto &rows :
       {makeTable(recording), makeStatisticsTable(recording)}) {
    ASSERT_EQ(rows.size(), 2u);
    for (const TableRow &row : rows) {
      // Its own window, and all of the pair inside.
      EXPECT_EQ(row.totalPs, row.name == "outer" ? 960 : 190);
      EXPECT_EQ(row.rawTotalPs, row.name == "outer" ? 1000 : 200);
      for (int64_t figure : {row.minPs, row.maxPs, row.getAveragePs()})
        EXPECT_EQ(figure, row.totalPs) << row.name;
    }
  }
}
