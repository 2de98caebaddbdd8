//===- SwitchTest.cpp - The global switch ---------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadScopes.h"
#include "mlir-prof/Scope/Profiler.h"
#include "mlir-prof/Scope/Scope.h"

#include <errno.h>
#include <thread>

using namespace mlirprof;
using namespace mlirprof::scope;

namespace {

/// Leaves the switch off.
class Switches : public testing::Test {
protected:
  ~Switches() override { prof_scope_disable(nullptr, nullptr, nullptr); }

private:
  SimulatedClock clock;
};

void run(const char *name, ScopeRole role = ScopeRole::Ordinary) {
  ++simulatedNs;
  Scope one(name, ScopeType::Operator, kDefaultLevel, role);
  simulatedNs += 10;
}

std::vector<std::string> getNames(const Recording &recording) {
  std::vector<std::string> names;
  for (const ScopeEvent &event : recording.events)
    names.push_back(recording.sites[event.site].name);
  return names;
}

using Names = std::vector<std::string>;

/// Turns the switch off and reads what it had recorded.
Recording disable() {
  prof_scope_moment from, to;
  size_t size = 0;
  char *bytes = prof_scope_disable(&from, &to, &size);
  EXPECT_NE(bytes, nullptr);
  std::vector<char> copied(bytes, bytes + size);
  prof_scope_free(bytes, size);
  return readScopes(copied,
                    {from.ticks, to.ticks, from.generation, to.generation});
}

} // namespace

TEST_F(Switches, IsOffAtFirst) {
  EXPECT_FALSE(prof_scope_is_enabled());
  EXPECT_EQ(prof_scope_get_state(), unsigned(PROF_SCOPE_DISABLED));
  EXPECT_EQ(prof_scope_get_detail(), unsigned(PROF_SCOPE_DETAIL_DEFAULT));
  // Neither is a loss.
  size_t size = 1;
  EXPECT_EQ(prof_scope_disable(nullptr, nullptr, &size), nullptr);
  EXPECT_EQ(size, 0u);
  EXPECT_EQ(prof_scope_enable(PROF_SCOPE_DISABLED, nullptr, nullptr), 0);
  EXPECT_EQ(prof_scope_enable(7, nullptr, nullptr), EINVAL);
  EXPECT_FALSE(prof_scope_is_enabled());
  EXPECT_EQ(prof_scope_sessions(), 0u);
}

TEST_F(Switches, RecordsBetweenOnAndOff) {
  run("before");
  EXPECT_EQ(prof_scope_enable(PROF_SCOPE_CPU, nullptr, nullptr), 0);
  EXPECT_TRUE(prof_scope_is_enabled());
  EXPECT_EQ(prof_scope_sessions(), 1u);
  run("inside");
  // Once more does not start anything.
  EXPECT_EQ(prof_scope_enable(PROF_SCOPE_CPU, nullptr, nullptr), 0);
  EXPECT_EQ(prof_scope_sessions(), 1u);
  run("inside too");
  Recording recording = disable();
  run("after");
  EXPECT_EQ(getNames(recording), (Names{"inside", "inside too"}));
  EXPECT_TRUE(recording.losses.empty());
  EXPECT_FALSE(prof_scope_is_enabled());
  EXPECT_EQ(prof_scope_sessions(), 0u);
}

TEST_F(Switches, OffOnAnyThread) {
  prof_scope_enable(PROF_SCOPE_CPU, nullptr, nullptr);
  std::thread([] { run("elsewhere"); }).join();
  Recording recording;
  std::thread([&] { recording = disable(); }).join();
  EXPECT_EQ(getNames(recording), (Names{"elsewhere"}));
}

TEST_F(Switches, StandsBesideProfilers) {
  Profiler outer;
  run("a");
  ++simulatedNs;
  prof_scope_enable(PROF_SCOPE_CPU, nullptr, nullptr);
  run("b");
  {
    Profiler inner;
    run("c");
  }
  ++simulatedNs;
  Recording recording = disable();
  ++simulatedNs;
  run("d");
  ++simulatedNs;
  outer.stop();
  EXPECT_EQ(getNames(recording), (Names{"b", "c"}));
  std::vector<TableRow> rows;
  EXPECT_FALSE(outer.makeTable(rows));
  EXPECT_EQ(rows.size(), 4u);
}

