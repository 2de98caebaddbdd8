//===- ScopeTest.cpp - Recording of scopes --------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Scope/Scope.h"
#include "ReadScopes.h"
#include "mlir-prof/Scope/Table.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

#include <future>
#include <random>
#include <set>
#include <thread>

using namespace mlirprof;
using namespace mlirprof::scope;

namespace {

/// A session that ends with the test.
class Session {
public:
  explicit Session(prof_scope_options options = PROF_SCOPE_OPTIONS) {
    EXPECT_EQ(prof_scope_start(&options, nullptr), 0);
  }
  ~Session() { prof_scope_stop(nullptr); }
};

/// Measures `ns` on the simulated clock.
void spend(int64_t ns) { simulatedNs += ns; }

} // namespace

TEST(Scopes, NothingIsRecordedWithoutASession) {
  {
    PROF_SCOPE("before");
  }
  EXPECT_FALSE(Scope("before").isOpen());
  SimulatedClock clock;
  Session session;
  EXPECT_TRUE(readScopes().events.empty());
}

TEST(Scopes, SitesKeepWhatTheyAreMadeOf) {
  SimulatedClock clock;
  prof_scope_options options = PROF_SCOPE_OPTIONS;
  options.level = 9;
  Session session(options);
  {
    PROF_SCOPE_AS("conv", ScopeType::Operator, 9, ScopeRole::InnerOp);
  }
  Scope("made", ScopeType::Forward, 3, ScopeRole::UniqueOp).end();
  Recording recording = readScopes();
  const Site &site = recording.sites[findEvent(recording, "conv").site];
  EXPECT_NE(site.file.find("ScopeTest.cpp"), std::string::npos);
  EXPECT_GT(site.line, 0u);
  EXPECT_EQ(site.type, uint16_t(ScopeType::Operator));
  EXPECT_EQ(site.level, 9);
  EXPECT_EQ(site.role, uint8_t(ScopeRole::InnerOp));
  const Site &made = recording.sites[findEvent(recording, "made").site];
  EXPECT_EQ(made.file, "");
  EXPECT_EQ(made.type, uint16_t(ScopeType::Forward));
  EXPECT_EQ(made.level, 3);
  EXPECT_EQ(made.role, uint8_t(ScopeRole::UniqueOp));
}

TEST(Scopes, NamesAreAnyBytes) {
  SimulatedClock clock;
  Session session;
  std::vector<std::string> names = {"",
                                    "quote \" and \\ and 'both'",
                                    "new\nline\ttab",
                                    "<b>&amp;</b>",
                                    std::string("nul\0inside", 10),
                                    "\xff\xfe not UTF-8",
                                    std::string(1 << 20, 'x')};
  for (const std::string &name : names)
    for (int twice = 0; twice < 2; ++twice)
      Scope(name).end();
  Recording recording = readScopes();
  for (const std::string &name : names)
    EXPECT_EQ(findEvents(recording, name).size(), 2u) << name.substr(0, 40);
}

TEST(Scopes, NamesOfOneTextAreOneSite) {
  SimulatedClock clock;
  Session session;
  for (int index = 0; index < 1000; ++index)
    Scope("op " + std::to_string(index % 300)).end();
  Recording recording = readScopes();
  std::set<uint32_t> sites;
  for (const ScopeEvent &event : recording.events)
    sites.insert(event.site);
  EXPECT_EQ(recording.events.size(), 1000u);
  EXPECT_EQ(sites.size(), 300u);
}

TEST(Scopes, LevelsAndTypesSelect) {
  SimulatedClock clock;
  prof_scope_options options = PROF_SCOPE_OPTIONS;
  options.level = 2;
  options.types =
      1 << unsigned(ScopeType::Operator) | 1 << unsigned(ScopeType::Forward);
  Session session(options);
  Scope("kept", ScopeType::Operator, 2).end();
  Scope("deeper level", ScopeType::Operator, 3).end();
  Scope("other type", ScopeType::Backward, 1).end();
  {
    Scope outer("outside", ScopeType::Backward, 1);
    PROF_SCOPE_AS("inside", ScopeType::Forward, 1, ScopeRole::Ordinary);
  }
  Recording recording = readScopes();
  EXPECT_EQ(recording.events.size(), 2u);
  EXPECT_EQ(findEvent(recording, "inside").parent, kNoScope);
  findEvent(recording, "kept");
}

