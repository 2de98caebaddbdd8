//===- ThreadPoolTest.cpp - Tests of pools whose tasks have parents -------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/PassScope/ThreadPool.h"
#include "../Scope/ReadScopes.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Threading.h"

#include <memory>

using namespace mlirprof;
using scope::Recording;
using scope::ScopeEvent;

namespace {

class ContextThreadPools : public testing::Test {
protected:
  ContextThreadPools() { EXPECT_EQ(prof_scope_start(nullptr, nullptr), 0); }
  ~ContextThreadPools() override { prof_scope_stop(nullptr); }

  llvm::DefaultThreadPool threads{llvm::hardware_concurrency(3)};
};

} // namespace

static void expectChildren(const Recording &recording, const char *name,
                           size_t count, const char *parent) {
  std::vector<ScopeEvent> events = scope::findEvents(recording, name);
  EXPECT_EQ(events.size(), count) << name;
  for (const ScopeEvent &event : events)
    EXPECT_EQ(scope::getParent(recording, event), parent) << name;
}

TEST_F(ContextThreadPools, BindEachTask) {
  passscope::ContextThreadPool pool(threads);
  EXPECT_EQ(pool.getMaxConcurrency(), threads.getMaxConcurrency());
  int sum = 0;
  {
    PROF_SCOPE("spawner");
    for (int index = 0; index < 20; ++index)
      pool.async([] { PROF_SCOPE("task"); });
    llvm::ThreadPoolTaskGroup group(pool);
    for (int index = 0; index < 10; ++index)
      group.async([] { PROF_SCOPE("task of a group"); });
    // With an argument that can only be moved, and a result.
    auto value = std::make_unique<int>(5);
    sum = pool.async([value = std::move(value)] { return *value; }).get();
    group.wait();
    pool.wait();
  }
  EXPECT_EQ(sum, 5);
  Recording recording = scope::readScopes();
  expectChildren(recording, "task", 20, "spawner");
  expectChildren(recording, "task of a group", 10, "spawner");
  EXPECT_TRUE(recording.losses.empty());
}

TEST_F(ContextThreadPools, WaitInTasks) {
  passscope::ContextThreadPool pool(threads);
  {
    PROF_SCOPE("spawner");
    for (int index = 0; index < 5; ++index)
      pool.async([&pool] {
        PROF_SCOPE("outer");
        llvm::ThreadPoolTaskGroup group(pool);
        for (int each = 0; each < 4; ++each)
          group.async([] { PROF_SCOPE("inner"); });
        group.wait();
      });
    pool.wait();
  }
  // A thread that waits runs whatever the queue has, below its own scope.
  Recording recording = scope::readScopes();
  EXPECT_EQ(scope::findEvents(recording, "outer").size(), 5u);
  expectChildren(recording, "inner", 20, "outer");
}

TEST_F(ContextThreadPools, DoTheWorkOfMlir) {
  passscope::ContextThreadPool pool(threads);
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.setThreadPool(pool);
  {
    PROF_SCOPE("spawner");
    mlir::parallelFor(&context, 0, 30, [](size_t) { PROF_SCOPE("iteration"); });
  }
  expectChildren(scope::readScopes(), "iteration", 30, "spawner");
}
