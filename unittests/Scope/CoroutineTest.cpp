//===- CoroutineTest.cpp - Scopes of C++20 coroutines ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Scope/Coroutine.h"
#include "ReadScopes.h"
#include "mlir-prof/Scope/Table.h"

#include <condition_variable>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <stdexcept>
#include <thread>

using namespace mlirprof;
using namespace mlirprof::scope;

namespace {

/// A session on the simulated clock.
class Coroutines : public testing::Test {
protected:
  Coroutines() { EXPECT_EQ(prof_scope_start(nullptr, nullptr), 0); }
  ~Coroutines() override { prof_scope_stop(nullptr); }

private:
  SimulatedClock clock;
};

void spend(int64_t ns) { simulatedNs += ns; }

/// A lazy coroutine. Whoever awaits it goes on when it has ended.
template <typename Promise>
class [[nodiscard]] TaskOf {
public:
  struct promise_type : Promise {
    TaskOf get_return_object() {
      return TaskOf(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    auto final_suspend() noexcept {
      struct Next : std::suspend_always {
        std::coroutine_handle<>
        await_suspend(std::coroutine_handle<promise_type> ended) noexcept {
          std::coroutine_handle<> next = ended.promise().next;
          return next ? next : std::noop_coroutine();
        }
      };
      return Next();
    }
    void return_void() {}
    void unhandled_exception() { problem = std::current_exception(); }

    std::coroutine_handle<> next;
    std::exception_ptr problem;
  };

  explicit TaskOf(std::coroutine_handle<promise_type> handle)
      : handle(handle) {}
  TaskOf(TaskOf &&other) noexcept
      : handle(std::exchange(other.handle, nullptr)) {}
  ~TaskOf() {
    if (handle)
      handle.destroy();
  }

  void resume() { handle.resume(); }
  bool isDone() const { return handle.done(); }
  bool hasFailed() const { return handle.promise().problem != nullptr; }

  auto operator co_await() const noexcept {
    struct Awaiter {
      std::coroutine_handle<promise_type> callee;
      bool await_ready() const noexcept { return false; }
      std::coroutine_handle<>
      await_suspend(std::coroutine_handle<> caller) const noexcept {
        callee.promise().next = caller;
        return callee;
      }
      void await_resume() const {
        if (callee.promise().problem)
          std::rethrow_exception(callee.promise().problem);
      }
    };
    return Awaiter{handle};
  }

private:
  std::coroutine_handle<promise_type> handle;
};

using Task = TaskOf<CoroutinePromise>;
struct ForeignPromise {};
/// One whose promise does not know of scopes.
using ForeignTask = TaskOf<ForeignPromise>;

template <typename Work>
void runElsewhere(Work work) {
  std::thread(std::move(work)).join();
}

TableRow findRow(const Recording &recording, const char *name) {
  for (const TableRow &row : makeTable(recording))
    if (row.name == name)
      return row;
  ADD_FAILURE() << name;
  return TableRow();
}

} // namespace

static Task runNested() {
  PROF_COROUTINE_SCOPE("outer");
  spend(1);
  {
    auto inner = co_await coroutineScope("inner", ScopeType::Forward);
    spend(10);
    co_await std::suspend_always();
    spend(100);
  }
  co_await std::suspend_always();
  spend(1000);
}

TEST_F(Coroutines, ScopesSkipTheTimeWhileSuspended) {
  Task task = runNested();
  task.resume();
  {
    PROF_SCOPE("meanwhile");
    spend(50000);
  }
  runElsewhere([&] { task.resume(); });
  spend(700000);
  runElsewhere([&] { task.resume(); });
  ASSERT_TRUE(task.isDone());
  Recording recording = readScopes();
  TableRow outer = findRow(recording, "outer");
  EXPECT_EQ(outer.calls, 1u);
  EXPECT_EQ(outer.rawTotalPs, 1111000);
  EXPECT_EQ(outer.rawSelfPs, 1001000);
  TableRow inner = findRow(recording, "inner");
  EXPECT_EQ(inner.calls, 1u);
  EXPECT_EQ(inner.rawTotalPs, 110000);
  EXPECT_EQ(inner.type, uint16_t(ScopeType::Forward));
  for (const ScopeEvent &event : findEvents(recording, "inner"))
    EXPECT_EQ(getParent(recording, event), "outer");
  EXPECT_EQ(findEvents(recording, "outer").size(), 3u);
  EXPECT_EQ(getParent(recording, findEvent(recording, "meanwhile")), "");
  EXPECT_TRUE(recording.losses.empty());
}

static Task runLate() {
  co_await std::suspend_always();
  PROF_COROUTINE_SCOPE("late");
  spend(3);
}

TEST_F(Coroutines, ScopesHangBelowTheirSpawner) {
  std::vector<Task> tasks;
  {
    PROF_SCOPE("spawner");
    tasks.push_back(runLate());
    tasks.push_back(runNested());
    tasks[0].resume();
    spend(1);
  }
  for (int turn = 0; turn < 3; ++turn)
    runElsewhere([&] {
      for (Task &task : tasks)
        if (!task.isDone())
          task.resume();
      // The context goes with the coroutine.
      PROF_SCOPE("after");
    });
  Recording recording = readScopes();
  EXPECT_EQ(getParent(recording, findEvent(recording, "late")), "spawner");
  std::vector<ScopeEvent> outer = findEvents(recording, "outer");
  ASSERT_EQ(outer.size(), 3u);
  for (const ScopeEvent &part : outer) {
    EXPECT_EQ(getParent(recording, part), "spawner");
    EXPECT_TRUE(part.isLinked);
  }
  for (const ScopeEvent &event : findEvents(recording, "after"))
    EXPECT_EQ(event.parent, kNoScope);
  EXPECT_EQ(findEvent(recording, "spawner").selfPs, 1000);
  EXPECT_TRUE(recording.losses.empty());
}

static Task runCallee(bool fails) {
  PROF_COROUTINE_SCOPE("callee");
  spend(20);
  co_await std::suspend_always();
  spend(30);
  if (fails)
    throw std::runtime_error("fails");
}

/// The callee is kept outside, since whoever resumes it needs its handle.
static Task runCaller(std::deque<Task> &callees) {
  PROF_COROUTINE_SCOPE("caller");
  spend(1);
  callees.push_back(runCallee(false));
  co_await callees.back();
  spend(2);
}

TEST_F(Coroutines, CalleesHangBelowTheirCallers) {
  std::deque<Task> callees;
  Task caller = runCaller(callees);
  runElsewhere([&] { caller.resume(); });
  spend(9000);
  runElsewhere([&] { callees.back().resume(); });
  ASSERT_TRUE(caller.isDone());
  Recording recording = readScopes();
  EXPECT_EQ(findRow(recording, "caller").rawTotalPs, 3000);
  EXPECT_EQ(findRow(recording, "callee").rawTotalPs, 50000);
  for (const ScopeEvent &part : findEvents(recording, "callee"))
    EXPECT_EQ(getParent(recording, part), "caller");
  EXPECT_TRUE(recording.losses.empty());
}

TEST_F(Coroutines, CalleesHangBelowTheirCallersWithinALoop) {
  std::deque<Task> callees;
  {
    PROF_SCOPE("loop");
    Task caller = runCaller(callees);
    caller.resume();
    spend(100);
    callees.back().resume();
    EXPECT_TRUE(caller.isDone());
  }
  Recording recording = readScopes();
  std::map<std::string, TableRow> rows;
  TableOptions options;
  options.key = RowKey::Path;
  std::vector<TableRow> table = makeTable(recording, options);
  for (const TableRow &row : table) {
    std::string path = row.name;
    for (uint32_t at = row.parent; at != kNoScope; at = table[at].parent)
      path = table[at].name + "/" + path;
    rows[path] = row;
  }
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows["loop"].rawTotalPs, 153000);
  // Without the time of either, wherever they hang.
  EXPECT_EQ(rows["loop"].rawSelfPs, 100000);
  EXPECT_EQ(rows["loop/caller"].rawTotalPs, 3000);
  EXPECT_EQ(rows["loop/caller/callee"].rawTotalPs, 50000);
}

TEST_F(Coroutines, ChildrenOfLaterPartsAreThoseOfTheScope) {
  Task task = [](int) -> Task {
    PROF_COROUTINE_SCOPE("around");
    co_await std::suspend_always();
    PROF_SCOPE("inside");
  }(0);
  task.resume();
  runElsewhere([&] {
    PROF_SCOPE("loop");
    task.resume();
  });
  TableOptions options;
  options.key = RowKey::Path;
  std::vector<TableRow> table = makeTable(readScopes(), options);
  ASSERT_EQ(table.size(), 3u);
  for (const TableRow &row : table)
    if (row.name == "inside")
      EXPECT_EQ(table[row.parent].name, "around");
    else
      EXPECT_EQ(row.parent, kNoScope) << row.name;
}

static Task runCatching(std::deque<Task> &callees, bool &hasCaught) {
  PROF_COROUTINE_SCOPE("catching");
  try {
    PROF_COROUTINE_SCOPE("tried");
    callees.push_back(runCallee(true));
    co_await callees.back();
    spend(500);
  } catch (const std::runtime_error &) {
    hasCaught = true;
    spend(4);
  }
}

TEST_F(Coroutines, ExceptionsEndScopes) {
  std::deque<Task> callees;
  bool hasCaught = false;
  Task task = runCatching(callees, hasCaught);
  task.resume();
  runElsewhere([&] { callees.back().resume(); });
  EXPECT_TRUE(hasCaught);
  ASSERT_TRUE(task.isDone());
  Recording recording = readScopes();
  EXPECT_EQ(findRow(recording, "callee").rawTotalPs, 50000);
  EXPECT_EQ(findRow(recording, "tried").rawTotalPs, 0);
  EXPECT_EQ(findRow(recording, "catching").rawTotalPs, 4000);
  EXPECT_TRUE(recording.losses.empty());
}

TEST_F(Coroutines, ScopesEndWhenASuspendedOneIsDestroyed) {
  {
    Task task = runNested();
    task.resume();
    spend(90);
    runElsewhere([task = std::move(task)] { spend(7); });
  }
  Recording recording = readScopes();
  EXPECT_EQ(findRow(recording, "outer").calls, 1u);
  EXPECT_EQ(findRow(recording, "outer").rawTotalPs, 11000);
  EXPECT_EQ(findRow(recording, "inner").rawTotalPs, 10000);
  EXPECT_TRUE(recording.losses.empty());
}

TEST_F(Coroutines, ScopesThatHaveNotEndedAreOpen) {
  Task task = runNested();
  task.resume();
  Recording recording = readScopes();
  EXPECT_EQ(findRow(recording, "outer").calls, 0u);
  EXPECT_EQ(findRow(recording, "outer").open, 1u);
  EXPECT_EQ(findRow(recording, "outer").openPs, 11000);
}

static Task runEndingEarly() {
  auto first = co_await coroutineScope("first");
  auto second = co_await coroutineScope("second");
  spend(1);
  first.end();
  first.end();
  co_await std::suspend_always();
  spend(2);
  second.end();
  auto third = co_await coroutineScope("third");
  co_await std::suspend_always();
  spend(4);
}

TEST_F(Coroutines, ScopesEndInAnyOrder) {
  Task task = runEndingEarly();
  for (int turn = 0; turn < 3; ++turn) {
    spend(10);
    runElsewhere([&] { task.resume(); });
  }
  ASSERT_TRUE(task.isDone());
  Recording recording = readScopes();
  EXPECT_EQ(findRow(recording, "first").rawTotalPs, 1000);
  EXPECT_EQ(findRow(recording, "second").rawTotalPs, 3000);
  EXPECT_EQ(findRow(recording, "third").rawTotalPs, 4000);
  EXPECT_TRUE(recording.losses.empty());
}

//===----------------------------------------------------------------------===//
// Awaiters of every kind
//===----------------------------------------------------------------------===//

namespace {

/// Cannot be moved, so it has to be used in its place.
struct Immovable {
  int value;
  explicit Immovable(int value) : value(value) {}
  Immovable(const Immovable &) = delete;
  bool await_ready() const { return false; }
  /// The coroutine goes on at once.
  bool await_suspend(std::coroutine_handle<>) const {
    spend(100);
    return false;
  }
  int await_resume() const { return value; }
};

struct Throwing {
  bool await_ready() const { return false; }
  void await_suspend(std::coroutine_handle<>) const {
    spend(100);
    throw std::runtime_error("cannot be scheduled");
  }
  void await_resume() const {}
};

struct Ready {
  bool await_ready() const { return true; }
  void await_suspend(std::coroutine_handle<>) const {}
  std::unique_ptr<int> await_resume() const { return std::make_unique<int>(8); }
};

struct WithFreeOperator {};
Immovable operator co_await(WithFreeOperator) { return Immovable(5); }

} // namespace

static Task awaitAll(int &sum) {
  PROF_COROUTINE_SCOPE("awaiting");
  spend(1);
  Immovable place(2);
  sum += co_await place;
  spend(1);
  sum += co_await Immovable(3);
  spend(1);
  sum += co_await WithFreeOperator();
  spend(1);
  sum += *co_await Ready();
  try {
    co_await Throwing();
  } catch (const std::runtime_error &) {
    spend(1);
  }
}

TEST_F(Coroutines, AwaitersOfEveryKindWork) {
  int sum = 0;
  Task task = awaitAll(sum);
  task.resume();
  ASSERT_TRUE(task.isDone());
  EXPECT_EQ(sum, 2 + 3 + 5 + 8);
  Recording recording = readScopes();
  // Those that suspended it took 400 ns.
  EXPECT_EQ(findRow(recording, "awaiting").calls, 1u);
  EXPECT_EQ(findRow(recording, "awaiting").rawTotalPs, 5000);
  EXPECT_TRUE(recording.losses.empty());
}

static ForeignTask runForeign() {
  Scope outer("outer");
  Scope inner("inner");
  spend(1);
  co_await suspending(std::suspend_always(), outer, inner);
  spend(2);
  inner.end();
  co_await suspending(std::suspend_always(), outer);
  spend(4);
}

TEST_F(Coroutines, OtherPromisesSuspendByName) {
  ForeignTask task = runForeign();
  for (int turn = 0; turn < 3; ++turn) {
    spend(1000);
    runElsewhere([&] { task.resume(); });
  }
  ASSERT_TRUE(task.isDone());
  Recording recording = readScopes();
  EXPECT_EQ(findRow(recording, "outer").rawTotalPs, 7000);
  EXPECT_EQ(findRow(recording, "inner").rawTotalPs, 3000);
  for (const ScopeEvent &part : findEvents(recording, "inner"))
    EXPECT_EQ(getParent(recording, part), "outer");
  EXPECT_TRUE(recording.losses.empty());
}

//===----------------------------------------------------------------------===//
// Generators
//===----------------------------------------------------------------------===//

namespace {

class Generator {
public:
  struct promise_type : CoroutinePromise {
    Generator get_return_object() {
      return Generator(
          std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    auto yield_value(int of) {
      value = of;
      return interrupt(std::suspend_always());
    }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
    int value = 0;
  };

  explicit Generator(std::coroutine_handle<promise_type> handle)
      : handle(handle) {}
  Generator(const Generator &) = delete;
  ~Generator() { handle.destroy(); }
  bool next() {
    handle.resume();
    return !handle.done();
  }
  int get() const { return handle.promise().value; }

private:
  std::coroutine_handle<promise_type> handle;
};

} // namespace

static Generator generate() {
  PROF_COROUTINE_SCOPE("generate");
  for (int value = 0; value < 5; ++value) {
    spend(10);
    co_yield value;
  }
}

TEST_F(Coroutines, GeneratorsCountTheirOwnTime) {
  {
    Generator numbers = generate();
    PROF_SCOPE("consume");
    while (numbers.next())
      spend(100 + numbers.get());
  }
  Recording recording = readScopes();
  EXPECT_EQ(findRow(recording, "generate").calls, 1u);
  EXPECT_EQ(findRow(recording, "generate").rawTotalPs, 50000);
  for (const ScopeEvent &part : findEvents(recording, "generate"))
    EXPECT_EQ(getParent(recording, part), "consume");
  ScopeEvent consume = findEvent(recording, "consume");
  EXPECT_EQ(consume.getDurationPs(), 560000);
  EXPECT_EQ(consume.selfPs, 510000);
  EXPECT_TRUE(recording.losses.empty());
}

//===----------------------------------------------------------------------===//
// Without a session, and on many threads
//===----------------------------------------------------------------------===//

TEST(CoroutineSessions, ComeAndGo) {
  SimulatedClock clock;
  Task before = runNested();
  before.resume();
  prof_scope_start(nullptr, nullptr);
  Task inside = runNested();
  before.resume();
  inside.resume();
  Recording recording = readScopes();
  prof_scope_stop(nullptr);
  inside.resume();
  inside.resume();
  before.resume();
  EXPECT_TRUE(before.isDone() && inside.isDone());
  EXPECT_EQ(findEvents(recording, "outer").size(), 1u);
  EXPECT_TRUE(recording.losses.empty());
}

namespace {

/// Threads that resume what is posted, in any order.
class Loop {
public:
  explicit Loop(int count) {
    for (int index = 0; index < count; ++index)
      threads.emplace_back([this] { run(); });
  }
  ~Loop() {
    {
      std::lock_guard<std::mutex> lock(mutex);
      isClosed = true;
    }
    changed.notify_all();
    for (std::thread &thread : threads)
      thread.join();
  }
  void post(std::coroutine_handle<> handle) {
    {
      std::lock_guard<std::mutex> lock(mutex);
      handles.push_back(handle);
    }
    changed.notify_one();
  }
  /// Lets the coroutine go on on some thread, perhaps before await_suspend has
  /// returned on this one.
  auto hop() {
    struct Awaiter : std::suspend_always {
      Loop *loop;
      void await_suspend(std::coroutine_handle<> handle) const {
        loop->post(handle);
      }
    };
    return Awaiter{{}, this};
  }

private:
  void run() {
    std::unique_lock<std::mutex> lock(mutex);
    while (true) {
      changed.wait(lock, [this] { return isClosed || !handles.empty(); });
      if (handles.empty())
        return;
      std::coroutine_handle<> handle = handles.front();
      handles.pop_front();
      lock.unlock();
      handle.resume();
      lock.lock();
    }
  }

  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::coroutine_handle<>> handles;
  bool isClosed = false;
  std::vector<std::thread> threads;
};

constexpr int kTasks = 50;
constexpr int kHops = 40;

} // namespace

static Task hopInside(Loop &loop) {
  PROF_COROUTINE_SCOPE("inside");
  for (int turn = 0; turn < kHops; ++turn)
    co_await loop.hop();
}

static Task hopAround(Loop &loop, std::atomic<int> &left) {
  co_await loop.hop();
  {
    PROF_COROUTINE_SCOPE("around");
    for (int turn = 0; turn < kHops; ++turn) {
      co_await loop.hop();
      PROF_SCOPE("step");
    }
    co_await hopInside(loop);
  }
  --left;
}

TEST(CoroutineThreads, KeepParentsWhereverTheyRun) {
  prof_scope_start(nullptr, nullptr);
  std::atomic<int> left{kTasks};
  {
    std::vector<Task> tasks;
    {
      PROF_SCOPE("spawner");
      Loop loop(4);
      for (int index = 0; index < kTasks; ++index)
        tasks.push_back(hopAround(loop, left));
      for (Task &task : tasks)
        task.resume();
      while (left)
        std::this_thread::yield();
    }
  }
  Recording recording = readScopes();
  prof_scope_stop(nullptr);
  auto countParts = [&](const char *name, const char *parent) {
    size_t count = 0;
    for (const ScopeEvent &event : findEvents(recording, name))
      count += getParent(recording, event) == parent;
    return count;
  };
  // Each hop ends a part; the one around has one more on each side of what is
  // inside.
  EXPECT_EQ(countParts("around", "spawner"), size_t(kTasks * (kHops + 2)));
  EXPECT_EQ(countParts("inside", "around"), size_t(kTasks * (kHops + 1)));
  EXPECT_EQ(countParts("step", "around"), size_t(kTasks * kHops));
  EXPECT_EQ(findRow(recording, "around").calls, uint64_t(kTasks));
  EXPECT_EQ(findRow(recording, "inside").calls, uint64_t(kTasks));
  EXPECT_TRUE(recording.losses.empty());
}