TEST(Scopes, MovesEndsEarlyAndElsewhere) {
  SimulatedClock clock;
  Session session;
  Scope moved("moved");
  EXPECT_TRUE(moved.isOpen());
  spend(10);
  Scope holder = std::move(moved);
  EXPECT_FALSE(moved.isOpen());
  Scope early("early");
  spend(5);
  early.end();
  early.end();
  std::thread([&] {
    spend(7);
    holder.end();
  }).join();
  spend(100);
  Recording recording = readScopes();
  ScopeEvent event = findEvent(recording, "moved");
  EXPECT_EQ(event.getDurationPs(), 22000);
  EXPECT_EQ(event.selfPs, 17000);
  EXPECT_TRUE(event.isOverlapping);
  EXPECT_EQ(getParent(recording, findEvent(recording, "early")), "moved");
  EXPECT_TRUE(recording.losses.empty());
}

TEST(Scopes, ContextsLinkThreads) {
  SimulatedClock clock;
  Session session;
  {
    PROF_SCOPE("spawner");
    std::thread([context = here()] {
      ContextGuard guard(context);
      PROF_SCOPE("thread");
      PROF_SCOPE("inner");
    }).join();
    std::async(std::launch::async, bindContext([](int add) {
                 PROF_SCOPE("async");
                 spend(add);
                 return add;
               }),
               5)
        .get();
    spend(1);
  }
  std::thread([] { PROF_SCOPE("alone"); }).join();
  Recording recording = readScopes();
  for (const char *name : {"thread", "async"}) {
    EXPECT_EQ(getParent(recording, findEvent(recording, name)), "spawner");
    EXPECT_TRUE(findEvent(recording, name).isLinked);
  }
  EXPECT_EQ(getParent(recording, findEvent(recording, "inner")), "thread");
  EXPECT_EQ(getParent(recording, findEvent(recording, "alone")), "");
  // The other threads' time is not the spawner's.
  EXPECT_EQ(findEvent(recording, "spawner").selfPs, 6000);
}

TEST(Scopes, SuspendedTimeIsNotTheirs) {
  SimulatedClock clock;
  Session session;
  Scope coroutine("coroutine");
  spend(10);
  coroutine.suspend();
  spend(1000);
  std::thread([&] {
    coroutine.resume();
    spend(5);
    {
      PROF_SCOPE("inside");
      spend(3);
    }
    coroutine.end();
  }).join();
  Recording recording = readScopes();
  std::vector<TableRow> rows = makeTable(recording);
  auto row = llvm::find_if(
      rows, [](const TableRow &of) { return of.name == "coroutine"; });
  ASSERT_NE(row, rows.end());
  EXPECT_EQ(row->calls, 1u);
  EXPECT_EQ(row->totalPs, 18000);
  EXPECT_EQ(row->selfPs, 15000);
  EXPECT_EQ(row->minPs, 18000);
}

TEST(Scopes, RecordsWhatWasMeasuredElsewhere) {
  SimulatedClock clock;
  Session session;
  static prof_scope_site site =
      PROF_SCOPE_SITE("kernel", uint16_t(ScopeType::Kernel), 1, 0);
  PROF_SCOPE("host");
  int64_t begin = simulatedNs;
  spend(50);
  prof_scope_record(&site, begin + 10, begin + 30);
  Recording recording = readScopes();
  ScopeEvent host = findEvent(recording, "host");
  ScopeEvent kernel = findEvent(recording, "kernel");
  EXPECT_TRUE(kernel.isOutside);
  EXPECT_EQ(kernel.beginPs - host.beginPs, 10000);
  EXPECT_EQ(kernel.getDurationPs(), 20000);
  EXPECT_EQ(host.selfPs, 50000);
  EXPECT_TRUE(recording.losses.empty());
}

