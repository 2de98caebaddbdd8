//===- ExecutorGraphTest.cpp - Random graphs of dispatches ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExecutorProgram.h"
#include "gtest/gtest.h"

#include <atomic>
#include <thread>

using namespace mlirprof::runtime_test;

namespace {

struct DestroyExecutor {
  void operator()(prof_executor *executor) const {
    prof_executor_destroy(executor);
  }
};
using Executor = std::unique_ptr<prof_executor, DestroyExecutor>;

Executor makeExecutor(uint32_t threads) {
  prof_executor_options options;
  prof_executor_default_options(&options);
  options.threads = threads;
  return Executor(prof_executor_create(&options));
}

// The thread sanitizer takes ten times as long.
#if defined(__has_feature) && __has_feature(thread_sanitizer)
constexpr uint32_t kGraphs = 2000;
#else
constexpr uint32_t kGraphs = 10000;
#endif

TEST(ExecutorGraph, RandomGraphsAreAsInterpreted) {
  Executor executors[] = {makeExecutor(1), makeExecutor(2), makeExecutor(3),
                          makeExecutor(8)};
  uint64_t dispatches = 0;
  for (uint32_t seed = 0; seed != kGraphs; ++seed) {
    RandomGraph graph(seed);
    dispatches += graph.steps.size();
    const Program &program = *graph.program;
    ASSERT_STREQ(prof_executor_check_table(program.words.data(),
                                           program.words.size(), nullptr),
                 nullptr)
        << seed;
    std::vector<uint64_t> expected = graph.interpret();
    ASSERT_EQ(graph.run(nullptr), expected) << seed;
    for (Executor &executor : executors) {
      // Each time as if it were the first one, with the costs of the table,
      // which let it use threads.
      prof_executor_release(&graph.program->program);
      ASSERT_EQ(graph.run(executor.get()), expected) << seed;
    }
  }
  EXPECT_GT(dispatches, 15 * kGraphs);
  prof_executor_info info;
  prof_executor_get_info(executors[3].get(), &info);
  EXPECT_EQ(info.threads, 8u);
  EXPECT_EQ(info.created, 7u);
  EXPECT_EQ(info.failures, 0u);
}

TEST(ExecutorGraph, RepeatedRunsWithMeasuredCosts) {
  Executor executor = makeExecutor(3);
  for (uint32_t seed = 20000; seed != 20100; ++seed) {
    RandomGraph graph(seed);
    std::vector<uint64_t> expected = graph.interpret();
    for (int round = 0; round != 40; ++round)
      ASSERT_EQ(graph.run(executor.get()), expected) << seed;
  }
}

TEST(ExecutorGraph, RequestsShareAnExecutor) {
  Executor executor = makeExecutor(3);
  // Some graphs are those of all threads, some of one.
  std::vector<std::unique_ptr<RandomGraph>> shared;
  for (uint32_t seed = 0; seed != 4; ++seed)
    shared.push_back(std::make_unique<RandomGraph>(30000 + seed));
  std::atomic<uint32_t> wrong = 0;
  std::vector<std::thread> callers;
  for (uint32_t number = 0; number != 5; ++number)
    callers.emplace_back([&, number] {
      for (uint32_t round = 0; round != 150; ++round) {
        RandomGraph own(40000 + number * 1000 + round);
        wrong += own.run(executor.get()) != own.interpret();
        const RandomGraph &other = *shared[(number + round) % 4];
        wrong += other.run(executor.get()) != other.interpret();
      }
    });
  for (std::thread &caller : callers)
    caller.join();
  EXPECT_EQ(wrong, 0u);
}

TEST(ExecutorGraph, ManyReadyDispatches) {
  // More than a run has slots for: a root, 3000 that wait for it, and one that
  // waits for all.
  static std::atomic<uint32_t> done[3002];
  for (auto &flag : done)
    flag = 0;
  auto note = [](void *const *, const int64_t *arguments, uint32_t, uint32_t,
                 uint32_t) { ++done[arguments[0]]; };
  auto last = [](void *const *bindings, const int64_t *arguments, uint32_t,
                 uint32_t, uint32_t) {
    uint32_t sum = 0;
    for (int64_t index = 0; index != arguments[0]; ++index)
      sum += done[index];
    *static_cast<uint32_t *>(bindings[0]) = sum;
  };
  std::vector<Dispatch> dispatches(3002);
  for (uint32_t index = 0; index != 3002; ++index) {
    Dispatch &dispatch = dispatches[index];
    dispatch.kernel = note;
    dispatch.grid = {3, 1, 1};
    dispatch.costNs = index % 7 == 0 ? 30000 : 300;
    dispatch.arguments = {{PROF_EXECUTOR_NO_BASE, index}};
    if (index != 0)
      dispatch.after = {0};
  }
  Dispatch &end = dispatches.back();
  end.kernel = last;
  end.grid = {1, 1, 1};
  end.bindings = {{0, 0}};
  for (uint32_t index = 1; index != 3001; ++index)
    end.after.push_back(index);
  Program program(dispatches, 1, 0);
  Executor executor = makeExecutor(4);
  uint32_t sum = 0;
  void *addresses[] = {&sum};
  EXPECT_EQ(
      prof_executor_run(executor.get(), &program.program, addresses, nullptr),
      0);
  EXPECT_EQ(sum, 9003u);
}

} // namespace
