//===- MisuseTest.cpp - Calls in any order --------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each line of the defects of other scope profilers, and more: nothing crashes,
// and all that is not kept is counted.
//
//===----------------------------------------------------------------------===//

#include "ReadScopes.h"
#include "mlir-prof/Scope/Profiler.h"
#include "mlir-prof/Scope/Scope.h"
#include "mlir-prof/Scope/Table.h"

#include <errno.h>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace mlirprof;
using namespace mlirprof::scope;

namespace {
/// Two scopes by one macro.
#define TWO_SCOPES                                                             \
  PROF_SCOPE("two");                                                           \
  PROF_SCOPE("two")

constexpr const char *kEnd = "end of a scope that was not open";
constexpr const char *kResume = "suspended or resumed scope that was not to be";
constexpr const char *kStop = "stop without a start";
} // namespace

TEST(ScopeMisuse, WorkersAreRecorded) {
  Profiler profiler;
  std::thread([] { PROF_SCOPE("worker"); }).join();
  profiler.stop();
  std::vector<TableRow> rows;
  ASSERT_FALSE(profiler.makeTable(rows));
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].calls, 1u);
}

TEST(ScopeMisuse, ScopesMayBeCalledTotal) {
  Profiler profiler;
  Scope("Total").end();
  Scope("").end();
  profiler.stop();
  std::vector<TableRow> rows;
  ASSERT_FALSE(profiler.makeTable(rows));
  EXPECT_EQ(rows.size(), 2u);
}

TEST(ScopeMisuse, StopsWithoutAStart) {
  while (prof_scope_sessions())
    prof_scope_stop(nullptr);
  prof_scope_start(nullptr, nullptr);
  prof_scope_stop(nullptr);
  prof_scope_stop(nullptr);
  prof_scope_moment never = {};
  never.session = 12345;
  prof_scope_stop_session(&never, nullptr);
  prof_scope_stop_session(nullptr, nullptr);
  EXPECT_EQ(prof_scope_sessions(), 0u);
  EXPECT_EQ(getLoss(readScopes(), kStop), 3u);
}

TEST(ScopeMisuse, StoppingTwiceEndsOneSession) {
  prof_scope_moment outer = {}, inner = {};
  prof_scope_start(nullptr, &outer);
  prof_scope_start(nullptr, &inner);
  prof_scope_stop_session(&inner, nullptr);
  prof_scope_stop_session(&inner, nullptr);
  EXPECT_EQ(prof_scope_sessions(), 1u);
  PROF_SCOPE("later");
  prof_scope_stop_session(&outer, nullptr);
  EXPECT_EQ(prof_scope_sessions(), 0u);
  Recording recording = readScopes();
  EXPECT_EQ(findEvents(recording, "later").size(), 1u);
  EXPECT_EQ(getLoss(recording, kStop), 1u);
}

TEST(ScopeMisuse, NullsAreAllowed) {
  prof_scope_start(nullptr, nullptr);
  prof_scope_mark(nullptr);
  prof_scope_now(nullptr);
  prof_scope_free(prof_scope_copy(nullptr, nullptr), 0);
  prof_scope_free(nullptr, 0);
  prof_scope_launch(0, 0);
  prof_scope_launch(3, 4);
  prof_scope_sync_devices();
  EXPECT_EQ(prof_scope_write(nullptr), EINVAL);
  size_t size = 0;
  char *bytes = prof_scope_take(nullptr, nullptr, &size);
  EXPECT_NE(bytes, nullptr);
  prof_scope_free(bytes, size);
  EXPECT_EQ(prof_scope_sessions(), 0u);
}

TEST(ScopeMisuse, OpenAcrossAReset) {
  prof_scope_start(nullptr, nullptr);
  Scope open("open");
  prof_scope_reset();
  open.end();
  Recording recording = readScopes();
  findEvent(recording, "open");
  prof_scope_stop(nullptr);
}

TEST(ScopeMisuse, OverlapsAndDoubleBegins) {
  SimulatedClock clock;
  prof_scope_start(nullptr, nullptr);
  Scope a("a");
  simulatedNs += 10;
  Scope b("b"), again("a");
  simulatedNs += 10;
  a.end();
  simulatedNs += 10;
  b.end();
  again.end();
  Recording recording = readScopes();
  EXPECT_EQ(recording.events.size(), 3u);
  EXPECT_EQ(findEvent(recording, "b").getDurationPs(), 20000);
  EXPECT_TRUE(recording.losses.empty());
  prof_scope_stop(nullptr);
}

TEST(ScopeMisuse, SecondProfilersAndReentry) {
  Profiler first;
  Profiler second;
  {
    PROF_SCOPE("f");
    PROF_SCOPE("f");
  }
  second.stop();
  second.stop();
  Profiler third;
  Scope("f").end();
  third.stop();
  first.stop();
  std::vector<TableRow> rows;
  ASSERT_FALSE(first.makeTable(rows));
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].calls, 3u);
}

TEST(ScopeMisuse, LevelZeroIsOne) {
  SimulatedClock clock;
  prof_scope_start(nullptr, nullptr);
  Scope("zero", ScopeType::UserDefined, 0).end();
  Scope("negative", ScopeType::UserDefined, -5).end();
  prof_scope_stop(nullptr);
  Recording recording = readScopes();
  findEvent(recording, "zero");
  prof_scope_options options = PROF_SCOPE_OPTIONS;
  options.level = 100000;
  prof_scope_start(&options, nullptr);
  Scope("high", ScopeType::UserDefined, 255).end();
  prof_scope_stop(nullptr);
  findEvent(readScopes(), "high");
}

