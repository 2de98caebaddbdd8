//===- CountTest.cpp - Amounts that scopes count --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadScopes.h"
#include "mlir-prof/Runtime/prof_scope_file.h"
#include "mlir-prof/Scope/Scope.h"

#include <cstddef>
#include <cstring>
#include <sys/mman.h>
#include <thread>
#include <time.h>
#include <unistd.h>

using namespace mlirprof;
using namespace mlirprof::scope;

namespace {

const EventCounts *findCounts(const Recording &recording,
                              std::string_view name) {
  const EventCounts *found = nullptr;
  for (const EventCounts &counts : recording.counts) {
    const ScopeEvent &event = recording.events[counts.event];
    if (recording.sites[event.site].name != name)
      continue;
    EXPECT_EQ(found, nullptr);
    found = &counts;
  }
  return found;
}

uint64_t get(const Recording &recording, std::string_view name, Count count) {
  const EventCounts *counts = findCounts(recording, name);
  if (!counts || !counts->has(count)) {
    ADD_FAILURE() << name << " does not count " << getCountName(count);
    return 0;
  }
  return counts->getRaw(count);
}

constexpr const char *kLost = "count of a scope that could not be read";

int64_t readCpuNs() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * int64_t(1000000000) + now.tv_nsec;
}

} // namespace

TEST(ScopeCounts, SitesAskForThem) {
  SimulatedClock clock;
  prof_scope_start(nullptr, nullptr);
  static prof_scope_site site =
      PROF_SCOPE_COUNTING_SITE("counts", 7, 1, 0, PROF_SCOPE_ALLOCATIONS);
  for (int round = 0; round < 3; ++round) {
    PROF_SCOPE("plain");
    prof_scope_allocated(1000);
    prof_scope_token token = prof_scope_begin(&site);
    prof_scope_allocated(100 << round);
    prof_scope_allocated(7);
    prof_scope_end(token);
  }
  prof_scope_stop(nullptr);
  Recording recording = readScopes();
  EXPECT_EQ(recording.events.size(), 6u);
  ASSERT_EQ(recording.counts.size(), 3u);
  for (int round = 0; round < 3; ++round) {
    const EventCounts &counts = recording.counts[round];
    EXPECT_EQ(recording.sites[recording.events[counts.event].site].name,
              "counts");
    EXPECT_EQ(counts.known, 3u);
    EXPECT_EQ(counts.getRaw(Count::Allocations), 2u);
    EXPECT_EQ(counts.getRaw(Count::AllocatedBytes), (100u << round) + 7);
    EXPECT_EQ(counts.getNet(Count::AllocatedBytes), (100u << round) + 7);
  }
  EXPECT_TRUE(recording.losses.empty());
}

TEST(ScopeCounts, SessionsAskForAll) {
  SimulatedClock clock;
  prof_scope_options options = PROF_SCOPE_OPTIONS;
  options.counting = PROF_SCOPE_ALLOCATIONS;
  prof_scope_start(&options, nullptr);
  {
    PROF_SCOPE("outer");
    prof_scope_allocated(10);
    {
      Scope inner("inner");
      prof_scope_allocated(20);
      prof_scope_allocated(30);
    }
    std::thread([] {
      Scope other("other thread");
      prof_scope_allocated(500);
    }).join();
  }
  prof_scope_stop(nullptr);
  Recording recording = readScopes();
  EXPECT_EQ(get(recording, "outer", Count::Allocations), 3u);
  EXPECT_EQ(get(recording, "outer", Count::AllocatedBytes), 60u);
  EXPECT_EQ(get(recording, "inner", Count::AllocatedBytes), 50u);
  EXPECT_EQ(get(recording, "other thread", Count::AllocatedBytes), 500u);
  // The next session does not.
  prof_scope_start(nullptr, nullptr);
  Scope("plain").end();
  prof_scope_stop(nullptr);
  EXPECT_TRUE(readScopes().counts.empty());
}