TEST(Scopes, IntervalsThatCannotBeRightAreLosses) {
  Session session;
  static prof_scope_site site =
      PROF_SCOPE_SITE("kernel", uint16_t(ScopeType::Kernel), 1, 0);
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  int64_t now = std::chrono::duration_cast<std::chrono::nanoseconds>(
                    std::chrono::steady_clock::now().time_since_epoch())
                    .count();
  prof_scope_record(&site, now - 1, now - 2);
  prof_scope_record(&site, now, kMost);
  prof_scope_record(&site, -kMost - 1, kMost);
  prof_scope_record(&site, kMost, -kMost - 1);
  prof_scope_record(&site, -kMost - 1, now);
  prof_scope_record(&site, now + 1'000'000'000'000, now + 2'000'000'000'000);
  prof_scope_record_name("copy", 4, 5, 1, 0, now - 30, now - 40);
  // An empty one, and one of a clock that is ahead.
  prof_scope_record(&site, now, now);
  prof_scope_record(&site, now, now + 1'000'000'000);
  Recording recording = readScopes();
  EXPECT_EQ(getLoss(recording, "reading of clocks, or interval measured "
                               "elsewhere, that cannot be right"),
            7u);
  ASSERT_EQ(recording.events.size(), 2u);
  EXPECT_EQ(recording.events[0].getDurationPs(), 0);
  EXPECT_EQ(recording.events[1].getDurationPs(), 1'000'000'000'000);
}

TEST(Scopes, LongDurationsAndDeepStacks) {
  SimulatedClock clock;
  Session session;
  std::vector<Scope> open;
  for (int depth = 0; depth < 2000; ++depth) {
    open.emplace_back("depth " + std::to_string(depth));
    spend(1);
  }
  spend(int64_t(1) << 40);
  while (!open.empty())
    open.pop_back();
  Recording recording = readScopes();
  ASSERT_EQ(recording.events.size(), 2000u);
  for (int depth = 1; depth < 2000; ++depth) {
    ScopeEvent event = recording.events[1999 - depth];
    EXPECT_EQ(recording.sites[event.site].name,
              "depth " + std::to_string(depth));
    EXPECT_EQ(event.parent, uint32_t(2000 - depth));
    EXPECT_EQ(event.getDurationPs(),
              ((int64_t(1) << 40) + 2000 - depth) * 1000);
  }
}

TEST(Scopes, RingsKeepTheLast) {
  SimulatedClock clock;
  prof_scope_options options = PROF_SCOPE_OPTIONS;
  options.ring_records = 1000;
  Session session(options);
  Scope around("around");
  for (int index = 0; index < 100000; ++index) {
    Scope one("child");
    spend(1);
  }
  around.end();
  Recording recording = readScopes();
  std::vector<ScopeEvent> children = findEvents(recording, "child");
  // Rounded up to 1024, the last of which is the scope around them.
  EXPECT_EQ(children.size(), 1023u);
  ScopeEvent event = findEvent(recording, "around");
  EXPECT_EQ(event.getDurationPs(), 100000000);
  EXPECT_TRUE(event.isSelfBound);
  EXPECT_EQ(event.selfPs, (100000 - 1023) * 1000);
  EXPECT_FALSE(children.back().isSelfBound);
  uint64_t overwritten = 0;
  for (const Thread &thread : recording.threads)
    overwritten += thread.overwritten;
  EXPECT_EQ(overwritten, 100001u - 1024u);
}

TEST(Scopes, SamplingKeepsEachNthOfASite) {
  SimulatedClock clock;
  prof_scope_options options = PROF_SCOPE_OPTIONS;
  options.modes = PROF_SCOPE_EVENTS | PROF_SCOPE_STATISTICS;
  options.sample_every = 10;
  Session session(options);
  for (int index = 0; index < 100; ++index) {
    PROF_SCOPE("sampled");
    spend(index);
  }
  Recording recording = readScopes();
  std::vector<ScopeEvent> events = findEvents(recording, "sampled");
  ASSERT_EQ(events.size(), 10u);
  for (size_t index = 0; index < events.size(); ++index)
    EXPECT_EQ(events[index].getDurationPs(), int64_t(index) * 10000);
  std::vector<TableRow> rows = makeStatisticsTable(recording);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].calls, 100u);
  EXPECT_EQ(rows[0].totalPs, 99 * 100 / 2 * 1000);
}

