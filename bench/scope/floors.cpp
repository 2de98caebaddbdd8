//===- floors.cpp - The least that an interval can cost -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Contestants.h"

using namespace bench;

__attribute__((noinline)) static void runEmpty() {
  for (int i = 0; i < kIterations; ++i)
    work();
}

template <uint64_t read()>
__attribute__((noinline)) static void runTwoReads() {
  uint64_t sum = 0;
  for (int i = 0; i < kIterations; ++i) {
    sum += read();
    work();
    sum += read();
  }
  asm volatile("" ::"r"(sum));
}

static uint64_t readSystemClock() { return uint64_t(readNs()); }

static Entry empty({.name = "empty loop", .run = runEmpty});
static Entry reads({.name = "two clock reads", .run = runTwoReads<readTicks>});
static Entry system_({.name = "two reads of the system's clock",
                      .run = runTwoReads<readSystemClock>});
