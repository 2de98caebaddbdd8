//===- SignalTest.cpp - Signals, forks, files and clocks ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadScopes.h"
#include "mlir-prof/Runtime/prof_scope_file.h"
#include "mlir-prof/Scope/Scope.h"
#include "llvm/Support/FileSystem.h"

#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <fstream>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <thread>
#include <time.h>
#include <unistd.h>

using namespace mlirprof;
using namespace mlirprof::scope;

/// Nanoseconds by which the system's steady clock is ahead of itself.
static std::atomic<int64_t> clockShift{0};

extern "C" int clock_gettime(clockid_t clock, timespec *time) noexcept {
  using Function = int(clockid_t, timespec *);
  static Function *real =
      reinterpret_cast<Function *>(dlsym(RTLD_NEXT, "clock_gettime"));
  int status = real(clock, time);
  if (clock == CLOCK_MONOTONIC)
    time->tv_sec += clockShift / 1000000000;
  return status;
}

namespace {

/// A timer that interrupts the process each `microseconds`.
void startTimer(int microseconds, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, nullptr);
  itimerval timer = {{0, microseconds}, {0, microseconds}};
  setitimer(ITIMER_REAL, &timer, nullptr);
}

std::atomic<uint64_t> handled{0};

size_t countOpen(const Recording &recording) {
  size_t count = 0;
  for (const ScopeEvent &event : recording.events)
    count += event.end == EventEnd::Open;
  return count;
}

