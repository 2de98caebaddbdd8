//===- llvm.cpp - LLVM's TimeTraceScope and timers ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Contestants.h"
#include "llvm/Support/TimeProfiler.h"
#include "llvm/Support/Timer.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>

using namespace bench;

__attribute__((noinline)) static void runTrace() {
  for (int i = 0; i < kIterations; ++i) {
    llvm::TimeTraceScope scope("static");
    work();
  }
}

/// Each thread that is to be seen says so itself.
template <unsigned granularity>
static void startTrace() {
  llvm::timeTraceProfilerInitialize(granularity, "cost");
}

static void stopTrace() { llvm::timeTraceProfilerCleanup(); }

static thread_local std::unique_ptr<llvm::TimerGroup> group;
static thread_local std::unique_ptr<llvm::Timer> timer;

__attribute__((noinline)) static void runTimer() {
  for (int i = 0; i < kIterations; ++i) {
    llvm::TimeRegion region(timer.get());
    work();
  }
}

__attribute__((noinline)) static void runNamed() {
  for (int i = 0; i < kIterations; ++i) {
    llvm::NamedRegionTimer region("name", "description", "group",
                                  "description of the group");
    work();
  }
}

static void startTimer() {
  group = std::make_unique<llvm::TimerGroup>("cost", "cost");
  timer = std::make_unique<llvm::Timer>("timer", "timer", *group);
}

static void stopTimer() {
  group->clear();
  timer.reset();
  group.reset();
}

/// Otherwise all of them are printed at the end.
static void stopNamed() { llvm::TimerGroup::clearAll(); }

static Entry entries[] = {
    Entry({.name = "LLVM TimeTraceScope, off", .run = runTrace}),
    Entry({.name = "LLVM TimeTraceScope, 0 us",
           .run = runTrace,
           .startThread = startTrace<0>,
           .stopThread = stopTrace}),
    Entry({.name = "LLVM TimeTraceScope, 500 us",
           .run = runTrace,
           .startThread = startTrace<500>,
           .stopThread = stopTrace}),
    Entry({.name = "LLVM TimeRegion, off", .run = runTimer}),
    Entry({.name = "LLVM TimeRegion",
           .run = runTimer,
           .startThread = startTimer,
           .stopThread = stopTimer}),
    Entry({.name = "LLVM NamedRegionTimer",
           .run = runNamed,
           .stop = stopNamed,
           .isAlone = true}),
};
