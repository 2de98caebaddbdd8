//===- RequestTest.cpp - Calls of models that take turns ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Runtime/prof_request.h"
#include "gtest/gtest.h"

#include <functional>
#include <string>

namespace {

/// A model of three dispatches, which are written into a log: "a0a1a2".
struct Call {
  prof_request request = {};
  char name;
  std::string &log;
  std::function<void(int dispatch)> before = [](int) {};

  Call(char name, std::string &log, uint32_t priority = 0,
       uint64_t deadline = 0)
      : name(name), log(log) {
    request.run = run;
    request.priority = priority;
    request.deadline = deadline;
  }

  static int32_t run(prof_request *request) {
    auto *call = reinterpret_cast<Call *>(request);
    for (int dispatch = 0; dispatch != 3; ++dispatch) {
      if (dispatch != 0 && prof_request_yield(request))
        return PROF_REQUEST_CANCELED;
      call->before(dispatch);
      call->log += call->name + std::to_string(dispatch);
    }
    return 0;
  }
};

struct Request : testing::Test {
  Request() {
    prof_scheduler_begin(&scheduler, nullptr, nullptr, memory, sizeof memory);
  }
  void submit(Call &call) {
    ASSERT_EQ(prof_request_submit(&scheduler, &call.request), 0);
  }

  alignas(64) unsigned char memory[1024];
  prof_scheduler scheduler;
  std::string log;
};

} // namespace

TEST_F(Request, RunsByUrgencyThenAge) {
  Call a('a', log), b('b', log, 1, 20), c('c', log, 1, 10), d('d', log);
  for (Call *call : {&a, &b, &c, &d})
    submit(*call);
  EXPECT_EQ(log, "");
  EXPECT_EQ(prof_request_wait(&d.request), 0);
  EXPECT_EQ(log, "c0c1c2b0b1b2a0a1a2d0d1d2");
}

/// Two models on one thread: the urgent one runs between two dispatches of the
/// other, one that is not more urgent does not.
TEST_F(Request, YieldsBetweenDispatches) {
  Call slow('s', log, 1, 50), urgent('u', log, 2), sooner('e', log, 1, 40),
      later('l', log, 1, 50);
  slow.before = [&](int dispatch) {
    if (dispatch == 0)
      submit(later);
    if (dispatch == 1) {
      submit(sooner);
      submit(urgent);
    }
  };
  submit(slow);
  EXPECT_EQ(prof_request_wait(&slow.request), 0);
  EXPECT_EQ(log, "s0s1u0u1u2e0e1e2s2");
  EXPECT_TRUE(prof_request_is_done(&urgent.request));
  EXPECT_FALSE(prof_request_is_done(&later.request));
  EXPECT_EQ(prof_request_wait(&later.request), 0);
}

TEST_F(Request, Cancels) {
  Call a('a', log), b('b', log), c('c', log);
  a.before = [&](int dispatch) {
    if (dispatch == 1)
      prof_request_cancel(&a.request);
  };
  submit(a);
  submit(b);
  submit(c);
  prof_request_cancel(&b.request);
  EXPECT_TRUE(prof_request_is_done(&b.request));
  EXPECT_EQ(prof_request_wait(&c.request), 0);
  EXPECT_EQ(prof_request_wait(&a.request), PROF_REQUEST_CANCELED);
  EXPECT_EQ(prof_request_wait(&b.request), PROF_REQUEST_CANCELED);
  EXPECT_EQ(log, "a0a1c0c1c2");
  // A request can be used again.
  a.before = [](int) {};
  submit(a);
  EXPECT_EQ(prof_request_wait(&a.request), 0);
}

TEST_F(Request, KeepsTheOrderOfStreams) {
  prof_stream stream = {};
  Call first('a', log), second('b', log, 5), third('c', log, 9);
  for (Call *call : {&first, &second, &third})
    call->request.stream = &stream;
  Call other('o', log, 7);
  first.before = [&](int dispatch) {
    if (dispatch == 0) {
      submit(second);
      submit(third);
      submit(other);
    }
  };
  submit(first);
  EXPECT_EQ(prof_request_wait(&first.request), 0);
  EXPECT_EQ(prof_request_wait(&third.request), 0);
  EXPECT_EQ(log, "a0o0o1o2a1a2b0b1b2c0c1c2");
}

TEST_F(Request, LendsMemory) {
  Call a('a', log), b('b', log, 1), c('c', log, 2), large('l', log);
  a.request.arena_bytes = 500;
  b.request.arena_bytes = 100;
  c.request.arena_bytes = 600;
  large.request.arena_bytes = 1025;
  EXPECT_EQ(prof_request_submit(&scheduler, &large.request),
            PROF_REQUEST_REFUSED);
  a.before = [&](int dispatch) {
    EXPECT_EQ(a.request.arena, memory);
    // There is enough for b, but it does not overtake c, which waits.
    if (dispatch == 0)
      submit(c);
    if (dispatch == 1)
      submit(b);
  };
  b.before = [&](int) { EXPECT_EQ(b.request.arena, memory); };
  submit(a);
  EXPECT_EQ(prof_request_wait(&a.request), 0);
  EXPECT_EQ(prof_request_wait(&b.request), 0);
  EXPECT_EQ(log, "a0a1a2c0c1c2b0b1b2");
  EXPECT_EQ(scheduler.pool.peak, 600u);
  EXPECT_EQ(a.request.arena, nullptr);
  // Two at once, the second one behind the first.
  b.before = [&](int) { EXPECT_EQ(b.request.arena, memory + 512); };
  a.before = [&](int dispatch) {
    if (dispatch == 0)
      submit(b);
  };
  log.clear();
  submit(a);
  EXPECT_EQ(prof_request_wait(&a.request), 0);
  EXPECT_EQ(log, "a0b0b1b2a1a2");
  EXPECT_EQ(scheduler.pool.peak, 612u);
}

TEST_F(Request, RefusesWhatCannotEnd) {
  Call a('a', log), b('b', log);
  EXPECT_EQ(prof_request_wait(&a.request), PROF_REQUEST_REFUSED);
  prof_stream stream = {};
  a.request.stream = b.request.stream = &stream;
  int32_t code = 0;
  a.before = [&](int dispatch) {
    if (dispatch == 0) {
      submit(b);
      EXPECT_EQ(prof_request_submit(&scheduler, &a.request),
                PROF_REQUEST_REFUSED);
      code = prof_request_wait(&b.request);
    }
  };
  submit(a);
  EXPECT_EQ(prof_request_wait(&a.request), 0);
  EXPECT_EQ(code, PROF_REQUEST_STUCK);
  EXPECT_EQ(prof_request_wait(&b.request), 0);
}

TEST_F(Request, TellsWhenItIsDone) {
  static int done;
  done = 0;
  Call a('a', log);
  a.request.done = [](prof_request *request) { done += request->code == 0; };
  submit(a);
  EXPECT_TRUE(prof_scheduler_run_one(&scheduler));
  EXPECT_FALSE(prof_scheduler_run_one(&scheduler));
  EXPECT_EQ(done, 1);
}
