//===- TasksTest.cpp - Scopes of tasks ------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Scope/Tasks.h"
#include "ReadScopes.h"
#include "llvm/Support/ThreadPool.h"

#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <thread>

using namespace mlirprof;
using namespace mlirprof::scope;

namespace {

/// A session on the clock of the system, since tasks run when they may.
class Tasks : public testing::Test {
protected:
  Tasks() { EXPECT_EQ(prof_scope_start(nullptr, nullptr), 0); }
  ~Tasks() override { prof_scope_stop(nullptr); }

  /// Stops, and checks that all `count` scopes called `name` are children of
  /// scopes called `parent`.
  void expectChildren(const Recording &recording, const char *name,
                      size_t count, const char *parent) {
    std::vector<ScopeEvent> events = findEvents(recording, name);
    EXPECT_EQ(events.size(), count) << name;
    for (const ScopeEvent &event : events)
      EXPECT_EQ(getParent(recording, event), parent) << name;
  }
};

} // namespace

TEST_F(Tasks, OfAThreadPoolHangBelowTheirSpawners) {
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(3));
  for (const char *name : {"first", "second"}) {
    Scope spawner(name);
    for (int index = 0; index < 20; ++index)
      pool.async(bindContext([name](int) {
                   Scope task("task of " + std::string(name));
                   PROF_SCOPE("part");
                 }),
                 index);
  }
  pool.wait();
  pool.async([] { PROF_SCOPE("unbound"); });
  pool.wait();
  Recording recording = readScopes();
  expectChildren(recording, "task of first", 20, "first");
  expectChildren(recording, "task of second", 20, "second");
  expectChildren(recording, "unbound", 1, "");
  EXPECT_EQ(findEvents(recording, "part").size(), 40u);
  EXPECT_TRUE(recording.losses.empty());
}

TEST_F(Tasks, SpawnTasks) {
  llvm::DefaultThreadPool outer(llvm::hardware_concurrency(2));
  llvm::DefaultThreadPool inner(llvm::hardware_concurrency(2));
  {
    PROF_SCOPE("spawner");
    for (int index = 0; index < 10; ++index)
      outer.async(bindContext([&inner] {
        PROF_SCOPE("outer task");
        for (int each = 0; each < 5; ++each)
          inner.async(bindContext([] { PROF_SCOPE("inner task"); }));
      }));
    outer.wait();
    inner.wait();
  }
  Recording recording = readScopes();
  expectChildren(recording, "outer task", 10, "spawner");
  expectChildren(recording, "inner task", 50, "outer task");
  // Five for each of the outer ones, not all for the last.
  std::map<uint32_t, int> children;
  for (const ScopeEvent &event : findEvents(recording, "inner task"))
    ++children[event.parent];
  EXPECT_EQ(children.size(), 10u);
  for (auto [parent, count] : children)
    EXPECT_EQ(count, 5) << parent;
}

TEST_F(Tasks, PassContextsOnWithoutScopes) {
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(2));
  {
    PROF_SCOPE("spawner");
    pool.async(bindContext([&pool] {
      // No scope of its own: the next one is the spawner's.
      pool.async(bindContext([] { PROF_SCOPE("grandchild"); }));
    }));
    pool.wait();
  }
  expectChildren(readScopes(), "grandchild", 1, "spawner");
}

TEST_F(Tasks, GroupsThatAreWaitedForInside) {
  // One thread: the task that waits runs the others itself, below its own
  // scope.
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(1));
  {
    PROF_SCOPE("spawner");
    llvm::ThreadPoolTaskGroup outer(pool);
    outer.async(bindContext([&pool] {
      PROF_SCOPE("waiting");
      llvm::ThreadPoolTaskGroup inner(pool);
      for (int index = 0; index < 8; ++index)
        inner.async(bindContext([] { PROF_SCOPE("inside"); }));
      inner.wait();
    }));
    outer.wait();
  }
  Recording recording = readScopes();
  expectChildren(recording, "waiting", 1, "spawner");
  expectChildren(recording, "inside", 8, "waiting");
  EXPECT_TRUE(recording.losses.empty());
}

