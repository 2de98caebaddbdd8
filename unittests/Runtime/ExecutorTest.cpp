//===- ExecutorTest.cpp - Threads that run dispatches ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExecutorProgram.h"
#include "gtest/gtest.h"

#include <atomic>
#include <cerrno>
#include <cfenv>
#include <condition_variable>
#include <csignal>
#include <deque>
#include <fstream>
#include <functional>
#include <iterator>
#include <mutex>
#include <set>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace mlirprof::runtime_test;

// Children of processes with threads create threads, too.
extern "C" const char *__tsan_default_options() { return "die_after_fork=0"; }

namespace {

prof_executor_options getOptions(uint32_t threads) {
  prof_executor_options options;
  prof_executor_default_options(&options);
  options.threads = threads;
  return options;
}

prof_executor *makeExecutor(uint32_t threads) {
  prof_executor_options options = getOptions(threads);
  return prof_executor_create(&options);
}

prof_executor_info getInfo(prof_executor *executor) {
  prof_executor_info info;
  prof_executor_get_info(executor, &info);
  return info;
}

/// A graph that uses threads while its costs are those of the table.
const RandomGraph &getGraph() {
  static const RandomGraph graph(12);
  prof_executor_release(&graph.program->program);
  return graph;
}

/// One dispatch of `workgroups` that take long by the table.
Dispatch makeDispatch(prof_executor_kernel kernel, uint32_t workgroups) {
  Dispatch dispatch;
  dispatch.kernel = kernel;
  dispatch.grid = {workgroups, 1, 1};
  dispatch.costNs = 1000000;
  return dispatch;
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

TEST(Executor, UsesAllItsThreads) {
  // Each workgroup waits for all others: only that many threads get through.
  static std::atomic<uint32_t> arrived;
  arrived = 0;
  auto meet = [](void *const *, const int64_t *, uint32_t, uint32_t, uint32_t) {
    ++arrived;
    while (arrived < 4)
      std::this_thread::yield();
  };
  Program program({makeDispatch(meet, 4)}, 0, 0);
  prof_executor *executor = makeExecutor(4);
  EXPECT_EQ(prof_executor_run(executor, &program.program, nullptr, nullptr), 0);
  EXPECT_EQ(arrived, 4u);
  prof_executor_destroy(executor);
}

/// The state of a thread of this process, 'R' or 'S', in the words of proc(5).
char readState(pid_t thread) {
  std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/stat");
  std::string text(std::istreambuf_iterator<char>(file), {});
  size_t end = text.rfind(')');
  return end == std::string::npos || end + 2 >= text.size() ? '?'
                                                            : text[end + 2];
}

TEST(Executor, ThreadsSleepAfterTheirSpin) {
  static std::atomic<uint32_t> arrived;
  static std::atomic<pid_t> threads[4];
  auto meet = [](void *const *, const int64_t *, uint32_t, uint32_t, uint32_t) {
    threads[arrived++] = gettid();
    while (arrived < 4)
      std::this_thread::yield();
  };
  Program program({makeDispatch(meet, 4)}, 0, 0);
  prof_executor *executor = makeExecutor(4);
  // The second time, threads that sleep wake up.
  for (int round = 0; round != 2; ++round) {
    arrived = 0;
    // With the costs of the table, which let it use threads.
    prof_executor_release(&program.program);
    EXPECT_EQ(prof_executor_run(executor, &program.program, nullptr, nullptr),
              0);
    ASSERT_EQ(arrived, 4u);
    // One that went on spinning would never do so.
    for (pid_t thread : threads)
      while (thread != gettid() && readState(thread) != 'S')
        std::this_thread::yield();
  }
  EXPECT_EQ(getInfo(executor).created, 3u);
  prof_executor_destroy(executor);
}

TEST(Executor, LearnsCosts) {
  // The table says that it takes no time, so that one thread begins.
  static std::atomic<uint32_t> arrived;
  auto meet = [](void *const *, const int64_t *, uint32_t, uint32_t, uint32_t) {
    uint32_t number = ++arrived;
    for (int wait = 0; wait != 20 && arrived == number; ++wait)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  };
  Dispatch dispatch = makeDispatch(meet, 2);
  dispatch.costNs = 1;
  Program program({dispatch}, 0, 0);
  prof_executor *executor = makeExecutor(2);
  for (int round = 0; round != 8; ++round) {
    arrived = 0;
    EXPECT_EQ(getInfo(executor).created, round < 2 ? 0u : 1u);
    EXPECT_EQ(prof_executor_run(executor, &program.program, nullptr, nullptr),
              0);
  }
  prof_executor_destroy(executor);
}

TEST(Executor, HelpsWithTheRestOfAThreadThatIsStuck) {
  // The first workgroup ends after all others have.
  static std::atomic<uint32_t> done;
  done = 0;
  auto wait = [](void *const *, const int64_t *, uint32_t x, uint32_t,
                 uint32_t) {
    while (x == 0 && done < 999)
      std::this_thread::yield();
    ++done;
  };
  Dispatch dispatch = makeDispatch(wait, 1000);
  Program program({dispatch}, 0, 0);
  prof_executor *executor = makeExecutor(2);
  EXPECT_EQ(prof_executor_run(executor, &program.program, nullptr, nullptr), 0);
  EXPECT_EQ(done, 1000u);
  prof_executor_destroy(executor);
}

TEST(Executor, RunsOnFewerWhenThreadsCannotBeCreated) {
  prof_executor_options options = getOptions(4);
  options.stack_size = size_t(1) << 46;
  prof_executor *executor = prof_executor_create(&options);
  std::vector<uint64_t> expected = getGraph().interpret();
  for (int round = 0; round != 5; ++round)
    EXPECT_EQ(getGraph().run(executor), expected);
  prof_executor_info info = getInfo(executor);
  EXPECT_EQ(info.threads, 4u);
  EXPECT_EQ(info.created, 0u);
  // It does not try each time.
  EXPECT_EQ(info.failures, 1u);
  EXPECT_NE(info.error, 0);
  prof_executor_destroy(executor);
}

TEST(Executor, Resizes) {
  prof_executor *executor = makeExecutor(2);
  std::vector<uint64_t> expected = getGraph().interpret();
  std::atomic<bool> ends = false;
  std::atomic<uint32_t> wrong = 0;
  std::thread caller([&] {
    while (!ends) {
      RandomGraph graph(12);
      wrong += graph.run(executor) != expected;
    }
  });
  for (uint32_t threads : {5, 1, 3, 2, 8, 1, 4}) {
    prof_executor_resize(executor, threads);
    EXPECT_LE(getInfo(executor).created, threads - 1);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  ends = true;
  caller.join();
  RandomGraph graph(12);
  EXPECT_EQ(graph.run(executor), expected);
  EXPECT_EQ(getInfo(executor).created, 3u);
  EXPECT_EQ(wrong, 0u);
  prof_executor_destroy(executor);
}

TEST(Executor, TellsWhichThreadsBegin) {
  static std::mutex mutex;
  static std::set<uint32_t> numbers;
  numbers.clear();
  prof_executor_options options = getOptions(4);
  options.thread_context = &numbers;
  options.thread_started = [](void *context, uint32_t number) {
    std::lock_guard<std::mutex> guard(mutex);
    EXPECT_EQ(context, &numbers);
    numbers.insert(number);
  };
  prof_executor *executor = prof_executor_create(&options);
  getGraph().run(executor);
  prof_executor_destroy(executor);
  EXPECT_EQ(numbers, (std::set<uint32_t>{1, 2, 3}));
}

TEST(Executor, OneForTheProcess) {
  prof_executor *executor = prof_executor_get_default();
  ASSERT_NE(executor, nullptr);
  EXPECT_EQ(executor, prof_executor_get_default());
  EXPECT_GE(getInfo(executor).threads, 1u);
  EXPECT_EQ(RandomGraph(12).run(executor), getGraph().interpret());
}

TEST(Executor, RoundsAsTheCaller) {
  // All workgroups divide as their caller's rounding mode says.
  static std::atomic<uint32_t> wrong;
  wrong = 0;
  auto divide = [](void *const *, const int64_t *, uint32_t, uint32_t,
                   uint32_t) { wrong += std::fegetround() != FE_UPWARD; };
  Program program({makeDispatch(divide, 64)}, 0, 0);
  prof_executor *executor = makeExecutor(3);
  RandomGraph(12).run(executor);
  int before = std::fegetround();
  std::fesetround(FE_UPWARD);
  EXPECT_EQ(prof_executor_run(executor, &program.program, nullptr, nullptr), 0);
  std::fesetround(before);
  prof_executor_destroy(executor);
}

//===----------------------------------------------------------------------===//
// The caller's pool
//===----------------------------------------------------------------------===//

/// Threads that take work from a queue.
class Pool {
public:
  explicit Pool(unsigned count) {
    for (unsigned index = 0; index != count; ++index)
      threads.emplace_back([this] { run(); });
  }
  ~Pool() {
    {
      std::lock_guard<std::mutex> guard(mutex);
      ends = true;
    }
    changed.notify_all();
    for (std::thread &thread : threads)
      thread.join();
  }
  static int submit(void *context, void (*work)(void *), void *argument) {
    auto &pool = *static_cast<Pool *>(context);
    std::lock_guard<std::mutex> guard(pool.mutex);
    pool.work.push_back([=] { work(argument); });
    ++pool.submitted;
    pool.changed.notify_one();
    return 0;
  }
  uint32_t submitted = 0;

private:
  void run() {
    std::unique_lock<std::mutex> lock(mutex);
    for (;;) {
      changed.wait(lock, [&] { return ends || !work.empty(); });
      if (work.empty())
        return;
      auto next = std::move(work.front());
      work.pop_front();
      lock.unlock();
      next();
      lock.lock();
    }
  }
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::function<void()>> work;
  bool ends = false;
  std::vector<std::thread> threads;
};

TEST(Executor, RunsOnTheCallersPool) {
  Pool pool(2);
  prof_executor_options options = getOptions(3);
  options.pool = {&pool, Pool::submit};
  prof_executor *executor = prof_executor_create(&options);
  for (uint32_t seed = 0; seed != 500; ++seed) {
    RandomGraph graph(50000 + seed);
    ASSERT_EQ(graph.run(executor), graph.interpret()) << seed;
  }
  prof_executor_destroy(executor);
  EXPECT_GT(pool.submitted, 0u);
}

TEST(Executor, MeetsOnTheCallersPool) {
  static std::atomic<uint32_t> arrived;
  auto meet = [](void *const *, const int64_t *, uint32_t, uint32_t, uint32_t) {
    ++arrived;
    while (arrived < 3)
      std::this_thread::yield();
  };
  Pool pool(2);
  prof_executor_options options = getOptions(3);
  options.pool = {&pool, Pool::submit};
  prof_executor *executor = prof_executor_create(&options);
  Program program({makeDispatch(meet, 3)}, 0, 0);
  for (int round = 0; round != 50; ++round) {
    arrived = 0;
    prof_executor_release(&program.program);
    EXPECT_EQ(prof_executor_run(executor, &program.program, nullptr, nullptr),
              0);
  }
  prof_executor_destroy(executor);
}

TEST(Executor, RunsAloneIfThePoolDoesNotAcceptWork) {
  prof_executor_options options = getOptions(3);
  options.pool.submit = [](void *, void (*)(void *), void *) { return 11; };
  prof_executor *executor = prof_executor_create(&options);
  EXPECT_EQ(RandomGraph(12).run(executor), getGraph().interpret());
  EXPECT_GT(getInfo(executor).failures, 0u);
  EXPECT_EQ(getInfo(executor).error, 11);
  prof_executor_destroy(executor);
}

//===----------------------------------------------------------------------===//
// Ends
//===----------------------------------------------------------------------===//

/// Dispatches in a row, each of which counts its workgroups; the one in the
/// middle cancels.
struct Canceled {
  uint32_t cancel = 0;
  prof_executor *executor = nullptr;
  std::atomic<uint32_t> ran = 0;

  static void count(void *const *bindings, const int64_t *arguments, uint32_t,
                    uint32_t, uint32_t) {
    auto &self = *static_cast<Canceled *>(bindings[0]);
    ++self.ran;
    if (arguments[0] != 50)
      return;
    if (self.executor)
      prof_executor_shut_down(self.executor);
    else
      __atomic_store_n(&self.cancel, 1, __ATOMIC_RELAXED);
  }
  static std::vector<Dispatch> makeDispatches() {
    std::vector<Dispatch> dispatches(100);
    for (uint32_t index = 0; index != 100; ++index) {
      dispatches[index] = makeDispatch(count, 8);
      dispatches[index].bindings = {{0, 0}};
      dispatches[index].arguments = {{PROF_EXECUTOR_NO_BASE, index}};
      if (index)
        dispatches[index].after = {index - 1};
    }
    return dispatches;
  }
};

TEST(Executor, Cancels) {
  for (uint32_t threads : {1, 3}) {
    prof_executor *executor = makeExecutor(threads);
    Program program(Canceled::makeDispatches(), 1, 0);
    Canceled state;
    void *addresses[] = {&state};
    EXPECT_EQ(prof_executor_run_cancelable(executor, &program.program,
                                           addresses, nullptr, &state.cancel),
              ECANCELED);
    // 50 dispatches, and some of the next one.
    EXPECT_GT(state.ran, 400u);
    EXPECT_LE(state.ran, 408u);
    state.cancel = 0;
    EXPECT_EQ(RandomGraph(12).run(executor), getGraph().interpret());
    prof_executor_destroy(executor);
  }
}

TEST(Executor, ShutsDown) {
  for (uint32_t threads : {1, 3}) {
    prof_executor *executor = makeExecutor(threads);
    Program program(Canceled::makeDispatches(), 1, 0);
    Canceled state;
    state.executor = executor;
    void *addresses[] = {&state};
    auto run = [&] {
      return prof_executor_run(executor, &program.program, addresses, nullptr);
    };
    EXPECT_EQ(run(), ECANCELED);
    EXPECT_LE(state.ran, 408u);
    uint32_t before = state.ran;
    EXPECT_EQ(run(), ECANCELED);
    EXPECT_EQ(state.ran, before);
    prof_executor_destroy(executor);
  }
}

TEST(Executor, DestroyWaitsForPrograms) {
  static std::atomic<bool> began, ended;
  began = ended = false;
  auto sleep = [](void *const *, const int64_t *, uint32_t x, uint32_t,
                  uint32_t) {
    began = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    if (x == 19)
      ended = true;
  };
  Program program({makeDispatch(sleep, 20)}, 0, 0);
  prof_executor *executor = makeExecutor(2);
  std::thread caller([&] {
    EXPECT_EQ(prof_executor_run(executor, &program.program, nullptr, nullptr),
              0);
  });
  while (!began)
    std::this_thread::yield();
  prof_executor_destroy(executor);
  EXPECT_TRUE(ended);
  caller.join();
}

//===----------------------------------------------------------------------===//
// Forks
//===----------------------------------------------------------------------===//

/// The exit status of a child that runs the graph.
int runInChild(prof_executor *executor, const std::vector<uint64_t> &expected) {
  pid_t child = fork();
  if (child == 0) {
    bool isRight = getGraph().run(executor) == expected;
    _exit(isRight && getInfo(executor).created == 2 ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

TEST(Executor, ChildrenCreateTheirThreads) {
  prof_executor *executor = makeExecutor(3);
  std::vector<uint64_t> expected = getGraph().interpret();
  EXPECT_EQ(getGraph().run(executor), expected);
  EXPECT_EQ(runInChild(executor, expected), 0);
  EXPECT_EQ(getGraph().run(executor), expected);
  prof_executor_destroy(executor);
}

TEST(Executor, ForkStorms) {
  // Some threads fork while others run programs.
  prof_executor *executor = makeExecutor(3);
  std::vector<uint64_t> expected = getGraph().interpret();
  std::atomic<uint32_t> wrong = 0;
  std::atomic<bool> ends = false;
  std::vector<std::thread> callers, forkers;
  for (int number = 0; number != 2; ++number)
    callers.emplace_back([&] {
      while (!ends) {
        RandomGraph graph(12);
        wrong += graph.run(executor) != expected;
      }
    });
  for (int number = 0; number != 2; ++number)
    forkers.emplace_back([&] {
      for (int round = 0; round != 40; ++round)
        wrong += runInChild(executor, expected) != 0;
    });
  for (std::thread &forker : forkers)
    forker.join();
  ends = true;
  for (std::thread &caller : callers)
    caller.join();
  EXPECT_EQ(wrong, 0u);
  prof_executor_destroy(executor);
}

//===----------------------------------------------------------------------===//
// Measurement
//===----------------------------------------------------------------------===//

std::atomic<uint32_t> wrongInstances;

void expectInstance(void *const *, const int64_t *arguments, uint32_t, uint32_t,
                    uint32_t) {
  auto instance = uint32_t(arguments[0]);
  wrongInstances += prof_executor_current() != instance;
  wrongInstances += *prof_executor_get_slot() != instance;
}

std::vector<Dispatch> makeInstances() {
  std::vector<Dispatch> dispatches(20);
  for (uint32_t index = 0; index != 20; ++index) {
    dispatches[index] = makeDispatch(expectInstance, 100);
    dispatches[index].instance = 100 + index;
    dispatches[index].arguments = {{PROF_EXECUTOR_NO_BASE, 100 + index}};
    if (index > 3)
      dispatches[index].after = {index - 4};
  }
  return dispatches;
}

TEST(Executor, PublishesTheInstance) {
  wrongInstances = 0;
  Program program(makeInstances(), 0, 0);
  prof_executor *executor = makeExecutor(3);
  for (prof_executor *with :
       {static_cast<prof_executor *>(nullptr), executor}) {
    EXPECT_EQ(prof_executor_run(with, &program.program, nullptr, nullptr), 0);
    EXPECT_EQ(prof_executor_current(), PROF_EXECUTOR_OUTSIDE);
  }
  EXPECT_EQ(wrongInstances, 0u);
  prof_executor_destroy(executor);
}

TEST(Executor, ProgramsInsideOfKernels) {
  wrongInstances = 0;
  static Program inner(makeInstances(), 0, 0);
  static prof_executor *executor;
  executor = makeExecutor(3);
  auto runInner = [](void *const *, const int64_t *, uint32_t, uint32_t,
                     uint32_t) {
    wrongInstances += prof_executor_current() != 7;
    EXPECT_EQ(prof_executor_run(executor, &inner.program, nullptr, nullptr), 0);
    wrongInstances += prof_executor_current() != 7;
  };
  Dispatch dispatch = makeDispatch(runInner, 30);
  dispatch.instance = 7;
  Program outer({dispatch}, 0, 0);
  EXPECT_EQ(prof_executor_run(executor, &outer.program, nullptr, nullptr), 0);
  EXPECT_EQ(wrongInstances, 0u);
  prof_executor_destroy(executor);
}

std::atomic<uint32_t> seenInHandler;

TEST(Executor, SignalHandlersSeeTheInstance) {
  struct sigaction action = {}, before;
  action.sa_handler = [](int) { seenInHandler = prof_executor_current(); };
  sigaction(SIGUSR1, &action, &before);
  auto interrupt = [](void *const *, const int64_t *, uint32_t, uint32_t,
                      uint32_t) { raise(SIGUSR1); };
  Dispatch dispatch = makeDispatch(interrupt, 1);
  dispatch.instance = 4711;
  Program program({dispatch}, 0, 0);
  seenInHandler = 0;
  EXPECT_EQ(prof_executor_run(nullptr, &program.program, nullptr, nullptr), 0);
  EXPECT_EQ(seenInHandler, 4711u);
  raise(SIGUSR1);
  EXPECT_EQ(seenInHandler, PROF_EXECUTOR_OUTSIDE);
  sigaction(SIGUSR1, &before, nullptr);
}

TEST(Executor, TracesEachWorkgroupOnce) {
  struct Recorder {
    std::mutex mutex;
    std::vector<prof_executor_event> events;
  } recorder;
  prof_executor_trace trace = {
      &recorder, [](void *context, const prof_executor_event *event) {
        auto &to = *static_cast<Recorder *>(context);
        std::lock_guard<std::mutex> guard(to.mutex);
        to.events.push_back(*event);
      }};
  for (uint32_t threads : {1, 3}) {
    Program program(makeInstances(), 0, 0);
    prof_executor *executor = makeExecutor(threads);
    prof_executor_set_trace(executor, &trace);
    EXPECT_EQ(prof_executor_run(executor, &program.program, nullptr, nullptr),
              0);
    std::vector<std::vector<uint32_t>> ran(20, std::vector<uint32_t>(100));
    std::vector<uint64_t> begins(20, UINT64_MAX), ends(20);
    for (const prof_executor_event &event : recorder.events) {
      ASSERT_LT(event.dispatch, 20u);
      EXPECT_EQ(event.program, &program.program);
      EXPECT_EQ(event.instance, 100 + event.dispatch);
      EXPECT_LT(event.thread, threads);
      EXPECT_LE(event.begin_ns, event.end_ns);
      for (uint32_t index = 0; index != event.workgroups; ++index)
        ++ran[event.dispatch].at(event.first + index);
      uint64_t &begin = begins[event.dispatch], &end = ends[event.dispatch];
      begin = std::min(begin, event.begin_ns);
      end = std::max(end, event.end_ns);
    }
    for (uint32_t index = 0; index != 20; ++index) {
      EXPECT_EQ(ran[index], std::vector<uint32_t>(100, 1));
      if (index > 3)
        EXPECT_LE(ends[index - 4], begins[index]);
    }
    recorder.events.clear();
    prof_executor_set_trace(executor, nullptr);
    prof_executor_run(executor, &program.program, nullptr, nullptr);
    EXPECT_TRUE(recorder.events.empty());
    prof_executor_destroy(executor);
  }
}

} // namespace
