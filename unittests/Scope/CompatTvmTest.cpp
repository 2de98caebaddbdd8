//===- CompatTvmTest.cpp - Tests of the interface of TVM's profiler -------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Uses names as code for TVM does, after the change of the namespace.
//
//===----------------------------------------------------------------------===//

#include "ReadScopes.h"
#include "mlir-prof/Scope/Compat/Tvm.h"

#include <thread>

namespace tvm = mlirprof::scope::tvm;
using mlirprof::scope::SimulatedClock;
using mlirprof::scope::simulatedNs;
using tvm::meta_schedule::Profiler;

static constexpr int64_t kSecond = 1000000000;

static void spend(const char *name, int64_t seconds) {
  auto _ = Profiler::TimedScope(name);
  simulatedNs += seconds * kSecond;
}

TEST(CompatTvm, SumsUpByNameOverSeveralBlocks) {
  SimulatedClock clock;
  Profiler profiler;
  for (int i = 0; i < 2; ++i) {
    profiler.EnterWithScope();
    spend("Build/LLVM", 3);
    spend("Run", 1);
    spend("Run", 1);
    simulatedNs += kSecond;
    profiler.ExitWithScope();
    // Outside of any block.
    spend("Run", 100);
  }
  auto stats = profiler->Get();
  EXPECT_EQ(stats.size(), 3u);
  EXPECT_DOUBLE_EQ(stats["Build/LLVM"], 6);
  EXPECT_DOUBLE_EQ(stats["Run"], 4);
  EXPECT_DOUBLE_EQ(stats["Total"], 12);
}

TEST(CompatTvm, PrintsItsTable) {
  SimulatedClock clock;
  Profiler profiler;
  profiler.EnterWithScope();
  spend("Run", 30);
  spend("Build", 60);
  simulatedNs += 30 * kSecond;
  profiler.ExitWithScope();
  EXPECT_EQ(profiler->Table(), " ID |  Name | Time (min) | Percentage \n"
                               "--------------------------------------\n"
                               "    | Total |     2.0000 |   100.0000 \n"
                               "  1 | Build |     1.0000 |    50.0000 \n"
                               "  2 |   Run |     0.5000 |    25.0000 \n"
                               "--------------------------------------");
}

static std::string getError(const Profiler &profiler) {
  try {
    return "none: " + profiler->Table();
  } catch (const std::runtime_error &error) {
    return error.what();
  }
}

TEST(CompatTvm, RefusesATableTooEarly) {
  SimulatedClock clock;
  Profiler profiler;
  EXPECT_EQ(getError(profiler),
            "The stats are empty. Please run the profiler first.");
  profiler.EnterWithScope();
  spend("Run", 1);
  // At any time, but without Total.
  EXPECT_EQ(profiler->Get().size(), 1u);
  EXPECT_EQ(getError(profiler),
            "The total time is not recorded. This method should be called only "
            "after exiting the profiler's with scope.");
  profiler.ExitWithScope();
  EXPECT_EQ(getError(profiler).substr(0, 5), "none:");
}

TEST(CompatTvm, KnowsTheInnermostProfilerOfAThread) {
  EXPECT_FALSE(Profiler::Current().has_value());
  Profiler outer, inner;
  outer.EnterWithScope();
  inner.EnterWithScope();
  EXPECT_TRUE(*Profiler::Current() == inner);
  std::thread([] { EXPECT_FALSE(Profiler::Current().has_value()); }).join();
  inner.ExitWithScope();
  EXPECT_TRUE(*Profiler::Current() == outer);
  outer.ExitWithScope();
  EXPECT_FALSE(Profiler::Current().has_value());
}

TEST(CompatTvm, ShowsInnerScopesToOuterProfilers) {
  SimulatedClock clock;
  Profiler outer, inner;
  outer.EnterWithScope();
  spend("Search", 1);
  inner.EnterWithScope();
  spend("Build", 2);
  inner.ExitWithScope();
  outer.ExitWithScope();
  EXPECT_EQ(inner.Get().size(), 2u);
  EXPECT_DOUBLE_EQ(outer.Get()["Build"], 2);
  EXPECT_DOUBLE_EQ(outer.Get()["Total"], 3);
  EXPECT_DOUBLE_EQ(inner.Get()["Total"], 2);
}

TEST(CompatTvm, KeepsTheScopesOfWorkers) {
  SimulatedClock clock;
  Profiler profiler;
  profiler.EnterWithScope();
  std::thread([] { spend("Worker", 4); }).join();
  profiler.ExitWithScope();
  EXPECT_DOUBLE_EQ(profiler.Get()["Worker"], 4);
}

TEST(CompatTvm, GoesOnWhenEnteredAgain) {
  SimulatedClock clock;
  Profiler profiler;
  profiler.EnterWithScope();
  simulatedNs += 10 * kSecond;
  profiler.EnterWithScope();
  simulatedNs += 20 * kSecond;
  profiler.ExitWithScope();
  simulatedNs += 10 * kSecond;
  profiler.ExitWithScope();
  EXPECT_DOUBLE_EQ(profiler.Get()["Total"], 40);
}

TEST(CompatTvm, IgnoresAnExitWithoutAnEntry) {
  SimulatedClock clock;
  Profiler profiler;
  profiler.ExitWithScope();
  profiler.EnterWithScope();
  spend("Run", 1);
  profiler.ExitWithScope();
  profiler.ExitWithScope();
  EXPECT_DOUBLE_EQ(profiler.Get()["Total"], 1);
}

TEST(CompatTvm, DoesNotAddAScopeCalledTotal) {
  SimulatedClock clock;
  Profiler profiler;
  profiler.EnterWithScope();
  spend("Total", 5);
  simulatedNs += kSecond;
  profiler.ExitWithScope();
  auto stats = profiler.Get();
  EXPECT_DOUBLE_EQ(stats["Total"], 6);
  EXPECT_DOUBLE_EQ(stats["Total (scope)"], 5);
}

TEST(CompatTvm, ChargesAScopeThatAnExceptionLeaves) {
  SimulatedClock clock;
  Profiler profiler;
  profiler.EnterWithScope();
  try {
    auto _ = Profiler::TimedScope("Throws");
    simulatedNs += 2 * kSecond;
    throw 1;
  } catch (int) {
  }
  profiler.ExitWithScope();
  EXPECT_DOUBLE_EQ(profiler.Get()["Throws"], 2);
}

TEST(CompatTvm, MayBeUsedByManyThreads) {
  Profiler profiler;
  std::vector<std::thread> threads;
  for (int i = 0; i < 16; ++i)
    threads.emplace_back([&] {
      for (int j = 0; j < 50; ++j) {
        profiler.EnterWithScope();
        auto _ = Profiler::TimedScope("work");
        (void)profiler.Get();
        profiler.ExitWithScope();
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_GE(profiler.Get()["Total"], 0);
}
