//===- scopes.cpp - Scopes in each mode -----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Contestants.h"
#include "mlir-prof/Scope/Scope.h"

#include <atomic>
#include <thread>
#include <unistd.h>

using namespace bench;
namespace scope = mlirprof::scope;

static prof_scope_site site = PROF_SCOPE_SITE("c", 7, 1, 0);
static prof_scope_site allocating =
    PROF_SCOPE_COUNTING_SITE("allocating", 7, 1, 0, PROF_SCOPE_ALLOCATIONS);
static prof_scope_site timed =
    PROF_SCOPE_COUNTING_SITE("timed", 7, 1, 0, PROF_SCOPE_CPU_TIME);
static prof_scope_site counted =
    PROF_SCOPE_COUNTING_SITE("counted", 7, 1, 0, PROF_SCOPE_COUNTERS);

__attribute__((noinline)) static void runStatic() {
  for (int i = 0; i < kIterations; ++i) {
    PROF_SCOPE("static");
    work();
  }
}

template <prof_scope_site &of>
__attribute__((noinline)) static void runC() {
  for (int i = 0; i < kIterations; ++i) {
    prof_scope_token token = {};
    if (prof_scope_is_on(1))
      token = prof_scope_begin(&of);
    work();
    prof_scope_end(token);
  }
}

static const std::string names[] = {
    "op_0", "op_1",    "decoder/layers/3/attention",
    "op_3", "conv_17", "a name on the heap, of 31 B",
    "op_6", "op_7"};

__attribute__((noinline)) static void runNames() {
  for (int i = 0; i < kIterations; ++i) {
    scope::Scope scope(names[i % 8]);
    work();
  }
}

__attribute__((noinline)) static void runNested() {
  for (int i = 0; i < kIterations; ++i) {
    PROF_SCOPE("outer");
    PROF_SCOPE("middle");
    PROF_SCOPE("inner");
    work();
  }
}

__attribute__((noinline)) static void runPairs() {
  static prof_scope_site outer = PROF_SCOPE_SITE("outer", 7, 1, 0);
  static prof_scope_site inner = PROF_SCOPE_SITE("inner", 7, 1, 0);
  for (int i = 0; i < kIterations; ++i) {
    prof_scope_token tokens[2];
    prof_scope_begin_pair(&outer, &inner, tokens);
    work();
    prof_scope_end_pair(tokens);
  }
}

/// A task that runs at once.
__attribute__((noinline)) static void runBound() {
  PROF_SCOPE("spawner");
  for (int i = 0; i < kIterations; ++i)
    scope::bindContext([] {
      PROF_SCOPE("task");
      work();
    })();
}

/// The same with a context of before.
__attribute__((noinline)) static void runGuarded() {
  PROF_SCOPE("spawner");
  scope::Context context = scope::here();
  for (int i = 0; i < kIterations; ++i) {
    scope::ContextGuard guard(context);
    PROF_SCOPE("task");
    work();
  }
}

__attribute__((noinline)) static void runSuspended() {
  for (int i = 0; i < kIterations; ++i) {
    scope::Scope scope(site);
    scope.suspend();
    work();
    scope.resume();
  }
}

/// Scopes that another thread ends, a few at a time; each thread times its
/// half.
static double measureMoved() {
  constexpr int kAtOnce = 16;
  std::vector<scope::Scope> scopes(kAtOnce);
  std::atomic<int> turn{0};
  int64_t beginning = 0, ending = 0;
  auto wait = [&](int for_) {
    while (turn.load() != for_)
      std::this_thread::yield();
  };
  std::thread other([&] {
    for (int i = 0; i < kIterations / kAtOnce; ++i) {
      wait(2 * i + 1);
      int64_t begin = readNs();
      for (scope::Scope &scope : scopes)
        scope.end();
      ending += readNs() - begin;
      turn = 2 * i + 2;
    }
  });
  for (int i = 0; i < kIterations / kAtOnce; ++i) {
    wait(2 * i);
    int64_t begin = readNs();
    for (scope::Scope &scope : scopes)
      scope = scope::Scope(site);
    beginning += readNs() - begin;
    turn = 2 * i + 1;
  }
  other.join();
  return double(beginning + ending) / (kIterations / kAtOnce * kAtOnce);
}

//===----------------------------------------------------------------------===//
// Sessions
//===----------------------------------------------------------------------===//

enum Where { Memory, File };

template <uint32_t modes, uint64_t ring, Where where = Memory,
          uint32_t every = 0>
static void start() {
  prof_scope_options options = PROF_SCOPE_OPTIONS;
  options.modes = modes;
  options.ring_records = ring;
  options.sample_every = every;
  options.path = where == File ? scratchFile.c_str() : nullptr;
  prof_scope_start(&options, nullptr);
}

template <Where where = Memory>
static void stop() {
  prof_scope_stop(nullptr);
  if (where == File)
    unlink(scratchFile.c_str());
}

constexpr uint32_t kEvents = PROF_SCOPE_EVENTS, kSums = PROF_SCOPE_STATISTICS;

/// A contestant that fills a ring before it is timed.
static Contestant inRing(const char *name, void (*run)(), int intervals = 1) {
  return {.name = name,
          .run = run,
          .start = start<kEvents, kRing>,
          .stop = stop,
          .warmUps = kLap,
          .intervals = intervals};
}

/// As many batches as make memory grow several times.
static Contestant growing(const char *name, void (*start)(), void (*stop)()) {
  return {.name = name,
          .run = runStatic,
          .start = start,
          .stop = stop,
          .batches = 4 * kLap};
}

static Entry entries[] = {
    Entry({.name = "off", .run = runStatic}),
    Entry({.name = "off, C", .run = runC<site>}),
    Entry({.name = "off, run-time name", .run = runNames}),
    Entry(inRing("on, ring", runStatic)),
    Entry(inRing("on, C, ring", runC<site>)),
    Entry(inRing("on, run-time name, ring", runNames)),
    Entry(inRing("on, three nested, each", runNested, 3)),
    Entry(inRing("on, pair that shares readings, each", runPairs, 2)),
    Entry(inRing("on, in a context", runGuarded)),
    Entry(inRing("on, bindContext and its call", runBound)),
    Entry(inRing("on, suspended and resumed", runSuspended)),
    Entry(inRing("on, counting allocations", runC<allocating>)),
    Entry(inRing("on, counting processor time", runC<timed>)),
    Entry(inRing("on, reading counters", runC<counted>)),
    Entry(growing("on, growing", start<kEvents, 0>, stop)),
    Entry(growing("on, growing file", start<kEvents, 0, File>, stop<File>)),
    Entry({.name = "on, ring in a file",
           .run = runStatic,
           .start = start<kEvents, kRing, File>,
           .stop = stop<File>,
           .warmUps = kLap}),
    Entry({.name = "on, each 100th",
           .run = runStatic,
           .start = start<kEvents, kRing, Memory, 100>,
           .stop = stop,
           .warmUps = kLap}),
    Entry({.name = "statistics",
           .run = runStatic,
           .start = start<kSums, kRing>,
           .stop = stop}),
    Entry({.name = "events and statistics, ring",
           .run = runStatic,
           .start = start<kEvents | kSums, kRing>,
           .stop = stop,
           .warmUps = kLap}),
    Entry({.name = "on, ended by another thread",
           .start = start<kEvents, kRing>,
           .stop = stop,
           .measure = measureMoved}),
};
