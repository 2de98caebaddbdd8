//===- OpenMPTest.cpp - Scopes of OpenMP regions --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadScopes.h"
#include "mlir-prof/Scope/Scope.h"

#include <omp.h>
#include <set>

using namespace mlirprof;
using namespace mlirprof::scope;

namespace {

class Regions : public testing::Test {
protected:
  Regions() { EXPECT_EQ(prof_scope_start(nullptr, nullptr), 0); }
  ~Regions() override { prof_scope_stop(nullptr); }
};

} // namespace

static void expectChildren(const Recording &recording, const char *name,
                           size_t count, const char *parent) {
  std::vector<ScopeEvent> events = findEvents(recording, name);
  EXPECT_EQ(events.size(), count) << name;
  for (const ScopeEvent &event : events)
    EXPECT_EQ(getParent(recording, event), parent) << name;
}

TEST_F(Regions, HangBelowTheScopeAroundThem) {
  int threads = 0;
  {
    PROF_SCOPE("spawner");
    Context context = here();
#pragma omp parallel num_threads(4)
    {
      ContextGuard guard(context);
      PROF_SCOPE("region");
#pragma omp single
      threads = omp_get_num_threads();
#pragma omp for
      for (int index = 0; index < 100; ++index)
        PROF_SCOPE("iteration");
    }
  }
  ASSERT_EQ(threads, 4);
  Recording recording = readScopes();
  expectChildren(recording, "region", 4, "spawner");
  expectChildren(recording, "iteration", 100, "region");
  std::set<uint32_t> seen;
  size_t linked = 0;
  for (const ScopeEvent &event : findEvents(recording, "region")) {
    seen.insert(event.thread);
    linked += event.isLinked;
  }
  EXPECT_EQ(seen.size(), 4u);
  // The thread that forked has the scope itself.
  EXPECT_EQ(linked, 3u);
  EXPECT_TRUE(recording.losses.empty());
}

TEST_F(Regions, NestAndRepeat) {
  omp_set_max_active_levels(2);
  for (int round = 0; round < 5; ++round) {
    PROF_SCOPE("spawner");
    Context context = here();
#pragma omp parallel num_threads(2)
    {
      ContextGuard guard(context);
      PROF_SCOPE("outer");
      Context inside = here();
#pragma omp parallel num_threads(2)
      {
        ContextGuard guard(inside);
        PROF_SCOPE("inner");
      }
    }
  }
  Recording recording = readScopes();
  expectChildren(recording, "outer", 10, "spawner");
  expectChildren(recording, "inner", 20, "outer");
  std::map<uint32_t, int> children;
  for (const ScopeEvent &event : findEvents(recording, "inner"))
    ++children[event.parent];
  EXPECT_EQ(children.size(), 10u);
  EXPECT_TRUE(recording.losses.empty());
}

TEST_F(Regions, TasksHangBelowTheOneThatMadeThem) {
#pragma omp parallel num_threads(3)
  {
#pragma omp single
    {
      PROF_SCOPE("producer");
      Context context = here();
      for (int index = 0; index < 40; ++index) {
#pragma omp task firstprivate(context)
        {
          ContextGuard guard(context);
          PROF_SCOPE("task");
        }
      }
#pragma omp taskwait
    }
  }
  Recording recording = readScopes();
  expectChildren(recording, "task", 40, "producer");
  EXPECT_TRUE(recording.losses.empty());
}