TEST(Scopes, StatisticsHaveSelfTimeAndPercentiles) {
  SimulatedClock clock;
  prof_scope_options options = PROF_SCOPE_OPTIONS;
  options.modes = PROF_SCOPE_STATISTICS;
  Session session(options);
  std::mt19937_64 random(1);
  std::vector<int64_t> durations;
  int64_t outerSelf = 0;
  for (int index = 0; index < 5000; ++index) {
    // From 1 ns to some hours, by magnitude.
    int64_t duration = int64_t(random() >> (20 + random() % 44)) + 1;
    durations.push_back(duration);
    PROF_SCOPE("outer");
    spend(index);
    outerSelf += index;
    PROF_SCOPE("inner");
    spend(duration);
  }
  Recording recording = readScopes();
  EXPECT_TRUE(recording.events.empty());
  std::vector<TableRow> rows = makeStatisticsTable(recording);
  ASSERT_EQ(rows.size(), 2u);
  const TableRow &inner = rows[rows[1].name == "inner"];
  const TableRow &outer = rows[rows[1].name == "outer"];
  llvm::sort(durations);
  int64_t total = 0;
  for (int64_t duration : durations)
    total += duration;
  EXPECT_EQ(inner.calls, 5000u);
  EXPECT_EQ(inner.totalPs, total * 1000);
  EXPECT_EQ(inner.selfPs, total * 1000);
  EXPECT_EQ(inner.minPs, durations.front() * 1000);
  EXPECT_EQ(inner.maxPs, durations.back() * 1000);
  EXPECT_EQ(outer.selfPs, outerSelf * 1000);
  EXPECT_EQ(outer.totalPs, (total + outerSelf) * 1000);
  auto expectNear = [&](int64_t found, size_t perMille) {
    double exact = double(durations[5000 * perMille / 1000 - 1]) * 1000;
    EXPECT_NEAR(double(found), exact, std::max(exact * 0.06, 1000.0))
        << perMille;
  };
  expectNear(inner.p50Ps, 500);
  expectNear(inner.p90Ps, 900);
  expectNear(inner.p99Ps, 990);
  expectNear(inner.p999Ps, 999);
}

TEST(Scopes, ResetKeepsOpenScopes) {
  SimulatedClock clock;
  Session session;
  for (int index = 0; index < 10; ++index) {
    PROF_SCOPE("step");
    spend(1);
    if (index == 2)
      prof_scope_reset();
    spend(1);
  }
  Recording recording = readScopes();
  std::vector<ScopeEvent> steps = findEvents(recording, "step");
  EXPECT_EQ(steps.size(), 8u);
  for (const ScopeEvent &step : steps)
    EXPECT_EQ(step.getDurationPs(), 2000);
}

TEST(Scopes, OpenOnesAreTold) {
  SimulatedClock clock;
  Session session;
  Scope outer("outer");
  spend(5);
  Scope inner("inner");
  spend(3);
  std::thread([] {
    // As if it were forgotten.
    prof_scope_begin_name("left", 4, 7, 1, 0);
  }).join();
  Recording recording = readScopes();
  EXPECT_EQ(findEvent(recording, "outer").end, EventEnd::Open);
  EXPECT_EQ(findEvent(recording, "outer").selfPs, 5000);
  EXPECT_EQ(getParent(recording, findEvent(recording, "inner")), "outer");
  EXPECT_EQ(findEvent(recording, "left").end, EventEnd::Open);
  for (const TableRow &row : makeTable(recording)) {
    EXPECT_EQ(row.calls, 0u);
    EXPECT_EQ(row.open, 1u);
  }
}

TEST(Scopes, ThreadsThatEndKeepTheirScopes) {
  SimulatedClock clock;
  Session session;
  for (int thread = 0; thread < 200; ++thread)
    std::thread([] { PROF_SCOPE("of a thread"); }).join();
  Recording recording = readScopes();
  EXPECT_EQ(findEvents(recording, "of a thread").size(), 200u);
  EXPECT_EQ(llvm::count_if(recording.threads,
                           [](const Thread &of) { return of.hasEnded; }),
            200);
}

