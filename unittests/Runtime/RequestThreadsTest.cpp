//===- RequestThreadsTest.cpp - Requests on threads -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Runtime/prof_request.h"
#include "gtest/gtest.h"

#include <atomic>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

namespace {

/// Adds up its number in its arena, and in the state of its stream.
struct Call {
  prof_request request = {};
  uint64_t number = 0, result = 0;
  uint64_t *state = nullptr;

  static int32_t run(prof_request *request) {
    auto *call = reinterpret_cast<Call *>(request);
    auto *sum = static_cast<uint64_t *>(request->arena);
    *sum = 0;
    for (int dispatch = 0; dispatch != 20; ++dispatch) {
      if (prof_request_yield(request))
        return PROF_REQUEST_CANCELED;
      for (int i = 0; i != 100; ++i)
        *sum += call->number;
    }
    call->result = *sum;
    if (call->state)
      *call->state = *call->state * 31 + call->number;
    return 0;
  }
};

/// Requests of three streams, each with a state, and of none.
void check(prof_scheduler *scheduler) {
  ASSERT_NE(scheduler, nullptr);
  constexpr int kCalls = 200;
  prof_stream streams[3] = {};
  uint64_t states[3] = {}, expected[3] = {};
  std::vector<std::unique_ptr<Call>> calls;
  for (int i = 0; i != kCalls; ++i) {
    Call &call = *calls.emplace_back(std::make_unique<Call>());
    call.number = uint64_t(i) + 1;
    call.request.run = Call::run;
    call.request.arena_bytes = 100;
    call.request.priority = uint32_t(i % 5);
    if (i % 4 != 3) {
      call.request.stream = &streams[i % 4];
      call.state = &states[i % 4];
      expected[i % 4] = expected[i % 4] * 31 + call.number;
    }
    ASSERT_EQ(prof_request_submit(scheduler, &call.request), 0);
  }
  for (auto &call : calls) {
    EXPECT_EQ(prof_request_wait(&call->request), 0);
    EXPECT_EQ(call->result, call->number * 2000);
  }
  for (int i = 0; i != 3; ++i)
    EXPECT_EQ(states[i], expected[i]);
}

struct RequestThreads : testing::Test {
  prof_scheduler_options options = {};
  alignas(64) unsigned char memory[1000];

  RequestThreads() {
    options.threads = 4;
    options.memory = memory;
    options.bytes = sizeof memory;
  }
};

} // namespace

TEST_F(RequestThreads, RunsRequests) {
  prof_scheduler *scheduler = prof_scheduler_create(&options);
  check(scheduler);
  EXPECT_LE(scheduler->pool.peak, 1000u);
  EXPECT_EQ(scheduler->pool.first, nullptr);
  prof_scheduler_destroy(scheduler);
  prof_scheduler_destroy(nullptr);
}

TEST_F(RequestThreads, RunsOnOneThread) {
  options.threads = 1;
  prof_scheduler *scheduler = prof_scheduler_create(&options);
  check(scheduler);
  prof_scheduler_destroy(scheduler);
}

TEST_F(RequestThreads, TakesSubmissionsOfManyThreads) {
  prof_scheduler *scheduler = prof_scheduler_create(&options);
  std::vector<std::thread> threads;
  for (int i = 0; i != 4; ++i)
    threads.emplace_back([&] { check(scheduler); });
  for (std::thread &thread : threads)
    thread.join();
  prof_scheduler_destroy(scheduler);
}

TEST_F(RequestThreads, UsesThePoolOfTheCaller) {
  static std::vector<std::thread> pool;
  static std::atomic<int> refusals;
  pool.clear();
  for (int refused : {0, 1, 1 << 30}) {
    refusals = refused;
    options.submit = [](void *, void (*work)(void *), void *argument) {
      if (refusals-- > 0)
        return 1;
      pool.emplace_back(work, argument);
      return 0;
    };
    prof_scheduler *scheduler = prof_scheduler_create(&options);
    check(scheduler);
    prof_scheduler_destroy(scheduler);
    for (std::thread &thread : pool)
      thread.join();
    pool.clear();
  }
}

TEST_F(RequestThreads, WaitsForRequestsBeforeItEnds) {
  prof_scheduler *scheduler = prof_scheduler_create(&options);
  std::vector<Call> calls(50);
  for (Call &call : calls) {
    call.number = 3;
    call.request.run = Call::run;
    call.request.arena_bytes = 8;
    ASSERT_EQ(prof_request_submit(scheduler, &call.request), 0);
  }
  prof_scheduler_destroy(scheduler);
  for (Call &call : calls)
    EXPECT_EQ(call.result, 6000u);
}

TEST_F(RequestThreads, CancelsFromAnotherThread) {
  prof_scheduler *scheduler = prof_scheduler_create(&options);
  static std::atomic<bool> runs;
  runs = false;
  prof_request endless = {}, waiting = {};
  prof_stream stream = {};
  endless.stream = waiting.stream = &stream;
  endless.run = waiting.run = [](prof_request *request) -> int32_t {
    runs = true;
    while (!prof_request_yield(request))
      std::this_thread::yield();
    return PROF_REQUEST_CANCELED;
  };
  ASSERT_EQ(prof_request_submit(scheduler, &endless), 0);
  ASSERT_EQ(prof_request_submit(scheduler, &waiting), 0);
  while (!runs)
    std::this_thread::yield();
  prof_request_cancel(&waiting);
  EXPECT_EQ(prof_request_wait(&waiting), PROF_REQUEST_CANCELED);
  EXPECT_FALSE(prof_request_is_done(&endless));
  prof_request_cancel(&endless);
  EXPECT_EQ(prof_request_wait(&endless), PROF_REQUEST_CANCELED);
  prof_scheduler_destroy(scheduler);
}
