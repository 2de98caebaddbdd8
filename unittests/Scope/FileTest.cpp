//===- FileTest.cpp - Files of scopes -------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadScopes.h"
#include "mlir-prof/Runtime/prof_scope_file.h"
#include "mlir-prof/Scope/Scope.h"
#include "mlir-prof/Scope/Styles.h"
#include "mlir-prof/Scope/Table.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <random>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace mlirprof;
using namespace mlirprof::scope;

static void start(const std::string &path, uint64_t ring = 0) {
  prof_scope_options options = PROF_SCOPE_OPTIONS;
  options.path = path.c_str();
  options.ring_records = ring;
  EXPECT_EQ(prof_scope_start(&options, nullptr), 0);
}

/// The events of two recordings are the same.
static void expectSame(const Recording &a, const Recording &b) {
  ASSERT_EQ(a.events.size(), b.events.size());
  for (size_t index = 0; index < a.events.size(); ++index) {
    EXPECT_EQ(a.sites[a.events[index].site].name,
              b.sites[b.events[index].site].name);
    EXPECT_EQ(a.events[index].getDurationPs(), b.events[index].getDurationPs());
    EXPECT_EQ(a.events[index].selfPs, b.events[index].selfPs);
    EXPECT_EQ(a.events[index].parent, b.events[index].parent);
  }
}

TEST(ScopeFiles, HoldWhatMemoryHolds) {
  SimulatedClock clock;
  for (uint64_t ring : {0, 4096}) {
    std::string path = makePath("same");
    start(path, ring);
    for (int index = 0; index < 20000; ++index) {
      PROF_SCOPE("outer");
      ++simulatedNs;
      Scope inner("inner " + std::to_string(index % 100));
      ++simulatedNs;
    }
    Recording memory = readScopes();
    prof_scope_stop(nullptr);
    expectSame(memory, readScopeFile(path));
    EXPECT_EQ(memory.events.size(), ring ? 4096u : 40000u);
    llvm::sys::fs::remove(path);
  }
}

TEST(ScopeFiles, WriteMakesOneOfMemory) {
  SimulatedClock clock;
  prof_scope_start(nullptr, nullptr);
  for (int index = 0; index < 1000; ++index)
    Scope("one").end();
  prof_scope_stop(nullptr);
  std::string path = makePath("written");
  EXPECT_EQ(prof_scope_write(path.c_str()), 0);
  EXPECT_EQ(prof_scope_write("/does/not/exist/file"), ENOENT);
  EXPECT_EQ(prof_scope_write(""), EINVAL);
  expectSame(readScopes(), readScopeFile(path));
  llvm::sys::fs::remove(path);
}

/// A child that counts in a pipe how many scopes have ended, until it is
/// killed.
static void recordUntilKilled(const std::string &path, uint64_t ring,
                              int counter) {
  start(path, ring);
  Scope open("open at the kill");
  Scope inside("inside");
  inside.suspend();
  for (uint64_t ended = 0;; ++ended) {
    {
      PROF_SCOPE("outer");
      PROF_SCOPE("inner");
    }
    if (write(counter, &ended, sizeof ended) != sizeof ended)
      _exit(1);
  }
}

TEST(ScopeFiles, TellThePartThatCounts) {
  SimulatedClock clock;
  prof_scope_start(nullptr, nullptr);
  auto run = [] {
    ++simulatedNs;
    PROF_SCOPE("run");
    ++simulatedNs;
  };
  run();
  ++simulatedNs;
  prof_scope_moment from, to;
  prof_scope_mark(&from);
  run();
  run();
  ++simulatedNs;
  prof_scope_mark(&to);
  ++simulatedNs;
  run();
  std::vector<char> bytes = copyScopes();
  prof_scope_stop(nullptr);
  EXPECT_EQ(readScopes(bytes).events.size(), 4u);
  Window window = {from.ticks, to.ticks, from.generation, to.generation};
  Recording asked = readScopes(bytes, window);
  prof_scope_part part = {from.ticks, to.ticks, from.generation, to.generation};
  memcpy(bytes.data() + PROF_SCOPE_PART, &part, sizeof part);
  Recording told = readScopes(bytes);
  EXPECT_EQ(told.events.size(), 2u);
  expectSame(asked, told);
  // A window that is asked for narrows it further.
  window.fromTicks = to.ticks;
  EXPECT_EQ(readScopes(bytes, window).events.size(), 0u);
}

TEST(ScopeFiles, OutliveAKill) {
  std::mt19937 random(1);
  for (int round = 0; round < 30; ++round) {
    std::string path = makePath("killed");
    uint64_t ring = round % 2 ? 1 << 16 : 0;
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    pid_t child = fork();
    if (!child) {
      close(ends[0]);
      recordUntilKilled(path, ring, ends[1]);
    }
    close(ends[1]);
    uint64_t ended = 0, last = 0;
    for (int count = 1 + random() % 3000; count; --count)
      ASSERT_EQ(read(ends[0], &last, sizeof last), ssize_t(sizeof last));
    kill(child, SIGKILL);
    ASSERT_EQ(waitpid(child, nullptr, 0), child);
    while (read(ends[0], &ended, sizeof ended) == sizeof ended)
      last = ended;
    close(ends[0]);
    Recording recording = readScopeFile(path);
    // The iterations that were told, and at most one more.
    size_t outer = 0, inner = 0;
    for (const ScopeEvent &event : findEvents(recording, "outer"))
      outer += event.end == EventEnd::Ended;
    for (const ScopeEvent &event : findEvents(recording, "inner")) {
      inner += event.end == EventEnd::Ended;
      EXPECT_EQ(getParent(recording, event), "outer");
    }
    EXPECT_GE(outer, last + 1);
    EXPECT_LE(outer, last + 2);
    EXPECT_GE(inner, outer);
    EXPECT_LE(inner, outer + 1);
    EXPECT_EQ(findEvent(recording, "open at the kill").end, EventEnd::Open);
    EXPECT_EQ(findEvent(recording, "inside").end, EventEnd::Suspended);
    EXPECT_TRUE(recording.losses.empty());
    EXPECT_EQ(recording.process, uint64_t(child));
    llvm::sys::fs::remove(path);
  }
}

