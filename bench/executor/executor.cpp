//===- executor.cpp - One contestant of the executor's benchmark ----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: executor CONTESTANT GRAPH THREADS
//
// Waits for lines on the standard input, each with a number of runs, and
// answers with the ns that they took together. With "calls", it prints the ns
// of a dispatch on one thread instead, beyond those of a direct call, and with
// "thunks" the same of dispatches that an executor of two threads runs.
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Runtime/prof_executor.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <omp.h>
#include <string>
#include <thread>
#include <vector>

static uint64_t getNs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return uint64_t(now.tv_sec) * 1000000000 + uint64_t(now.tv_nsec);
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

namespace {
struct Step {
  uint32_t workgroups;
  /// ns of a workgroup.
  int64_t cost;
  std::vector<uint32_t> after;
};
} // namespace

/// Times of a residual net's convolutions, by row of the output: some are in
/// parallel.
static std::vector<Step> makeResNet() {
  std::vector<Step> steps = {{112, 11000, {}}, {56, 1200, {0}}};
  for (uint32_t stage = 0; stage != 4; ++stage) {
    uint32_t rows = 56u >> stage;
    int64_t cost = 800000 / rows;
    for (uint32_t block = 0; block != 2; ++block) {
      uint32_t input = uint32_t(steps.size()) - 1;
      steps.push_back({rows, cost, {input}});
      uint32_t first = input + 1;
      if (stage != 0 && block == 0) {
        steps.push_back({rows, cost / 9, {input}});
        steps.push_back({rows, cost, {first, first + 1}});
      } else {
        steps.push_back({rows, cost, {input, first}});
      }
    }
  }
  uint32_t last = uint32_t(steps.size()) - 1;
  steps.push_back({1, 9000, {last}});
  steps.push_back({8, 8000, {last + 1}});
  return steps;
}

/// Many dispatches of which some take 2 us and some 120.
static std::vector<Step> makeSmall() {
  std::vector<Step> steps;
  for (uint32_t number = 0; number != 150; ++number) {
    int64_t us = number % 3 == 0 ? 120 : number % 3 == 1 ? 25 : 2;
    uint32_t workgroups = us == 2 ? 2 : us / 2;
    steps.push_back({workgroups, us * 1000 / workgroups, {}});
    if (number)
      steps.back().after.push_back(number - 1);
  }
  return steps;
}

/// The same workgroups in any order.
static std::vector<Step> makeUnordered(const std::vector<Step> &steps) {
  std::vector<Step> result;
  double all = 0;
  for (const Step &step : steps)
    all += double(step.workgroups) * double(step.cost);
  result.push_back({uint32_t(all / 10000), 10000, {}});
  return result;
}

/// Multiplications that depend on each other, in 100 ns.
static int64_t loops = 1;
static volatile float sink;

static void spend(int64_t ns) {
  float value = 1;
  for (int64_t count = ns * loops / 100; count > 0; --count)
    asm volatile("" : "+x"(value = value * 1.0001f));
  sink = value;
}

static void calibrate() {
  loops = 100;
  uint64_t best = UINT64_MAX;
  for (int round = 0; round != 300; ++round) {
    uint64_t begin = getNs();
    spend(30000);
    best = std::min(best, getNs() - begin);
  }
  loops = int64_t(30000 * 100 / best);
}

static void work(void *const *, const int64_t *arguments, uint32_t, uint32_t,
                 uint32_t) {
  spend(arguments[0]);
}

static void nothing(void *const *, const int64_t *, uint32_t, uint32_t,
                    uint32_t) {}

//===----------------------------------------------------------------------===//
// Contestants
//===----------------------------------------------------------------------===//