TEST(Scopes, RingsOfEndedThreadsAreBounded) {
  SimulatedClock clock;
  prof_scope_options options = PROF_SCOPE_OPTIONS;
  options.ring_records = 64;
  Session session(options);
  for (int thread = 0; thread < 300; ++thread)
    std::thread([] { PROF_SCOPE("of a thread"); }).join();
  Recording recording = readScopes();
  uint64_t kept = findEvents(recording, "of a thread").size();
  EXPECT_LT(kept, 100u);
  EXPECT_EQ(kept + getLoss(recording,
                           "record in the ring of a thread that has ended"),
            300u);
}

TEST(Scopes, ManyThreadsAtOnce) {
  for (int round = 0; round < 1000; ++round) {
    Session session;
    std::atomic<bool> go{false};
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 16; ++thread)
      threads.emplace_back([&go, thread] {
        while (!go)
          std::this_thread::yield();
        for (int index = 0; index < 20; ++index) {
          PROF_SCOPE("outer");
          Scope inner("inner " + std::to_string(thread % 4));
        }
      });
    go = true;
    // Copies meanwhile.
    if (round % 4 == 0)
      readScopes();
    for (std::thread &thread : threads)
      thread.join();
    Recording recording = readScopes();
    EXPECT_EQ(findEvents(recording, "outer").size(), 16u * 20);
    EXPECT_EQ(recording.events.size(), 2u * 16 * 20);
    EXPECT_TRUE(recording.losses.empty());
  }
}

TEST(Scopes, EndsRaceWithTheirThread) {
  Session session;
  std::vector<Scope> handed;
  for (int round = 0; round < 200; ++round) {
    std::vector<Scope> scopes;
    for (int index = 0; index < 20; ++index)
      scopes.emplace_back("handed");
    std::thread other([&scopes] { scopes.clear(); });
    for (int index = 0; index < 20; ++index)
      PROF_SCOPE("own");
    other.join();
  }
  Recording recording = readScopes();
  EXPECT_EQ(findEvents(recording, "handed").size(), 200u * 20);
  EXPECT_EQ(findEvents(recording, "own").size(), 200u * 20);
  EXPECT_TRUE(recording.losses.empty());
}

TEST(Scopes, SessionsRaceWithScopes) {
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread)
    threads.emplace_back([&stop] {
      while (!stop) {
        for (int index = 0; index < 100; ++index) {
          PROF_SCOPE("outer");
          Scope inner("inner");
        }
        std::this_thread::yield();
      }
    });
  for (int round = 0; round < 60; ++round) {
    prof_scope_options options = PROF_SCOPE_OPTIONS;
    options.modes = 1 + round % 3;
    options.ring_records = round % 4 ? 128 : 0;
    Session session(options);
    Recording recording = readScopes();
    // Whatever is there is consistent.
    for (const ScopeEvent &event : recording.events) {
      std::string parent = getParent(recording, event);
      if (recording.sites[event.site].name == "outer")
        EXPECT_EQ(parent, "");
      else if (parent != "outer")
        EXPECT_EQ(parent, "");
    }
    if (round % 5 == 0)
      prof_scope_reset();
  }
  stop = true;
  for (std::thread &thread : threads)
    thread.join();
}

TEST(Scopes, CallsThatDoNotMakeSense) {
  SimulatedClock clock;
  Session session;
  prof_scope_end({});
  prof_scope_token token = prof_scope_begin_name("one", 3, 7, 1, 0);
  prof_scope_resume(&token);
  prof_scope_end(token);
  prof_scope_end(token);
  prof_scope_suspend(&token);
  EXPECT_EQ(prof_scope_enter({0}).thread, nullptr);
  prof_scope_end(prof_scope_enter({123456}));
  prof_scope_stop(nullptr);
  prof_scope_stop(nullptr);
  prof_scope_options again = PROF_SCOPE_OPTIONS;
  prof_scope_start(&again, nullptr);
  prof_scope_stop(nullptr);
  prof_scope_start(&again, nullptr);
  Recording recording = readScopes();
  EXPECT_TRUE(recording.events.empty());
}

