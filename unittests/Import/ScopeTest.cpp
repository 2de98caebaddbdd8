//===- ScopeTest.cpp - Reading recordings of scopes -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Scope/Scope.h"
#include "ReadText.h"
#include "mlir-prof/Scope/Recording.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

#include <atomic>
#include <thread>

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::reading;
using mlirprof::scope::Scope;

namespace {

std::atomic<int64_t> now{1000};

/// The recording of `record`, under a clock that stands still but where it
/// spends time.
std::string recordScopes(prof_scope_options options, void (*record)()) {
  prof_scope_use_clock([] { return now.load(); });
  prof_scope_start(&options, nullptr);
  record();
  size_t size;
  char *bytes = prof_scope_copy(nullptr, &size);
  std::string copy(bytes, size);
  prof_scope_free(bytes, size);
  prof_scope_stop(nullptr);
  prof_scope_use_clock(nullptr);
  return copy;
}

} // namespace

TEST(ImportScopes, OpsWithTimesAndTracks) {
  std::string bytes = recordScopes(PROF_SCOPE_OPTIONS, [] {
    for (int step = 0; step < 3; ++step) {
      PROF_SCOPE("step");
      now += 5;
      PROF_SCOPE("compute:all");
      now += 10;
    }
    Scope first("first");
    now += 1;
    Scope second("second");
    now += 2;
    first.end();
    now += 4;
    second.end();
    std::thread([] {
      PROF_SCOPE("step");
      now += 100;
    }).join();
    prof_scope_record_name("device", 6, 4, 1, 0, now - 50, now - 20);
    prof_scope_begin_name("open", 4, 7, 1, 0);
    now += 7;
  });
  EXPECT_TRUE(getImporter("scopes").detect(bytes));
  Profile profile = readGood("scopes", bytes);
  OpTotal step = getTotal(profile, "step");
  EXPECT_EQ(step.count, 4u);
  EXPECT_EQ(step.executePs, 145000);
  EXPECT_EQ(step.selfPs, 115000);
  EXPECT_EQ(getTotal(profile, "compute:all").selfPs, 30000);
  EXPECT_EQ(getTotal(profile, "first").executePs, 3000);
  EXPECT_EQ(getTotal(profile, "second").executePs, 6000);
  EXPECT_EQ(getTotal(profile, "device").executePs, 30000);
  EXPECT_EQ(getTotal(profile, "open").executePs, 7000);
  EXPECT_EQ(getLoss(profile, "end of a scope that was still open"), 1u);
  // Two threads, what overlaps (first and second lie on two tracks), and the
  // device.
  EXPECT_EQ(profile.runs[0].tracks.size(), 5u);
}

/// A scope counts once, however often it was suspended, and the profile keeps
/// the scopes themselves.
TEST(ImportScopes, SuspendedScopesCountOnce) {
  std::string bytes = recordScopes(PROF_SCOPE_OPTIONS, [] {
    Scope task("task");
    now += 3;
    task.suspend();
    now += 1000;
    task.resume();
    {
      PROF_SCOPE("inner");
      now += 4;
    }
    task.suspend();
    task.resume();
    now += 5;
    task.end();
    Scope again("task");
    now += 7;
  });
  Profile profile = readGood("scopes", bytes);
  OpTotal task = getTotal(profile, "task");
  EXPECT_EQ(task.count, 2u);
  EXPECT_EQ(task.executePs, 19000);
  EXPECT_EQ(task.selfPs, 15000);
  ASSERT_TRUE(profile.runs[0].scopes);
  const scope::Recording &scopes = *profile.runs[0].scopes;
  unsigned parts = 0, calls = 0;
  for (auto [index, event] : llvm::enumerate(scopes.events)) {
    bool isTask = scopes.sites[event.site].name == "task";
    parts += isTask;
    calls += isTask && event.first == index;
  }
  EXPECT_EQ(parts, 4u);
  EXPECT_EQ(calls, 2u);
}

TEST(ImportScopes, StatisticsAreSums) {
  prof_scope_options options = PROF_SCOPE_OPTIONS;
  options.modes = PROF_SCOPE_STATISTICS;
  std::string bytes = recordScopes(options, [] {
    for (int count = 0; count < 10; ++count) {
      PROF_SCOPE("outer");
      now += 1;
      PROF_SCOPE("inner");
      now += 2;
    }
  });
  Profile profile = readGood("scopes", bytes);
  OpTotal outer = getTotal(profile, "outer");
  EXPECT_EQ(outer.count, 10u);
  EXPECT_EQ(outer.executePs, 30000);
  EXPECT_EQ(outer.selfPs, 10000);
  EXPECT_EQ(getTotal(profile, "inner").executePs, 20000);
}

TEST(ImportScopes, ErrorsTellThePlace) {
  EXPECT_NE(readBad("scopes", "text").find("is not a recording of scopes"),
            std::string::npos);
  std::string bytes =
      recordScopes(PROF_SCOPE_OPTIONS, [] { PROF_SCOPE("one"); });
  EXPECT_NE(readBad("scopes", bytes.substr(0, 100)).find("ends within"),
            std::string::npos);
  std::string newer = bytes;
  newer[4] = 9;
  EXPECT_NE(readBad("scopes", newer).find("has version 9"), std::string::npos);
}