std::string readText(const std::string &path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

TEST(ScopeSignals, HandlersMayHaveScopes) {
  EXPECT_EQ(
      runChild([] {
        prof_scope_start(nullptr, nullptr);
        startTimer(200, [](int) {
          Scope scope("handler " + std::to_string(++handled % 1000));
          PROF_SCOPE("in the handler");
        });
        uint64_t begun = 0;
        while (handled < 2000) {
          // New names take the lock, and contexts that of the thread.
          Scope named("main " + std::to_string(++begun % 5000));
          Context context = here();
          ContextGuard guard(context);
          PROF_SCOPE("inside");
        }
        startTimer(0, SIG_IGN);
        prof_scope_stop(nullptr);
        Recording recording = readScopes();
        EXPECT_EQ(countOpen(recording), 0u);
        EXPECT_EQ(getLoss(recording, "end of a scope that was not open"), 0u);
        uint64_t lost =
            getLoss(recording,
                    "call of a signal handler that interrupted the profiler");
        uint64_t all = recording.events.size();
        EXPECT_LE(all, 2 * begun + 2 * handled);
        EXPECT_GE(all + lost, 2 * begun + 2 * handled);
        return true;
      }),
      0);
}

TEST(ScopeSignals, HandlersMayExit) {
  EXPECT_EQ(runChild([] {
              prof_scope_start(nullptr, nullptr);
              for (int index = 0; index < 1000000; ++index)
                PROF_SCOPE("one");
              startTimer(20000, [](int) { exit(0); });
              for (;;)
                copyScopes();
              return false;
            }),
            0);
}

TEST(ScopeSignals, CanceledThreadsDoNotKeepLocks) {
  std::string path = makePath("canceled");
  EXPECT_EQ(runChild([&] {
              std::thread([&] {
                pthread_cancel(pthread_self());
                EXPECT_EQ(startRecording(path), 0);
                int before;
                pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
                EXPECT_EQ(before, PTHREAD_CANCEL_ENABLE);
              }).join();
              PROF_SCOPE("after");
              prof_scope_stop(nullptr);
              return prof_scope_sessions() == 0;
            }),
            0);
  llvm::sys::fs::remove(path);
}

static pthread_mutex_t libraryMutex = PTHREAD_MUTEX_INITIALIZER;

TEST(ScopeSignals, LibrariesMayLockAtForks) {
  EXPECT_EQ(runChild([] {
              // As allocators and loggers do.
              pthread_atfork([] { pthread_mutex_lock(&libraryMutex); },
                             [] { pthread_mutex_unlock(&libraryMutex); },
                             [] { pthread_mutex_unlock(&libraryMutex); });
              prof_scope_start(nullptr, nullptr);
              std::atomic<bool> stop{false};
              std::thread worker([&] {
                for (int index = 0; !stop; ++index) {
                  pthread_mutex_lock(&libraryMutex);
                  Scope("new name " + std::to_string(index)).end();
                  pthread_mutex_unlock(&libraryMutex);
                  std::this_thread::yield();
                }
              });
              for (int round = 0; round < 100; ++round) {
                pid_t child = fork();
                if (!child)
                  _exit(0);
                waitpid(child, nullptr, 0);
              }
              stop = true;
              worker.join();
              return true;
            }),
            0);
}

TEST(ScopeSignals, ForksDoNotCostEndedThreads) {
  EXPECT_EQ(runChild([] {
              prof_scope_start(nullptr, nullptr);
              for (int thread = 0; thread < 50; ++thread)
                std::thread([] { PROF_SCOPE("ended"); }).join();
              std::atomic<Scope *> left{nullptr};
              std::thread([&] { left = new Scope("open at the end"); }).join();
              pid_t child = fork();
              if (!child) {
                // Its locks are free.
                Scope own("own");
                left.load()->end();
                own.end();
                Recording recording = readScopes();
                // As any scope that was open at a reset.
                ScopeEvent event = findEvent(recording, "open at the end");
                EXPECT_EQ(event.end, EventEnd::Ended);
                EXPECT_TRUE(recording.threads[event.thread].hasEnded);
                EXPECT_TRUE(recording.losses.empty());
                _exit(findEvents(recording, "ended").size() ||
                      findEvents(recording, "own").size() != 1 ||
                      testing::Test::HasFailure());
              }
              int status = -1;
              waitpid(child, &status, 0);
              left.load()->end();
              return status == 0 &&
                     findEvents(readScopes(), "ended").size() == 50;
            }),
            0);
}

static long countFaults() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

TEST(ScopeSignals, ForksDoNotTouchEndedThreads) {
  EXPECT_EQ(runChild([] {
              constexpr int kThreads = 2000;
              prof_scope_start(nullptr, nullptr);
              for (int thread = 0; thread < kThreads; ++thread)
                std::thread([] { PROF_SCOPE("ended"); }).join();
              return runChild([] {
                       // Each page that the child changes is copied.
                       EXPECT_LT(countFaults(), kThreads / 4);
                       for (int thread = 0; thread < 100; ++thread)
                         std::thread([] { PROF_SCOPE("again"); }).join();
                       size_t again = findEvents(readScopes(), "again").size();
                       // The next session gives memory back.
                       prof_scope_stop(nullptr);
                       prof_scope_start(nullptr, nullptr);
                       return again == 100 && readScopes().events.empty();
                     }) == 0;
            }),
            0);
}

TEST(ScopeSignals, FilesThatCannotBeMadeLeaveOthers) {
  std::string path = makePath("notes");
  std::ofstream(path) << "the notes of the user";
  EXPECT_EQ(runChild([&] {
              rlimit limit = {1024, 1024};
              setrlimit(RLIMIT_FSIZE, &limit);
              EXPECT_EQ(startRecording(path), EFBIG);
              prof_scope_stop(nullptr);
              EXPECT_EQ(prof_scope_write(path.c_str()), EFBIG);
              return true;
            }),
            0);
  EXPECT_EQ(readText(path), "the notes of the user");
  // Links remain, and their target is replaced.
  std::string link = makePath("link");
  ASSERT_EQ(symlink(path.c_str(), link.c_str()), 0);
  EXPECT_EQ(startRecording(link), 0);
  Scope("one").end();
  prof_scope_stop(nullptr);
  findEvent(readScopeFile(path), "one");
  llvm::sys::fs::remove(link);
  llvm::sys::fs::remove(path);
}

TEST(ScopeSignals, ChildrenDoNotReplaceFiles) {
  std::string path = makePath("parent");
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  EXPECT_EQ(startRecording(path), 0);
  pid_t child = fork();
  if (!child) {
    char byte;
    bool isTold = read(ends[0], &byte, 1) == 1;
    Scope("in the child").end();
    prof_scope_stop(nullptr);
    _exit(!isTold);
  }
  // A process with that number was there before.
  std::string taken = path + "." + std::to_string(child);
  std::ofstream(taken) << "an earlier child";
  EXPECT_EQ(write(ends[1], "", 1), 1);
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  prof_scope_stop(nullptr);
  EXPECT_EQ(readText(taken), "an earlier child");
  findEvent(readScopeFile(taken + ".2"), "in the child");
  for (const std::string &file : {path, taken, taken + ".2"})
    llvm::sys::fs::remove(file);
  close(ends[0]);
  close(ends[1]);
}

TEST(ScopeSignals, FilesWithoutANameAreLosses) {
  std::string path = makePath("removed");
  EXPECT_EQ(startRecording(path), 0);
  llvm::sys::fs::remove(path);
  Scope("one").end();
  prof_scope_stop(nullptr);
  EXPECT_EQ(
      getLoss(readScopes(), "file of a recording that could not be written"),
      1u);
}

TEST(ScopeSignals, WritesToPipesWithoutAReader) {
  std::string path = makePath("pipe");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(runChild([&] {
              signal(SIGPIPE, SIG_DFL);
              prof_scope_start(nullptr, nullptr);
              for (int index = 0; index < 100000; ++index)
                PROF_SCOPE("one");
              prof_scope_stop(nullptr);
              std::thread reader([&] { close(open(path.c_str(), O_RDONLY)); });
              int error = prof_scope_write(path.c_str());
              reader.join();
              EXPECT_EQ(error, EPIPE);
              // The signal is not left behind.
              sigset_t pending;
              sigpending(&pending);
              return !sigismember(&pending, SIGPIPE);
            }),
            0);
  llvm::sys::fs::remove(path);
}

TEST(ScopeSignals, PathsMayNameTheProcess) {
  std::string path = makePath("%p");
  prof_scope_start(nullptr, nullptr);
  Scope("one").end();
  prof_scope_stop(nullptr);
  ASSERT_EQ(prof_scope_write(path.c_str()), 0);
  std::string named = path;
  named.replace(named.find("%p"), 2, std::to_string(getpid()));
  findEvent(readScopeFile(named), "one");
  llvm::sys::fs::remove(named);
}

TEST(ScopeSignals, OneOfTwoDescriptionsIsWhole) {
  std::string path = makePath("described");
  EXPECT_EQ(startRecording(path), 0);
  Scope("one").end();
  // Each copy of the recording is a reading of the clocks.
  copyScopes();
  std::string bytes = readText(path);
  copyScopes();
  std::string next = readText(path);
  prof_scope_stop(nullptr);
  ASSERT_GT(next.size(), size_t(PROF_SCOPE_PAGE));
  auto getNewest = [](const std::string &of) {
    prof_scope_process process;
    std::memcpy(&process, of.data(), sizeof process);
    return process.newest;
  };
  ASSERT_NE(getNewest(bytes), getNewest(next));
  // A kill leaves garbage in the other one.
  for (std::string *of : {&bytes, &next}) {
    Recording before = readScopes({of->begin(), of->end()});
    size_t other = getNewest(*of) ? 0 : PROF_SCOPE_PROCESS_OTHER;
    std::fill_n(of->begin() + other + sizeof(prof_scope_block), 200, '\x5a');
    Recording after = readScopes({of->begin(), of->end()});
    EXPECT_EQ(after.clock.anchorNs, before.clock.anchorNs);
    EXPECT_EQ(after.clock.ticks, before.clock.ticks);
    EXPECT_EQ(after.clock.ps, before.clock.ps);
    EXPECT_EQ(after.process, uint64_t(getpid()));
    findEvent(after, "one");
  }
  llvm::sys::fs::remove(path);
}

TEST(ScopeSignals, RingsReadTheClocksMeanwhile) {
  std::string path = makePath("ring");
  EXPECT_EQ(startRecording(path, 16), 0);
  Recording first = readScopeFile(path);
  for (int index = 0; index < 10; ++index)
    PROF_SCOPE("one");
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  for (int index = 0; index < 10000; ++index)
    PROF_SCOPE("one");
  // As a kill would leave it.
  Recording recording = readScopeFile(path);
  prof_scope_stop(nullptr);
  EXPECT_GE(recording.clock.ps, first.clock.ps + 50'000'000'000);
  llvm::sys::fs::remove(path);
}

TEST(ScopeSignals, ClocksThatStopAreLosses) {
  EXPECT_EQ(runChild([] {
              const char *loss = "reading of clocks, or interval measured "
                                 "elsewhere, that cannot be right";
              prof_scope_start(nullptr, nullptr);
              for (int round = 0; round < 3; ++round) {
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
                EXPECT_EQ(getLoss(readScopes(), loss), 0u);
              }
              if (readScopes().clock.source != TickSource::Counter)
                return true;
              // The counter of ticks was not running for an hour.
              clockShift = INT64_C(3600000000000);
              std::this_thread::sleep_for(std::chrono::milliseconds(5));
              EXPECT_EQ(getLoss(readScopes(), loss), 1u);
              return true;
            }),
            0);
}