TEST(ScopeMisuse, TwoOnOneLine) {
  prof_scope_start(nullptr, nullptr);
  {
    TWO_SCOPES;
  }
  prof_scope_stop(nullptr);
  EXPECT_EQ(findEvents(readScopes(), "two").size(), 2u);
}

TEST(ScopeMisuse, EndsAndSuspensionsAgain) {
  prof_scope_start(nullptr, nullptr);
  prof_scope_token token = prof_scope_begin_name("one", 3, 7, 1, 0);
  prof_scope_token copy = token;
  prof_scope_suspend(&token);
  prof_scope_suspend(&token);
  prof_scope_end(copy);
  prof_scope_resume(&token);
  prof_scope_resume(&token);
  prof_scope_end(token);
  prof_scope_end(token);
  prof_scope_suspend(&token);
  Recording recording = readScopes();
  EXPECT_EQ(recording.events.size(), 2u);
  EXPECT_EQ(getLoss(recording, kEnd), 2u);
  EXPECT_EQ(getLoss(recording, kResume), 3u);
  prof_scope_stop(nullptr);
}

TEST(ScopeMisuse, TwoThreadsEndOneScope) {
  prof_scope_start(nullptr, nullptr);
  prof_scope_token token = {};
  std::atomic<int> round{0}, done{0};
  constexpr int kRounds = 300;
  std::thread other([&] {
    for (int next = 1; next <= kRounds; ++next) {
      while (round != next)
        std::this_thread::yield();
      prof_scope_end(token);
      done = next;
    }
  });
  for (int next = 1; next <= kRounds; ++next) {
    token = prof_scope_begin_name("twice", 5, 7, 1, 0);
    prof_scope_token mine = token;
    round = next;
    prof_scope_end(mine);
    // It takes the same place.
    Scope innocent("innocent");
    while (done != next)
      std::this_thread::yield();
  }
  other.join();
  Recording recording = readScopes();
  EXPECT_EQ(findEvents(recording, "innocent").size(), size_t(kRounds));
  EXPECT_GE(findEvents(recording, "twice").size(), size_t(kRounds));
  prof_scope_stop(nullptr);
}

TEST(ScopeMisuse, InnerSessionsDoNotHaveFiles) {
  SimulatedClock clock;
  Profiler outer;
  {
    ProfilerOptions options;
    options.level = 200;
    options.path = makePath("inner");
    Profiler inner(options);
    EXPECT_EQ(inner.getFileError(), EBUSY);
    Scope("detail", ScopeType::UserDefined, 200).end();
  }
  // The needs of the inner one are over.
  Scope("detail", ScopeType::UserDefined, 200).end();
  Scope("plain").end();
  ++simulatedNs;
  Recording recording;
  ASSERT_FALSE(outer.read(recording));
  EXPECT_EQ(findEvents(recording, "detail").size(), 1u);
  EXPECT_EQ(findEvents(recording, "plain").size(), 1u);
  EXPECT_EQ(getLoss(recording, "file of a recording that could not be written"),
            1u);
}

TEST(ScopeMisuse, ManySessions) {
  std::vector<std::unique_ptr<Profiler>> profilers;
  for (int count = 0; count < 100; ++count)
    profilers.push_back(std::make_unique<Profiler>());
  Scope("one").end();
  for (size_t index = 0; index < profilers.size(); index += 2)
    profilers[index]->stop();
  Scope("one").end();
  for (size_t index = 1; index < profilers.size(); index += 2)
    profilers[index]->stop();
  EXPECT_EQ(prof_scope_sessions(), 0u);
  for (size_t index = 0; index < profilers.size(); ++index) {
    std::vector<TableRow> rows;
    ASSERT_FALSE(profilers[index]->makeTable(rows));
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0].calls, 1u + index % 2);
  }
}

TEST(ScopeMisuse, ResetsOfOthersAreTold) {
  Profiler outer;
  Profiler inner;
  Scope("important").end();
  prof_scope_reset();
  inner.stop();
  Recording recording;
  ASSERT_FALSE(outer.read(recording));
  EXPECT_EQ(
      getLoss(recording, "reset that discarded scopes of several sessions"),
      1u);
}

TEST(ScopeMisuse, ManyNames) {
  // In a child: names are kept for ever.
  pid_t child = fork();
  if (!child) {
    constexpr int kNames = 50000;
    prof_scope_start(nullptr, nullptr);
    for (int index = 0; index < 2 * kNames; ++index)
      Scope("many names " + std::to_string(index % kNames)).end();
    prof_scope_stop(nullptr);
    Recording recording = readScopes();
    std::set<uint32_t> sites;
    for (const ScopeEvent &event : recording.events)
      sites.insert(event.site);
    _exit(recording.events.size() != 2 * kNames || sites.size() != kNames);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(ScopeMisuse, CopiesOfARingAreWhole) {
  prof_scope_options options = PROF_SCOPE_OPTIONS;
  options.ring_records = 32;
  prof_scope_start(&options, nullptr);
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    while (!stop) {
      PROF_SCOPE("outer");
      PROF_SCOPE("inner");
    }
  });
  for (int round = 0; round < 200; ++round) {
    Recording recording = readScopes();
    int64_t last = std::numeric_limits<int64_t>::min();
    for (const ScopeEvent &event : recording.events) {
      if (event.end != EventEnd::Ended)
        continue;
      // In the order of ends: a torn record has the begin of another scope.
      EXPECT_GE(event.endPs, last);
      last = event.endPs;
      EXPECT_EQ(getParent(recording, event),
                recording.sites[event.site].name == "inner" &&
                        event.parent != kNoScope
                    ? "outer"
                    : "");
    }
    EXPECT_TRUE(recording.losses.empty());
  }
  stop = true;
  writer.join();
  prof_scope_stop(nullptr);
}
