//===- PeakThreads.cpp - Threads that work at the same time ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PeakThreads.h"
#include "mlir-prof/Support/Clock.h"

using namespace mlirprof;
using namespace mlirprof::record;

void PeakThreads::await(const std::atomic<uint64_t> &counter, uint64_t value) {
  // A thread that waits longer waits for one that does not have a processor,
  // perhaps because it needs this one. Yielding sooner would hand the processor
  // to other programs.
  constexpr unsigned kSpins = 20000;
  for (unsigned spins = 0; counter.load(std::memory_order_acquire) < value;
       ++spins)
    if (spins > kSpins)
      std::this_thread::yield();
}

PeakThreads::PeakThreads(unsigned threads) {
  for (unsigned thread = 1; thread < threads; ++thread)
    others.emplace_back([this, thread] { serve(thread); });
}

PeakThreads::~PeakThreads() {
  work = nullptr;
  announced.store(++pieces, std::memory_order_release);
  for (std::thread &other : others)
    other.join();
}

void PeakThreads::serve(unsigned thread) {
  for (uint64_t piece = 1;; ++piece) {
    await(announced, piece);
    const Work *mine = work;
    if (!mine)
      return;
    ++ready;
    await(begun, piece);
    (*mine)(thread);
    ++ended;
  }
}

double PeakThreads::time(Work next) {
  uint64_t all = ++pieces * others.size();
  work = &next;
  announced.store(pieces, std::memory_order_release);
  await(ready, all);
  double begin = getMonotonicSeconds();
  begun.store(pieces, std::memory_order_release);
  next(0);
  await(ended, all);
  return getMonotonicSeconds() - begin;
}
