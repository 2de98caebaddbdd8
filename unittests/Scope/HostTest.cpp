//===- HostTest.cpp - Scopes do not harm the program ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadScopes.h"
#include "mlir-prof/Scope/Profiler.h"
#include "mlir-prof/Scope/Scope.h"
#include "llvm/Support/FileSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <fstream>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace mlirprof;
using namespace mlirprof::scope;

namespace {

size_t countMappings() {
  std::ifstream maps("/proc/self/maps");
  size_t lines = 0;
  for (std::string line; std::getline(maps, line);)
    ++lines;
  return lines;
}

uint64_t getResidentPages() {
  std::ifstream file("/proc/self/statm");
  uint64_t all = 0, resident = 0;
  file >> all >> resident;
  return resident;
}

} // namespace

TEST(ScopeHosts, FilesMayHaveOneName) {
  std::string path = makePath("again");
  EXPECT_EQ(runChild([&] {
              for (int round = 0; round < 5; ++round) {
                EXPECT_EQ(startRecording(path), 0);
                Scope open("open at the stop");
                Scope("round " + std::to_string(round)).end();
                prof_scope_stop(nullptr);
                open.end();
              }
              return true;
            }),
            0);
  Recording recording = readScopeFile(path);
  EXPECT_EQ(recording.events.size(), 2u);
  findEvent(recording, "round 4");
  llvm::sys::fs::remove(path);
}

TEST(ScopeHosts, ProcessesMayShareAName) {
  std::string path = makePath("shared");
  int ends[2], back[2];
  ASSERT_EQ(pipe(ends), 0);
  ASSERT_EQ(pipe(back), 0);
  pid_t first = fork();
  if (!first) {
    EXPECT_EQ(startRecording(path), 0);
    Scope("first").end();
    char byte = 0;
    bool isTold = write(ends[1], &byte, 1) == 1 && read(back[0], &byte, 1) == 1;
    // The other one has made its file.
    for (int index = 0; index < 10000; ++index)
      Scope("more").end();
    prof_scope_stop(nullptr);
    _exit(!isTold);
  }
  char byte;
  ASSERT_EQ(read(ends[0], &byte, 1), 1);
  EXPECT_EQ(runChild([&] {
              EXPECT_EQ(startRecording(path), 0);
              Scope("second").end();
              prof_scope_stop(nullptr);
              return true;
            }),
            0);
  ASSERT_EQ(write(back[1], &byte, 1), 1);
  int status = -1;
  ASSERT_EQ(waitpid(first, &status, 0), first);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(readScopeFile(path).events.size(), 1u);
  llvm::sys::fs::remove(path);
  for (int end : {ends[0], ends[1], back[0], back[1]})
    close(end);
}

TEST(ScopeHosts, OnlyFilesAreReplaced) {
  std::string path = makePath("folder");
  ASSERT_EQ(mkdir(path.c_str(), 0777), 0);
  EXPECT_EQ(startRecording(path), EEXIST);
  prof_scope_stop(nullptr);
  rmdir(path.c_str());
}

TEST(ScopeHosts, FinishedFilesDoNotChange) {
  SimulatedClock clock;
  std::string path = makePath("finished");
  EXPECT_EQ(startRecording(path), 0);
  Scope open("open at the stop");
  simulatedNs += 5;
  Scope("inside").end();
  std::thread([] { Scope("of a thread that ended").end(); }).join();
  prof_scope_stop(nullptr);
  Recording before = readScopeFile(path);
  // A later session in memory, and the end of the scope.
  EXPECT_EQ(prof_scope_start(nullptr, nullptr), 0);
  simulatedNs += 5;
  open.end();
  Scope("later").end();
  for (int thread = 0; thread < 3; ++thread)
    std::thread([] { Scope("later").end(); }).join();
  prof_scope_stop(nullptr);
  Recording after = readScopeFile(path);
  ASSERT_EQ(before.events.size(), 3u);
  ASSERT_EQ(after.events.size(), 3u);
  EXPECT_EQ(getParent(after, findEvent(after, "inside")), "open at the stop");
  EXPECT_EQ(findEvent(after, "open at the stop").end, EventEnd::Open);
  ASSERT_EQ(after.threads.size(), before.threads.size());
  for (size_t index = 0; index < after.threads.size(); ++index) {
    EXPECT_EQ(after.threads[index].id, before.threads[index].id);
    EXPECT_EQ(after.threads[index].name, before.threads[index].name);
  }
  llvm::sys::fs::remove(path);
}

