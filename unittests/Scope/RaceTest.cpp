//===- RaceTest.cpp - Scopes under the thread sanitizer -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Scope/Scope.h"

#include <atomic>
#include <chrono>
#include <deque>
#include <gtest/gtest.h>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace mlirprof::scope;

namespace {

/// Scopes that any thread ends or suspends.
class Shared {
public:
  void give(Scope scope) {
    std::lock_guard<std::mutex> guard(mutex);
    scopes.push_back(std::move(scope));
    if (scopes.size() > 50)
      scopes.pop_back();
  }
  void take(bool suspends) {
    std::lock_guard<std::mutex> guard(mutex);
    if (scopes.empty())
      return;
    if (suspends)
      scopes.front().suspend();
    else
      scopes.pop_front();
  }

private:
  std::mutex mutex;
  std::deque<Scope> scopes;
};

void work(Shared &shared, std::mt19937 &random) {
  static prof_scope_site site = PROF_SCOPE_SITE("record", 7, 1, 0);
  PROF_SCOPE("outer");
  Scope named("name " + std::to_string(random() % 64));
  if (random() % 2)
    shared.give(std::move(named));
  if (random() % 2)
    shared.take(random() % 2);
  {
    ContextGuard guard(here());
    PROF_SCOPE("inside");
    prof_scope_allocated(5);
  }
  prof_scope_record(&site, 1, 2);
  PROF_SCOPE_COUNTING("counts", PROF_SCOPE_ALLOCATIONS | PROF_SCOPE_CPU_TIME);
  std::this_thread::yield();
}

void runSession(int round, const std::string &path) {
  prof_scope_options options = PROF_SCOPE_OPTIONS;
  options.modes = 1 + round % 3;
  options.ring_records = round % 4 ? 64 : 0;
  options.sample_every = round % 5;
  options.counting = round % 7 == 0 ? PROF_SCOPE_ALLOCATIONS : 0;
  options.path = round % 6 ? nullptr : path.c_str();
  prof_scope_moment start;
  size_t size;
  prof_scope_start(&options, &start);
  if (round % 2)
    prof_scope_enable(1 + round % 3, nullptr, nullptr);
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  std::thread([] { PROF_SCOPE("short"); }).join();
  char *copy = prof_scope_copy(nullptr, &size);
  prof_scope_free(copy, size);
  if (round % 9 == 0)
    prof_scope_reset();
  copy = round % 2 ? prof_scope_disable(nullptr, nullptr, &size) : nullptr;
  prof_scope_free(copy, size);
  copy = round % 3 ? prof_scope_take(&start, nullptr, &size) : nullptr;
  prof_scope_free(copy, size);
  if (round % 3 == 0)
    prof_scope_stop(nullptr);
}

} // namespace

TEST(ScopeRaces, SessionsAndScopes) {
  std::string path =
      testing::TempDir() + "mlir-prof-race-" + std::to_string(getpid());
  std::atomic<bool> stop{false};
  Shared shared;
  std::vector<std::thread> threads;
  for (unsigned seed = 0; seed < 3; ++seed)
    threads.emplace_back([&, seed] {
      std::mt19937 random(seed);
      while (!stop)
        work(shared, random);
    });
  for (int round = 0; round < 100; ++round)
    runSession(round, path);
  stop = true;
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(prof_scope_sessions(), 0u);
  unlink(path.c_str());
}