TEST(ScopeCounts, SuspendedScopesCountTheirParts) {
  SimulatedClock clock;
  prof_scope_start(nullptr, nullptr);
  prof_scope_token token =
      prof_scope_begin_counting("parts", 5, 7, 1, 0, PROF_SCOPE_ALLOCATIONS);
  prof_scope_allocated(1);
  prof_scope_suspend(&token);
  prof_scope_allocated(1000);
  prof_scope_resume(&token);
  prof_scope_allocated(2);
  prof_scope_end(token);
  prof_scope_stop(nullptr);
  Recording recording = readScopes();
  ASSERT_EQ(recording.counts.size(), 2u);
  EXPECT_EQ(recording.counts[0].getRaw(Count::AllocatedBytes), 1u);
  EXPECT_EQ(recording.counts[1].getRaw(Count::AllocatedBytes), 2u);
  EXPECT_EQ(recording.events[recording.counts[1].event].first,
            recording.counts[0].event);
}

TEST(ScopeCounts, EndsElsewhereAreLosses) {
  SimulatedClock clock;
  prof_scope_start(nullptr, nullptr);
  prof_scope_token token =
      prof_scope_begin_counting("moved", 5, 7, 1, 0, PROF_SCOPE_ALLOCATIONS);
  std::thread([&] { prof_scope_end(token); }).join();
  prof_scope_stop(nullptr);
  Recording recording = readScopes();
  EXPECT_TRUE(recording.counts.empty());
  EXPECT_EQ(getLoss(recording, kLost), 1u);
}

TEST(ScopeCounts, CpuTimeIsThatOfTheThread) {
  prof_scope_options options = PROF_SCOPE_OPTIONS;
  options.counting = PROF_SCOPE_CPU_TIME;
  prof_scope_start(&options, nullptr);
  int64_t before = readCpuNs(), first, last;
  {
    PROF_SCOPE("busy");
    first = readCpuNs();
    while (readCpuNs() - first < 5000000)
      continue;
    last = readCpuNs();
  }
  int64_t after = readCpuNs();
  {
    PROF_SCOPE("idle");
    usleep(20000);
  }
  prof_scope_stop(nullptr);
  Recording recording = readScopes();
  uint64_t busy = get(recording, "busy", Count::CpuTime);
  EXPECT_GE(busy, uint64_t(last - first));
  EXPECT_LE(busy, uint64_t(after - before));
  const EventCounts *idle = findCounts(recording, "idle");
  ASSERT_NE(idle, nullptr);
  EXPECT_LT(idle->getRaw(Count::CpuTime) * 1000,
            uint64_t(findEvent(recording, "idle").getDurationPs()));
  EXPECT_LE(idle->getNet(Count::CpuTime), idle->getRaw(Count::CpuTime));
  // A reading is a call of the system, and is not in the duration.
  EXPECT_GT(recording.countCosts[1].pairPs, 0);
  EXPECT_LT(recording.countCosts[1].windowPs, recording.countCosts[1].pairPs);
}