static std::vector<uint32_t> makeTable(const std::vector<Step> &steps,
                                       uint32_t bindings) {
  std::vector<uint32_t> dispatches, values, arguments, successors;
  for (uint32_t number = 0; number != steps.size(); ++number) {
    const Step &step = steps[number];
    uint32_t first = uint32_t(successors.size());
    for (uint32_t later = number + 1; later < steps.size(); ++later)
      if (std::count(steps[later].after.begin(), steps[later].after.end(),
                     number))
        successors.push_back(later);
    dispatches.insert(dispatches.end(),
                      {0, number, step.workgroups, 1, 1, uint32_t(step.cost),
                       number * bindings, bindings, number, 1, first,
                       uint32_t(successors.size()) - first,
                       uint32_t(step.after.size())});
    for (uint32_t binding = 0; binding != bindings; ++binding)
      values.insert(values.end(), {0, 64 * binding, 0});
    arguments.insert(arguments.end(),
                     {PROF_EXECUTOR_NO_BASE, uint32_t(step.cost), 0});
  }
  uint32_t count = uint32_t(steps.size());
  std::vector<uint32_t> words = {PROF_EXECUTOR_ABI,
                                 count,
                                 count * bindings,
                                 count,
                                 uint32_t(successors.size()),
                                 1,
                                 1,
                                 0,
                                 bindings,
                                 1};
  for (const auto *array : {&dispatches, &values, &arguments, &successors})
    words.insert(words.end(), array->begin(), array->end());
  if (const char *problem =
          prof_executor_check_table(words.data(), words.size(), nullptr)) {
    std::fprintf(stderr, "%s\n", problem);
    std::exit(1);
  }
  return words;
}

static std::function<void()> makeExecutor(const std::vector<Step> &steps,
                                          uint32_t threads) {
  static std::vector<uint32_t> words;
  words = makeTable(steps, 4);
  static prof_executor_kernel kernel = work;
  static prof_executor_program program = {words.data(), &kernel, nullptr};
  prof_executor_options options;
  prof_executor_default_options(&options);
  options.threads = threads;
  prof_executor *executor = prof_executor_create(&options);
  return [executor] {
    static char arena[4096];
    void *addresses[] = {arena};
    prof_executor_run(executor, &program, addresses, nullptr);
  };
}

static std::function<void()> makeOpenMP(const std::vector<Step> &steps,
                                        uint32_t threads, omp_sched_t kind) {
  omp_set_num_threads(int(threads));
  omp_set_schedule(kind, kind == omp_sched_static ? 0 : 1);
  return [steps] {
    for (const Step &step : steps) {
#pragma omp parallel for schedule(runtime)
      for (uint32_t index = 0; index < step.workgroups; ++index)
        spend(step.cost);
    }
  };
}

/// Threads that each run the same share of every step, then spin until all
/// have.
class Barrier {
public:
  Barrier(const std::vector<Step> &steps, uint32_t threads)
      : steps(steps), threads(threads) {
    for (uint32_t number = 1; number != threads; ++number)
      std::thread([this, number] {
        for (uint32_t seen = 0;; ++seen) {
          begun.wait(seen);
          share(number);
        }
      }).detach();
  }
  void run() {
    ++begun;
    begun.notify_all();
    share(0);
  }

private:
  void share(uint32_t number) {
    for (const Step &step : steps) {
      uint32_t end = step.workgroups * (number + 1) / threads;
      for (uint32_t index = step.workgroups * number / threads; index < end;
           ++index)
        spend(step.cost);
      meet();
    }
  }
  void meet() {
    uint32_t before = passed;
    if (++arrived == threads) {
      arrived = 0;
      ++passed;
      return;
    }
    while (passed == before)
      __builtin_ia32_pause();
  }
  std::vector<Step> steps;
  uint32_t threads;
  std::atomic<uint32_t> begun = 0, arrived = 0, passed = 0;
};

/// ns of a dispatch and of a call, by round.
static void printDifference(const std::string &what,
                            std::vector<double> dispatches,
                            std::vector<double> calls) {
  std::sort(dispatches.begin(), dispatches.end());
  std::sort(calls.begin(), calls.end());
  size_t middle = calls.size() / 2;
  std::printf("%s: least %.2f - %.2f ns, median %.2f - %.2f ns\n", what.c_str(),
              dispatches[0], calls[0], dispatches[middle], calls[middle]);
}

