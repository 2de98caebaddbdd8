//===- KillTest.cpp - Processes that are killed or stopped ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A child records into a file on several threads, each of which tells in shared
// memory how many scopes have ended. The file must have all of them at any
// moment, and at most one more: that which was being told.
//
//===----------------------------------------------------------------------===//

#include "ReadScopes.h"
#include "mlir-prof/Runtime/prof_scope_file.h"
#include "mlir-prof/Scope/Scope.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

#include <map>
#include <random>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace mlirprof;
using namespace mlirprof::scope;

namespace {

constexpr unsigned kThreads = 4;
constexpr uint64_t kRing = 1024;

constexpr const char *kTorn = "scope whose statistics were being written";

/// The counts of threads, in memory of both processes.
struct Told {
  std::atomic<bool> stop{false};
  /// The thread that sends a signal to its process when so many of its scopes
  /// have ended, while others are anywhere; kThreads is none.
  std::atomic<unsigned> sender{kThreads};
  std::atomic<uint64_t> target{0};
  std::atomic<int> signal{0};
  struct {
    alignas(64) std::atomic<bool> isOpen{false};
    std::atomic<uint64_t> ended{0};
  } threads[kThreads];
};

/// Those of a moment.
struct Counts {
  bool isOpen[kThreads];
  uint64_t ended[kThreads];
};

/// The scopes that have ended, by thread and name.
using Ended = std::map<std::pair<uint32_t, std::string>, uint64_t>;

enum class Kind { Growing, Ring, Statistics };

/// A child that records, and its file.
class Child {
public:
  explicit Child(Kind kind);
  ~Child();

  /// Makes a thread send a signal after `more` of its scopes.
  void signalAfter(int signal, unsigned thread, uint64_t more) const;
  Counts read() const;
  void send(int signal) const { ::kill(pid, signal); }
  int wait(int options = 0) const;
  bool hasFile() const { return llvm::sys::fs::exists(path); }
  /// Whether the file has what was told.
  void check(const Counts &told, bool isAtEnd = false) const;

  Told *told;
  std::string path;
  pid_t pid;

private:
  [[noreturn]] void record();
  void checkThread(const Recording &recording, const Ended &found,
                   uint32_t thread, uint64_t ended, bool isAtEnd) const;

  Kind kind;
  /// Also for the file that is made before it has its name.
  llvm::SmallString<128> folder;
};

} // namespace

Child::Child(Kind kind) : kind(kind) {
  EXPECT_FALSE(
      llvm::sys::fs::createUniqueDirectory("mlir-prof-killed", folder));
  path = (folder + "/scopes").str();
  told = new (mmap(nullptr, sizeof(Told), PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_ANONYMOUS, -1, 0)) Told;
  pid = fork();
  if (!pid)
    record();
}

Child::~Child() {
  munmap(told, sizeof *told);
  llvm::sys::fs::remove_directories(folder);
}