TEST(ScopeHosts, DescriptorsOfOthersAreLeftAlone) {
  std::string path = makePath("descriptor"), other = makePath("database");
  EXPECT_EQ(
      runChild([&] {
        EXPECT_EQ(startRecording(path), 0);
        Scope("one").end();
        // As daemons do: all are closed, and then one is of another file.
        std::vector<int> mine;
        for (int file = 3; file < 2000; ++file)
          if (!close(file))
            mine.push_back(file);
        int database = open(other.c_str(), O_RDWR | O_CREAT, 0666);
        for (int file : mine)
          dup2(database, file);
        EXPECT_EQ(write(database, "precious", 8), 8);
        for (int index = 0; index < 20000; ++index)
          Scope("more").end();
        Recording recording = readScopes();
        EXPECT_EQ(findEvents(recording, "more").size(), 20000u);
        EXPECT_GE(
            getLoss(recording, "file of a recording that could not be written"),
            1u);
        prof_scope_stop(nullptr);
        EXPECT_EQ(write(database, " data", 5), 5);
        return true;
      }),
      0);
  std::ifstream file(other);
  std::string text;
  std::getline(file, text);
  EXPECT_EQ(text, "precious data");
  llvm::sys::fs::remove(path);
  llvm::sys::fs::remove(other);
}

TEST(ScopeHosts, GrandchildrenHaveFiles) {
  std::string folder = makePath("daemon");
  ASSERT_EQ(mkdir(folder.c_str(), 0777), 0);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  EXPECT_EQ(runChild([&] {
              // A relative path, a fork before any scope, and another folder.
              EXPECT_EQ(chdir(folder.c_str()), 0);
              EXPECT_EQ(startRecording("daemon"), 0);
              pid_t child = fork();
              if (child)
                return waitpid(child, nullptr, 0) == child;
              pid_t grandchild = fork();
              if (grandchild) {
                bool isTold = write(ends[1], &grandchild, sizeof grandchild) ==
                              sizeof grandchild;
                waitpid(grandchild, nullptr, 0);
                _exit(!isTold);
              }
              EXPECT_EQ(chdir("/"), 0);
              for (int index = 0; index < 1000; ++index)
                Scope("of the grandchild").end();
              raise(SIGKILL);
              return false;
            }),
            0);
  pid_t grandchild = 0;
  ASSERT_EQ(read(ends[0], &grandchild, sizeof grandchild),
            ssize_t(sizeof grandchild));
  std::string path = folder + "/daemon." + std::to_string(grandchild);
  EXPECT_EQ(findEvents(readScopeFile(path), "of the grandchild").size(), 1000u);
  llvm::sys::fs::remove_directories(folder);
  close(ends[0]);
  close(ends[1]);
}

TEST(ScopeHosts, LimitsOfFilesAreKept) {
  std::string path = makePath("limit");
  EXPECT_EQ(runChild([&] {
              // The signal of the limit would end the process.
              rlimit limit = {1 << 20, 1 << 20};
              setrlimit(RLIMIT_FSIZE, &limit);
              EXPECT_EQ(startRecording(path), 0);
              for (int index = 0; index < 200000; ++index)
                PROF_SCOPE("one");
              prof_scope_stop(nullptr);
              return true;
            }),
            0);
  Recording recording = readScopeFile(path);
  uint64_t kept = findEvents(recording, "one").size();
  EXPECT_GT(kept, 1000u);
  EXPECT_EQ(kept + getLoss(recording, "scope without memory or disk space"),
            200000u);
  llvm::sys::fs::remove(path);
}

