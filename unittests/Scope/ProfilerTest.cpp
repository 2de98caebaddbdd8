//===- ProfilerTest.cpp - Scopes between two moments ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Scope/Profiler.h"
#include "ReadScopes.h"
#include "mlir-prof/Scope/Scope.h"

#include <map>
#include <thread>

using namespace mlirprof;
using namespace mlirprof::scope;

/// The table; an error fails the test.
static std::vector<TableRow> makeRows(const Profiler &profiler,
                                      TableOptions options = {}) {
  std::vector<TableRow> rows;
  if (std::optional<Problem> problem = profiler.makeTable(rows, options))
    ADD_FAILURE() << problem->what;
  return rows;
}

/// Calls by name.
static std::map<std::string, uint64_t> countCalls(const Profiler &profiler,
                                                  TableOptions options = {}) {
  std::map<std::string, uint64_t> calls;
  for (const TableRow &row : makeRows(profiler, options))
    calls[row.name] += row.calls;
  return calls;
}

static void run(const char *name) {
  ++simulatedNs;
  Scope one(name);
  simulatedNs += 10;
}

using Calls = std::map<std::string, uint64_t>;

TEST(Profilers, OuterOnesHaveTheScopesOfInnerOnes) {
  SimulatedClock clock;
  Profiler outer;
  run("a");
  {
    Profiler inner;
    run("b");
    ++simulatedNs;
    inner.stop();
    inner.stop();
    EXPECT_EQ(countCalls(inner), (Calls{{"b", 1}}));
  }
  run("a");
  // The scopes so far.
  EXPECT_EQ(countCalls(outer), (Calls{{"a", 2}, {"b", 1}}));
  run("a");
  ++simulatedNs;
  outer.stop();
  run("c");
  EXPECT_EQ(countCalls(outer), (Calls{{"a", 3}, {"b", 1}}));
  EXPECT_FALSE(outer.isRunning());
}

TEST(Profilers, MayEndInAnyOrder) {
  SimulatedClock clock;
  auto first = std::make_unique<Profiler>();
  run("a");
  ++simulatedNs;
  auto second = std::make_unique<Profiler>();
  run("b");
  ++simulatedNs;
  first->stop();
  run("c");
  ++simulatedNs;
  second->stop();
  EXPECT_EQ(countCalls(*first), (Calls{{"a", 1}, {"b", 1}}));
  EXPECT_EQ(countCalls(*second), (Calls{{"b", 1}, {"c", 1}}));
  EXPECT_EQ(prof_scope_sessions(), 0u);
}

TEST(Profilers, LeaveOutWhatBeganBefore) {
  SimulatedClock clock;
  Profiler outer;
  Scope before("before");
  ++simulatedNs;
  Profiler inner;
  run("inside");
  before.end();
  Scope after("after");
  ++simulatedNs;
  inner.stop();
  ++simulatedNs;
  after.end();
  Recording recording;
  ASSERT_FALSE(inner.read(recording));
  EXPECT_EQ(recording.events.size(), 2u);
  EXPECT_EQ(findEvent(recording, "inside").parent, kNoScope);
  EXPECT_EQ(findEvent(recording, "after").end, EventEnd::Open);
  EXPECT_EQ(findEvent(recording, "after").getDurationPs(), 1000);
  int64_t total = 0;
  ASSERT_FALSE(inner.getTotalPs(total));
  EXPECT_EQ(total, 12000);
}

TEST(Profilers, StatisticsNestToo) {
  SimulatedClock clock;
  ProfilerOptions options;
  options.keepsEvents = false;
  options.keepsStatistics = true;
  Profiler outer(options);
  run("a");
  Profiler inner(options);
  simulatedNs += 5;
  run("a");
  run("b");
  inner.stop();
  run("b");
  outer.stop();
  EXPECT_EQ(countCalls(inner), (Calls{{"a", 1}, {"b", 1}}));
  EXPECT_EQ(countCalls(outer), (Calls{{"a", 2}, {"b", 2}}));
}

TEST(Profilers, PathsAreTrees) {
  SimulatedClock clock;
  Profiler profiler;
  for (int count = 0; count < 3; ++count) {
    PROF_SCOPE("step");
    run("load");
    PROF_SCOPE("compute");
    run("load");
  }
  ++simulatedNs;
  profiler.stop();
  TableOptions options;
  options.key = RowKey::Path;
  std::vector<TableRow> rows = makeRows(profiler, options);
  std::vector<std::string> lines;
  for (const TableRow &row : rows)
    lines.push_back(
        (row.parent == kNoScope ? "" : rows[row.parent].name + "/") + row.name +
        " " + std::to_string(row.calls) + " " + std::to_string(row.totalPs) +
        " " + std::to_string(row.selfPs));
  EXPECT_EQ(lines, (std::vector<std::string>{"step 3 66000 3000",
                                             "step/load 3 30000 30000",
                                             "step/compute 3 33000 3000",
                                             "compute/load 3 30000 30000"}));
}

TEST(Profilers, ThreadsApartOrMerged) {
  SimulatedClock clock;
  Profiler profiler;
  run("a");
  std::thread([] { run("a"); }).join();
  ++simulatedNs;
  profiler.stop();
  EXPECT_EQ(makeRows(profiler).size(), 1u);
  TableOptions apart;
  apart.mergesThreads = false;
  EXPECT_EQ(makeRows(profiler, apart).size(), 2u);
  EXPECT_EQ(countCalls(profiler, apart), (Calls{{"a", 2}}));
}

TEST(Profilers, ManyOnManyThreads) {
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int thread = 0; thread < 8; ++thread)
    threads.emplace_back([&wrong, thread] {
      std::string name = "of " + std::to_string(thread);
      for (int round = 0; round < 20; ++round) {
        Profiler profiler;
        for (int index = 0; index < 10; ++index)
          Scope(name).end();
        profiler.stop();
        std::vector<TableRow> rows;
        if (profiler.makeTable(rows)) {
          ++wrong;
          continue;
        }
        for (const TableRow &row : rows)
          if (row.name == name)
            wrong += row.calls != 10;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
}