TEST(ScopeFiles, ForksHaveTheirOwn) {
  SimulatedClock clock;
  std::string path = makePath("forked");
  start(path);
  Scope("before").end();
  Scope open("open");
  pid_t child = fork();
  if (!child) {
    Scope("in the child").end();
    open.end();
    prof_scope_stop(nullptr);
    _exit(testing::Test::HasFailure());
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  Scope("in the parent").end();
  open.end();
  prof_scope_stop(nullptr);

  Recording parent = readScopeFile(path);
  EXPECT_EQ(parent.events.size(), 3u);
  findEvent(parent, "before");
  EXPECT_EQ(getParent(parent, findEvent(parent, "in the parent")), "open");
  std::string childPath = path + "." + std::to_string(child);
  Recording other = readScopeFile(childPath);
  EXPECT_EQ(other.events.size(), 2u);
  EXPECT_EQ(getParent(other, findEvent(other, "in the child")), "open");
  EXPECT_EQ(other.process, uint64_t(child));
  EXPECT_EQ(other.parentProcess, uint64_t(getpid()));
  llvm::sys::fs::remove(path);
  llvm::sys::fs::remove(childPath);
}

TEST(ScopeFiles, ForkStorms) {
  prof_scope_options options = PROF_SCOPE_OPTIONS;
  options.ring_records = 4096;
  prof_scope_start(&options, nullptr);
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 3; ++thread)
    threads.emplace_back([&stop] {
      for (int index = 0; !stop; ++index)
        Scope("name " + std::to_string(index % 1000)).end();
    });
  for (int round = 0; round < 20; ++round) {
    PROF_SCOPE("around");
    pid_t child = fork();
    if (!child) {
      Scope("in the child").end();
      Recording recording = readScopes();
      _exit(findEvents(recording, "in the child").size() != 1 ||
            recording.process != uint64_t(getpid()));
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  stop = true;
  for (std::thread &thread : threads)
    thread.join();
  prof_scope_stop(nullptr);
  EXPECT_EQ(findEvents(readScopes(), "around").size(), 20u);
}

TEST(ScopeFiles, FullDisksAreLosses) {
  std::string path = makePath("full");
  pid_t child = fork();
  if (!child) {
    // The kernel refuses to extend files as if the disk were full; its signal
    // would end the process.
    rlimit limit = {1 << 20, 1 << 20};
    setrlimit(RLIMIT_FSIZE, &limit);
    start(path);
    for (int index = 0; index < 100000; ++index)
      PROF_SCOPE("one");
    prof_scope_stop(nullptr);
    _exit(testing::Test::HasFailure());
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  Recording recording = readScopeFile(path);
  uint64_t kept = findEvents(recording, "one").size();
  EXPECT_GT(kept, 1000u);
  EXPECT_EQ(kept + getLoss(recording, "scope without memory or disk space"),
            100000u);
  llvm::sys::fs::remove(path);
}

TEST(ScopeFiles, PathsThatCannotBe) {
  prof_scope_options options = PROF_SCOPE_OPTIONS;
  options.path = "/does/not/exist/file";
  EXPECT_EQ(prof_scope_start(&options, nullptr), ENOENT);
  {
    PROF_SCOPE("in memory");
  }
  prof_scope_stop(nullptr);
  Recording recording = readScopes();
  findEvent(recording, "in memory");
  EXPECT_EQ(getLoss(recording, "file of a recording that could not be written"),
            1u);
}

TEST(ScopeFiles, BrokenOnesAreErrorsOrLosses) {
  SimulatedClock clock;
  prof_scope_options options = PROF_SCOPE_OPTIONS;
  options.modes = PROF_SCOPE_EVENTS | PROF_SCOPE_STATISTICS;
  prof_scope_start(&options, nullptr);
  for (int index = 0; index < 10; ++index) {
    PROF_SCOPE("outer");
    ++simulatedNs;
    Scope inner("inner " + std::to_string(index));
    Scope moved("moved");
    std::thread([&] {
      ContextGuard guard(here());
      moved.suspend();
      moved.resume();
      moved.end();
    }).join();
  }
  Scope open("open");
  std::vector<char> bytes = copyScopes();
  prof_scope_stop(nullptr);
  auto read = [](const std::vector<char> &of) {
    Recording recording;
    if (std::optional<Problem> problem =
            readRecording({of.data(), of.size()}, recording)) {
      EXPECT_NE(problem->what, "");
      EXPECT_NE(problem->hint, "");
      return;
    }
    makeTable(recording);
    makeStatisticsTable(recording);
    for (const Style &style : getStyles()) {
      StyledText text;
      EXPECT_FALSE(writeStyled(style.name, {&recording}, {}, text));
    }
  };
  for (size_t size = 0; size < bytes.size(); size += 499)
    read({bytes.begin(), bytes.begin() + size});
  std::mt19937 random(1);
  for (int round = 0; round < 500; ++round) {
    std::vector<char> changed = bytes;
    for (int count = 1 + random() % 20; count; --count)
      changed[random() % changed.size()] = char(random());
    read(changed);
  }
}
