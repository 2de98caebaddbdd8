//===- functions.cpp - A function that adds to a map at the end -----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The published design of TVM's meta_schedule profiler, rebuilt: a stack of
// profilers in each thread, a scope that is a function which adds its seconds
// to a map of strings, and a clock of the standard library.
//
//===----------------------------------------------------------------------===//

#include "../Contestants.h"

#include <chrono>
#include <functional>
#include <memory>
#include <unordered_map>

using namespace bench;

namespace {

struct Profiler {
  std::unordered_map<std::string, double> seconds;
};

thread_local std::vector<std::shared_ptr<Profiler>> profilers;

class Timer {
public:
  explicit Timer(std::function<void()> finish) : finish(std::move(finish)) {}
  ~Timer() {
    if (finish)
      finish();
  }

private:
  std::function<void()> finish;
};

Timer time(std::string name) {
  if (profilers.empty())
    return Timer(nullptr);
  std::shared_ptr<Profiler> profiler = profilers.back();
  auto begin = std::chrono::high_resolution_clock::now();
  return Timer([profiler, begin, name = std::move(name)] {
    std::chrono::duration<double> time =
        std::chrono::high_resolution_clock::now() - begin;
    profiler->seconds[name] += time.count();
  });
}

} // namespace

__attribute__((noinline)) static void run() {
  for (int i = 0; i < kIterations; ++i) {
    Timer timer = time("decoder/attention");
    work();
  }
}

static Entry entries[] = {
    Entry({.name = "function and map (TVM's design), off", .run = run}),
    Entry({.name = "function and map (TVM's design)",
           .run = run,
           .startThread =
               [] { profilers.push_back(std::make_shared<Profiler>()); },
           .stopThread = [] { profilers.clear(); }}),
};