TEST(ScopeHosts, NothingIsWrittenAfterTheStop) {
  SimulatedClock clock;
  prof_scope_start(nullptr, nullptr);
  Scope outer("outer");
  Context kept = here();
  Scope coroutine("coroutine");
  coroutine.suspend();
  ++simulatedNs;
  prof_scope_stop(nullptr);
  size_t before = copyScopes().size();
  for (int index = 0; index < 100000; ++index) {
    ++simulatedNs;
    ContextGuard guard(kept);
    PROF_SCOPE("w");
    prof_scope_site site = PROF_SCOPE_SITE("record", 7, 1, 0);
    prof_scope_record(&site, 1, 2);
    coroutine.resume();
    coroutine.suspend();
    Scope("level 0", ScopeType::UserDefined, 0).end();
  }
  EXPECT_EQ(copyScopes().size(), before);
  outer.end();
  // It was open at the stop.
  EXPECT_EQ(findEvent(readScopes(), "outer").end, EventEnd::Ended);
}

TEST(ScopeHosts, MemoryIsGivenBack) {
  EXPECT_EQ(runChild([] {
              std::atomic<int> done{0};
              std::atomic<bool> stop{false};
              uint64_t before = getResidentPages();
              Profiler profiler;
              // A thread of a pool, which goes on to live.
              std::thread worker([&] {
                for (int index = 0; index < 4000000; ++index)
                  PROF_SCOPE("one");
                done = 1;
                while (!stop)
                  std::this_thread::yield();
              });
              while (!done)
                std::this_thread::yield();
              uint64_t full = getResidentPages();
              EXPECT_GT(full, before + 64000000 / 4096 * 9 / 10);
              {
                Profiler inner;
              }
              prof_scope_reset();
              profiler.stop();
              EXPECT_LT(getResidentPages(), before + (full - before) / 4);
              stop = true;
              worker.join();
              return true;
            }),
            0);
}

TEST(ScopeHosts, SessionsWithFilesDoNotAddUp) {
  std::string path = makePath("many");
  EXPECT_EQ(runChild([&] {
              startRecording(path);
              prof_scope_stop(nullptr);
              size_t before = countMappings();
              for (int session = 0; session < 100; ++session) {
                EXPECT_EQ(startRecording(path), 0);
                Scope("name " + std::to_string(session)).end();
                prof_scope_stop(nullptr);
              }
              EXPECT_LT(countMappings(), before + 20);
              return true;
            }),
            0);
  llvm::sys::fs::remove(path);
}

TEST(ScopeHosts, ThreadsWithFilesDoNotAddUp) {
  std::string path = makePath("threads");
  EXPECT_EQ(runChild([&] {
              startRecording(path);
              size_t before = countMappings();
              for (int thread = 0; thread < 500; ++thread)
                std::thread([] { PROF_SCOPE("request"); }).join();
              EXPECT_LT(countMappings(), before + 60);
              prof_scope_stop(nullptr);
              return true;
            }),
            0);
  EXPECT_EQ(findEvents(readScopeFile(path), "request").size(), 500u);
  struct stat file;
  ASSERT_EQ(stat(path.c_str(), &file), 0);
  EXPECT_LT(file.st_size, 500 * 20000);
  llvm::sys::fs::remove(path);
}

TEST(ScopeHosts, ReadingStatisticsDoesNotAddUp) {
  ProfilerOptions options;
  options.keepsEvents = false;
  options.keepsStatistics = true;
  Profiler profiler(options);
  for (int round = 0; round < 300; ++round) {
    Scope("one").end();
    Recording recording;
    ASSERT_FALSE(profiler.read(recording));
    EXPECT_EQ(recording.statistics.size(), 1u);
    EXPECT_EQ(recording.statistics[0].calls, uint64_t(round) + 1);
  }
}