/// ns of a dispatch with an empty kernel beyond those of a direct call.
static void printCalls(uint32_t bindings) {
  std::vector<Step> steps(1000, Step{1, 1, {}});
  for (uint32_t number = 1; number != 1000; ++number)
    steps[number].after = {number - 1};
  std::vector<uint32_t> words = makeTable(steps, bindings);
  prof_executor_kernel kernel = nothing;
  prof_executor_program program = {words.data(), &kernel, nullptr};
  static char arena[4096];
  void *addresses[] = {arena};
  std::vector<double> dispatches, calls;
  for (int round = 0; round != 2000; ++round) {
    uint64_t begin = getNs();
    prof_executor_run(nullptr, &program, addresses, nullptr);
    uint64_t middle = getNs();
    for (uint32_t number = 0; number != 1000; ++number) {
      asm volatile("" : "+r"(kernel));
      kernel(addresses, nullptr, 0, 0, 0);
    }
    uint64_t end = getNs();
    dispatches.push_back(double(middle - begin) / 1000);
    calls.push_back(double(end - middle) / 1000);
  }
  printDifference(std::to_string(bindings) + " bindings, one thread",
                  std::move(dispatches), std::move(calls));
}

/// The same on an executor of two threads: each dispatch waits for the one
/// before it, and takes 400 ns, for which a thread keeps its successor.
static void printThunks() {
  constexpr uint32_t kCount = 500, kNs = 400;
  std::vector<Step> steps(kCount, Step{1, kNs, {}});
  for (uint32_t number = 1; number != kCount; ++number)
    steps[number].after = {number - 1};
  std::function<void()> run = makeExecutor(steps, 2);
  prof_executor_kernel kernel = work;
  int64_t argument = kNs;
  std::vector<double> dispatches, calls;
  for (int round = 0; round != 1000; ++round) {
    uint64_t begin = getNs();
    run();
    uint64_t middle = getNs();
    for (uint32_t number = 0; number != kCount; ++number) {
      asm volatile("" : "+r"(kernel));
      kernel(nullptr, &argument, 0, 0, 0);
    }
    uint64_t end = getNs();
    dispatches.push_back(double(middle - begin) / kCount);
    calls.push_back(double(end - middle) / kCount);
  }
  printDifference("4 bindings, two threads", std::move(dispatches),
                  std::move(calls));
}

int main(int argc, char **argv) {
  if (argc == 2 && !std::strcmp(argv[1], "calls")) {
    for (uint32_t bindings : {1, 4, 8})
      printCalls(bindings);
    return 0;
  }
  if (argc != 4 && argc != 2)
    return 1;
  calibrate();
  if (!std::strcmp(argv[1], "thunks")) {
    printThunks();
    return 0;
  }
  if (argc != 4)
    return 1;
  std::string name = argv[1];
  auto threads = uint32_t(std::atoi(argv[3]));
  std::vector<Step> steps =
      !std::strcmp(argv[2], "resnet") ? makeResNet() : makeSmall();
  std::function<void()> run;
  if (name == "one")
    run = makeExecutor(steps, 1);
  else if (name == "unordered")
    run = makeExecutor(makeUnordered(steps), threads);
  else if (name.rfind("executor", 0) == 0)
    run = makeExecutor(steps, threads);
  else if (name == "barrier")
    run = [barrier = new Barrier(steps, threads)] { barrier->run(); };
  else if (name == "openmp-static")
    run = makeOpenMP(steps, threads, omp_sched_static);
  else if (name == "openmp-dynamic")
    run = makeOpenMP(steps, threads, omp_sched_dynamic);
  else
    return 1;
  int count;
  while (std::scanf("%d", &count) == 1) {
    uint64_t begin = getNs();
    for (int index = 0; index < count; ++index)
      run();
    std::printf("%llu\n", (unsigned long long)(getNs() - begin));
    std::fflush(stdout);
  }
  return 0;
}