TEST(Scopes, LossesAreCounted) {
  SimulatedClock clock;
  Session session;
  prof_scope_token token = prof_scope_begin_name("one", 3, 7, 1, 0);
  prof_scope_resume(&token);
  prof_scope_end(token);
  prof_scope_end(token);
  Recording recording = readScopes();
  EXPECT_EQ(getLoss(recording, "end of a scope that was not open"), 1u);
  EXPECT_EQ(getLoss(recording, "suspended or resumed scope that was not to be"),
            1u);
  findEvent(recording, "one");
}

TEST(Scopes, CostIsSubtracted) {
  Session session;
  {
    PROF_SCOPE("outer");
    for (int index = 0; index < 10000; ++index)
      PROF_SCOPE("inner");
  }
  Recording recording = readScopes();
  EXPECT_GT(recording.costWindowPs, 0);
  EXPECT_GE(recording.costPairPs, recording.costWindowPs);
  ScopeEvent outer = findEvent(recording, "outer");
  int64_t around = recording.costPairPs - recording.costWindowPs;
  EXPECT_EQ(outer.selfCostPs,
            std::min(outer.selfPs, recording.costWindowPs + 10000 * around));
  int64_t inner = 0;
  for (const ScopeEvent &event : findEvents(recording, "inner")) {
    EXPECT_EQ(event.costPs, std::min(recording.costWindowPs, event.selfPs));
    inner += event.costPs;
  }
  EXPECT_EQ(outer.costPs, outer.selfCostPs + inner);
}

TEST(Scopes, TicksAreTime) {
  prof_scope_moment from, to;
  timespec before, after;
  prof_scope_start(nullptr, &from);
  clock_gettime(CLOCK_MONOTONIC, &before);
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  clock_gettime(CLOCK_MONOTONIC, &after);
  prof_scope_stop(&to);
  Recording recording = readScopes();
  int64_t ns = (after.tv_sec - before.tv_sec) * int64_t(1000000000) +
               after.tv_nsec - before.tv_nsec;
  EXPECT_GE(recording.clock.toDurationPs(to.ticks - from.ticks) / 1000,
            ns - ns / 1000);
}

/// A scope that a thread has left open at its end.
static std::unique_ptr<Scope> leaveOpen() {
  std::unique_ptr<Scope> left;
  std::thread([&] {
    PROF_SCOPE("around");
    left = std::make_unique<Scope>("left open");
  }).join();
  return left;
}

static void checkLeft(const Recording &recording) {
  ScopeEvent event = findEvent(recording, "left open");
  EXPECT_EQ(event.end, EventEnd::Ended);
  EXPECT_EQ(event.getDurationPs(), 12000);
  EXPECT_TRUE(recording.threads[event.thread].hasEnded);
  EXPECT_TRUE(recording.losses.empty());
}

TEST(Scopes, OfEndedThreadsEndInLaterSessions) {
  SimulatedClock clock;
  std::string path = makePath("left");
  for (bool hasFile : {false, true}) {
    prof_scope_start(nullptr, nullptr);
    std::unique_ptr<Scope> left = leaveOpen();
    spend(7);
    prof_scope_stop(nullptr);
    prof_scope_options options = PROF_SCOPE_OPTIONS;
    options.path = hasFile ? path.c_str() : nullptr;
    EXPECT_EQ(prof_scope_start(&options, nullptr), 0);
    // As long as it does not end, it belongs to the session before.
    EXPECT_TRUE(readScopes().events.empty());
    spend(5);
    left->end();
    checkLeft(readScopes());
    prof_scope_stop(nullptr);
    if (hasFile)
      checkLeft(readScopeFile(path));
  }
  llvm::sys::fs::remove(path);
}

TEST(Scopes, OfEndedThreadsEndAfterAReset) {
  SimulatedClock clock;
  prof_scope_options options = PROF_SCOPE_OPTIONS;
  options.modes = PROF_SCOPE_EVENTS | PROF_SCOPE_STATISTICS;
  Session session(options);
  std::unique_ptr<Scope> left = leaveOpen();
  spend(7);
  prof_scope_reset();
  spend(5);
  left->end();
  // Nor twice.
  left->end();
  checkLeft(readScopes());
}