TEST_F(Tasks, OutliveTheirSpawners) {
  std::promise<void> hasEnded;
  std::future<void> task;
  {
    PROF_SCOPE("spawner");
    task = std::async(std::launch::async,
                      bindContext([ended = hasEnded.get_future()]() mutable {
                        ended.wait();
                        PROF_SCOPE("late");
                      }));
  }
  hasEnded.set_value();
  task.get();
  Recording recording = readScopes();
  expectChildren(recording, "late", 1, "spawner");
  ScopeEvent spawner = findEvent(recording, "spawner");
  ScopeEvent late = findEvent(recording, "late");
  EXPECT_GE(late.beginPs, spawner.endPs);
  EXPECT_EQ(spawner.selfPs, spawner.getDurationPs());
}

TEST_F(Tasks, OfAsyncRunWhereTheirPolicySays) {
  {
    PROF_SCOPE("spawner");
    std::future<int> async =
        std::async(std::launch::async, bindContext([](int value) {
                     PROF_SCOPE("async");
                     return value;
                   }),
                   4);
    std::future<std::unique_ptr<int>> deferred =
        std::async(std::launch::deferred,
                   bindContext([value = std::make_unique<int>(3)]() mutable {
                     PROF_SCOPE("deferred");
                     return std::move(value);
                   }));
    EXPECT_EQ(async.get() + *deferred.get(), 7);
    std::packaged_task<void()> packaged(
        bindContext([] { PROF_SCOPE("packaged"); }));
    std::thread(std::move(packaged)).join();
  }
  Recording recording = readScopes();
  for (const char *name : {"async", "deferred", "packaged"})
    expectChildren(recording, name, 1, "spawner");
  EXPECT_TRUE(findEvent(recording, "async").isLinked);
  // On the spawner's own thread, so its time is that of a child.
  EXPECT_FALSE(findEvent(recording, "deferred").isLinked);
}

TEST_F(Tasks, ReturnReferencesAndThrow) {
  int value = 1;
  auto work = bindContext([&value]() -> int & { return value; });
  work() = 2;
  EXPECT_EQ(value, 2);
  {
    PROF_SCOPE("spawner");
    std::future<void> failing = std::async(std::launch::async, bindContext([] {
                                             PROF_SCOPE("failing");
                                             throw std::runtime_error("fails");
                                           }));
    EXPECT_THROW(failing.get(), std::runtime_error);
  }
  Recording recording = readScopes();
  expectChildren(recording, "failing", 1, "spawner");
  EXPECT_TRUE(recording.losses.empty());
}

TEST_F(Tasks, OfAnyExecutor) {
  std::deque<std::function<void()>> queue;
  auto post =
      bindExecutor([&](auto work) { queue.push_back(std::move(work)); });
  // Also one that takes more, and returns something.
  auto run = bindExecutor([](auto work, int value) {
    return std::async(std::launch::async, std::move(work), value);
  });
  {
    PROF_SCOPE("spawner");
    post([] { PROF_SCOPE("posted"); });
    auto twice = [](int of) {
      PROF_SCOPE("run");
      return 2 * of;
    };
    EXPECT_EQ(run(twice, 4).get(), 8);
  }
  std::thread([&] {
    for (auto &work : queue)
      work();
  }).join();
  Recording recording = readScopes();
  expectChildren(recording, "posted", 1, "spawner");
  expectChildren(recording, "run", 1, "spawner");
}

TEST_F(Tasks, WithoutASessionAreBoundToNothing) {
  auto early = [] { PROF_SCOPE("early"); };
  prof_scope_stop(nullptr);
  Scope spawner("spawner");
  auto bound = bindContext(early);
  prof_scope_start(nullptr, nullptr);
  std::thread(bound).join();
  Recording recording = readScopes();
  expectChildren(recording, "early", 1, "");
  EXPECT_TRUE(recording.losses.empty());
}