TEST(ScopeCounts, CountersArePageFaultsWithoutOthers) {
  prof_scope_options options = PROF_SCOPE_OPTIONS;
  options.counting = PROF_SCOPE_COUNTERS;
  prof_scope_start(&options, nullptr);
  constexpr size_t kPages = 64;
  long page = sysconf(_SC_PAGESIZE);
  char *memory =
      static_cast<char *>(mmap(nullptr, kPages * page, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(memory, MAP_FAILED);
  {
    PROF_SCOPE("touches");
    for (size_t index = 0; index < kPages; ++index)
      memory[index * page] = 1;
  }
  munmap(memory, kPages * page);
  prof_scope_stop(nullptr);
  Recording recording = readScopes();
  EXPECT_NE(recording.counters, CounterSource::None);
  EXPECT_GT(recording.countCosts[2].pairPs, 0);
  const EventCounts *counts = findCounts(recording, "touches");
  ASSERT_NE(counts, nullptr);
  if (recording.counters == CounterSource::Software)
    EXPECT_GE(counts->getRaw(Count::PageFaults), kPages);
  else
    EXPECT_GT(counts->getRaw(Count::Instructions), kPages);
}

TEST(ScopeCounts, TheirCostIsSubtracted) {
  prof_scope_start(nullptr, nullptr);
  static prof_scope_site site =
      PROF_SCOPE_COUNTING_SITE("inner", 7, 1, 0, PROF_SCOPE_CPU_TIME);
  constexpr int kScopes = 200;
  {
    PROF_SCOPE("outer");
    for (int index = 0; index < kScopes; ++index)
      prof_scope_end(prof_scope_begin(&site));
  }
  prof_scope_stop(nullptr);
  Recording recording = readScopes();
  ScopeEvent outer = findEvent(recording, "outer");
  int64_t around = recording.costPairPs - recording.costWindowPs;
  int64_t counting =
      recording.countCosts[1].pairPs - recording.countCosts[1].windowPs;
  EXPECT_EQ(outer.selfCostPs,
            std::min(outer.selfPs,
                     recording.costWindowPs + kScopes * (around + counting)));
}

/// Tells costs of recording in nanoseconds, which the simulated clock lacks.
static void tellCosts(std::vector<char> &bytes, uint64_t window, uint64_t pair,
                      uint64_t countWindow, uint64_t countPair) {
  prof_scope_process process;
  std::memcpy(&process, bytes.data(), sizeof process);
  char *newest = bytes.data();
  if (process.newest)
    newest += PROF_SCOPE_PROCESS_OTHER;
  std::memcpy(&process, newest, offsetof(prof_scope_process, losses));
  process.cost_window = window * PROF_SCOPE_COST_SCALE;
  process.cost_pair = pair * PROF_SCOPE_COST_SCALE;
  process.group_window[PROF_SCOPE_GROUP_ALLOCATIONS] =
      countWindow * PROF_SCOPE_COST_SCALE;
  process.group_pair[PROF_SCOPE_GROUP_ALLOCATIONS] =
      countPair * PROF_SCOPE_COST_SCALE;
  std::memcpy(newest, &process, offsetof(prof_scope_process, losses));
}

TEST(ScopeCounts, TheirCostIsOfTheThreadWhereTheyRan) {
  SimulatedClock clock;
  prof_scope_start(nullptr, nullptr);
  static prof_scope_site linked =
      PROF_SCOPE_COUNTING_SITE("linked", 7, 1, 0, PROF_SCOPE_ALLOCATIONS);
  static prof_scope_site inner =
      PROF_SCOPE_COUNTING_SITE("inner", 7, 1, 0, PROF_SCOPE_ALLOCATIONS);
  {
    PROF_SCOPE("spawner");
    std::thread([context = here()] {
      PROF_SCOPE("outermost");
      simulatedNs += 1000;
      PROF_SCOPE("around");
      simulatedNs += 1000;
      ContextGuard guard(context);
      Scope child(linked);
      simulatedNs += 1000;
      {
        Scope last(inner);
        simulatedNs += 1000;
      }
      // Its time is too short for its costs.
      Scope(inner).end();
    }).join();
    simulatedNs += 1000;
  }
  std::vector<char> bytes = copyScopes();
  prof_scope_stop(nullptr);
  tellCosts(bytes, 2, 5, 30, 100);
  Recording recording = readScopes(bytes);
  auto expect = [&](const ScopeEvent &event, int64_t self, int64_t all) {
    const std::string &name = recording.sites[event.site].name;
    EXPECT_EQ(event.selfCostPs, self * 1000) << name;
    EXPECT_EQ(event.costPs, all * 1000) << name;
  };
  EXPECT_EQ(getParent(recording, findEvent(recording, "linked")), "spawner");
  ASSERT_EQ(findEvents(recording, "inner").size(), 2u);
  expect(findEvents(recording, "inner")[0], 2 + 30, 2 + 30);
  expect(findEvents(recording, "inner")[1], 0, 0);
  // A scope takes 2 in its own time and 3 around it; counting 30 and 70.
  expect(findEvent(recording, "linked"), 32 + 2 * 73, 32 + 2 * 73 + 32 + 30);
  expect(findEvent(recording, "around"), 2 + 73, 2 + 73 + 240);
  expect(findEvent(recording, "outermost"), 2 + 3, 2 + 3 + 315);
  expect(findEvent(recording, "spawner"), 2, 2);
}