TEST_F(Switches, ResetCountsAnew) {
  prof_scope_enable(PROF_SCOPE_CPU, nullptr, nullptr);
  for (int step = 0; step < 10; ++step) {
    PROF_SCOPE("step");
    ++simulatedNs;
    if (step == 2)
      prof_scope_reset();
  }
  EXPECT_EQ(findEvents(disable(), "step").size(), 8u);
}

TEST_F(Switches, StatesWithDevicesNeedOne) {
  EXPECT_EQ(prof_scope_enable(PROF_SCOPE_GPU, nullptr, nullptr), ENODEV);
  EXPECT_EQ(prof_scope_get_state(), unsigned(PROF_SCOPE_GPU));
  run("host");
  EXPECT_EQ(prof_scope_enable(PROF_SCOPE_CPU, nullptr, nullptr), 0);
  EXPECT_EQ(prof_scope_enable(PROF_SCOPE_ALL, nullptr, nullptr), ENODEV);
  run("host");
  Recording recording = disable();
  EXPECT_EQ(getNames(recording), (Names{"host", "host"}));
  EXPECT_EQ(getLoss(recording, "session without a source of scopes of devices"),
            2u);
}

TEST_F(Switches, DetailSelectsRoles) {
  auto runAll = [] {
    run("op");
    run("part", ScopeRole::InnerOp);
    run("name", ScopeRole::UniqueOp);
    run("special", ScopeRole::Special);
  };
  prof_scope_enable(PROF_SCOPE_CPU, nullptr, nullptr);
  runAll();
  EXPECT_EQ(getNames(disable()), (Names{"op", "special"}));

  prof_scope_set_detail(PROF_SCOPE_DETAIL_OP);
  EXPECT_EQ(prof_scope_get_detail(), unsigned(PROF_SCOPE_DETAIL_OP));
  prof_scope_enable(PROF_SCOPE_CPU, nullptr, nullptr);
  runAll();
  EXPECT_EQ(getNames(disable()), (Names{"op", "part", "special"}));
  // The stop sets it back.
  EXPECT_EQ(prof_scope_get_detail(), unsigned(PROF_SCOPE_DETAIL_DEFAULT));

  // While it is on.
  prof_scope_enable(PROF_SCOPE_CPU, nullptr, nullptr);
  prof_scope_set_detail(12345);
  runAll();
  prof_scope_set_detail(PROF_SCOPE_DETAIL_DEFAULT);
  runAll();
  EXPECT_EQ(getNames(disable()),
            (Names{"op", "part", "name", "special", "op", "special"}));
}

TEST_F(Switches, OptionsAreThoseOfASession) {
  prof_scope_options options = PROF_SCOPE_OPTIONS;
  options.level = 3;
  options.modes = PROF_SCOPE_STATISTICS;
  prof_scope_enable(PROF_SCOPE_CPU, &options, nullptr);
  {
    PROF_SCOPE_AS("third", ScopeType::UserDefined, 3, ScopeRole::Ordinary);
  }
  {
    PROF_SCOPE_AS("fourth", ScopeType::UserDefined, 4, ScopeRole::Ordinary);
  }
  Recording recording = disable();
  EXPECT_TRUE(recording.events.empty());
  ASSERT_EQ(recording.statistics.size(), 1u);
  EXPECT_EQ(recording.statistics[0].calls, 1u);
}

TEST_F(Switches, ManyThreadsAtOnce) {
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 8; ++thread)
    threads.emplace_back([thread] {
      for (int round = 0; round < 40; ++round) {
        prof_scope_enable(1 + (round + thread) % 3, nullptr, nullptr);
        Scope("one").end();
        prof_scope_set_detail(round % 3);
        if (round % 7 == 0)
          prof_scope_reset();
        size_t size = 0;
        char *bytes = prof_scope_disable(nullptr, nullptr, &size);
        prof_scope_free(bytes, size);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(prof_scope_sessions(), 0u);
  EXPECT_FALSE(prof_scope_is_enabled());
}