void Child::record() {
  prof_scope_options options = PROF_SCOPE_OPTIONS;
  options.path = path.c_str();
  options.ring_records = kind == Kind::Ring ? kRing : 0;
  if (kind == Kind::Statistics)
    options.modes = PROF_SCOPE_STATISTICS;
  bool isStarted = prof_scope_start(&options, nullptr) == 0;
  std::vector<std::thread> threads;
  for (unsigned index = 0; index != kThreads; ++index)
    threads.emplace_back([this, index] {
      auto &own = told->threads[index];
      Scope("thread " + std::to_string(index)).end();
      Scope open("open " + std::to_string(index));
      own.isOpen = true;
      while (!told->stop) {
        {
          PROF_SCOPE("outer");
          PROF_SCOPE("inner");
        }
        // Others get their turns, so that files stay small.
        if (own.ended.fetch_add(1) % 64 == 63)
          std::this_thread::yield();
        if (told->sender == index && own.ended >= told->target) {
          told->sender = kThreads;
          ::kill(getpid(), told->signal);
        }
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  prof_scope_stop(nullptr);
  _exit(!isStarted);
}

void Child::signalAfter(int signal, unsigned thread, uint64_t more) const {
  told->signal = signal;
  told->target = told->threads[thread].ended + more;
  told->sender = thread;
}

Counts Child::read() const {
  Counts counts;
  for (unsigned index = 0; index != kThreads; ++index) {
    counts.ended[index] = told->threads[index].ended;
    counts.isOpen[index] = told->threads[index].isOpen;
  }
  return counts;
}

int Child::wait(int options) const {
  int status = -1;
  EXPECT_EQ(waitpid(pid, &status, options), pid);
  return status;
}

static Ended countEnded(const Recording &recording) {
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> bySite;
  for (const ScopeEvent &event : recording.events)
    if (event.end == EventEnd::Ended)
      ++bySite[{event.thread, event.site}];
  for (const SiteStatistics &row : recording.statistics)
    bySite[{row.thread, row.site}] += row.calls;
  Ended ended;
  for (const auto &[of, count] : bySite)
    ended[{of.first, recording.sites[of.second].name}] += count;
  return ended;
}

void Child::checkThread(const Recording &recording, const Ended &found,
                        uint32_t thread, uint64_t ended, bool isAtEnd) const {
  uint64_t lost = recording.threads[thread].overwritten, all = 0;
  for (const auto &[of, count] : found)
    all += of.first == thread ? count : 0;
  // With the first scope of the thread, and the one around the others.
  EXPECT_GE(all + lost, 2 * ended + 1 + isAtEnd);
  EXPECT_LE(all + lost, 2 * (ended + !isAtEnd) + 1 + isAtEnd);
  if (kind == Kind::Ring) {
    EXPECT_LE(all, kRing);
    // All but those that may be being overwritten.
    EXPECT_GE(all, std::min(2 * ended, kRing - PROF_SCOPE_IN_FLIGHT));
    return;
  }
  EXPECT_EQ(lost, 0u);
  for (const char *name : {"outer", "inner"}) {
    auto of = found.find({thread, name});
    uint64_t count = of == found.end() ? 0 : of->second;
    EXPECT_GE(count, ended);
    EXPECT_LE(count, ended + !isAtEnd);
  }
}

/// Checks names and parents of events; the thread that has each open scope.
static std::map<std::string, uint32_t> checkEvents(const Recording &recording,
                                                   EventEnd end) {
  std::map<std::string, uint32_t> threadOf;
  auto getName = [&](uint32_t event) -> std::string_view {
    if (event == kNoScope)
      return "";
    return recording.sites[recording.events[event].site].name;
  };
  for (uint32_t index = 0; index != recording.events.size(); ++index) {
    const ScopeEvent &event = recording.events[index];
    std::string_view name = getName(index), parent = getName(event.parent);
    bool isOpen = name.substr(0, 5) == "open ";
    if (parent.substr(0, 5) != (name == "inner"   ? "outer"
                                : name == "outer" ? "open "
                                                  : ""))
      ADD_FAILURE() << name << " in " << parent;
    if (!isOpen)
      continue;
    EXPECT_TRUE(threadOf.emplace(name, event.thread).second);
    EXPECT_EQ(event.end, end);
  }
  // Statistics do not tell what is open.
  for (const SiteStatistics &row : recording.statistics) {
    const std::string &name = recording.sites[row.site].name;
    // A row without a call is the record that was being written.
    if (row.calls != 0 && name.substr(0, 7) == "thread ")
      threadOf.emplace("open " + name.substr(7), row.thread);
  }
  return threadOf;
}

void Child::check(const Counts &counts, bool isAtEnd) const {
  Recording recording = readScopeFile(path);
  EXPECT_EQ(recording.process, uint64_t(pid));
  for (const Loss &loss : recording.losses) {
    EXPECT_EQ(loss.name, kTorn);
    EXPECT_LE(loss.count, kind == Kind::Statistics && !isAtEnd ? kThreads : 0);
  }
  std::map<std::string, uint32_t> threadOf =
      checkEvents(recording, isAtEnd ? EventEnd::Ended : EventEnd::Open);
  Ended ended = countEnded(recording);
  for (unsigned index = 0; index != kThreads; ++index) {
    auto thread = threadOf.find("open " + std::to_string(index));
    if (thread != threadOf.end())
      checkThread(recording, ended, thread->second, counts.ended[index],
                  isAtEnd);
    else
      EXPECT_FALSE(counts.isOpen[index]);
  }
}

/// Measures what recording takes, which each child would do otherwise.
static void measureCosts() {
  for (uint32_t modes : {PROF_SCOPE_EVENTS, PROF_SCOPE_STATISTICS}) {
    prof_scope_options options = PROF_SCOPE_OPTIONS;
    options.modes = modes;
    prof_scope_start(&options, nullptr);
    prof_scope_stop(nullptr);
  }
}

TEST(ScopeKills, LeaveAllButTheRecordBeingWritten) {
  measureCosts();
  std::mt19937 random(1);
  for (Kind kind : {Kind::Growing, Kind::Ring, Kind::Statistics})
    for (int round = 0; round < 30; ++round) {
      SCOPED_TRACE("kind " + std::to_string(int(kind)) + ", round " +
                   std::to_string(round));
      Child child(kind);
      if (round % 4) {
        child.signalAfter(SIGKILL, random() % kThreads, random() % 2000);
      } else {
        // Perhaps before the file is there.
        usleep(random() % 500);
        child.send(SIGKILL);
      }
      EXPECT_TRUE(WIFSIGNALED(child.wait()));
      Counts counts = child.read();
      if (child.hasFile())
        child.check(counts);
      else
        for (bool isOpen : counts.isOpen)
          EXPECT_FALSE(isOpen);
    }
}

TEST(ScopeKills, StoppedProcessesAreRead) {
  measureCosts();
  std::mt19937 random(1);
  for (Kind kind : {Kind::Growing, Kind::Ring, Kind::Statistics}) {
    SCOPED_TRACE("kind " + std::to_string(int(kind)));
    Child child(kind);
    auto stopSoon = [&] {
      child.signalAfter(SIGSTOP, random() % kThreads, 1 + random() % 500);
    };
    stopSoon();
    for (int round = 0; round < 15; ++round) {
      ASSERT_TRUE(WIFSTOPPED(child.wait(WUNTRACED)));
      child.check(child.read());
      // Before it goes on, so that it does not go far.
      if (round < 14)
        stopSoon();
      else
        child.told->stop = true;
      child.send(SIGCONT);
    }
    EXPECT_EQ(child.wait(), 0);
    child.check(child.read(), /*isAtEnd=*/true);
  }
}
