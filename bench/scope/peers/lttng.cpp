//===- lttng.cpp - LTTng-UST, begin and end -------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "lttng.h"

#include "../Contestants.h"

using namespace bench;

__attribute__((noinline)) static void runOn() {
  for (int i = 0; i < kIterations; ++i) {
    lttng_ust_tracepoint(mlir_prof, on_begin, 1);
    work();
    lttng_ust_tracepoint(mlir_prof, on_end, 1);
  }
}

__attribute__((noinline)) static void runOff() {
  for (int i = 0; i < kIterations; ++i) {
    lttng_ust_tracepoint(mlir_prof, off_begin, 1);
    work();
    lttng_ust_tracepoint(mlir_prof, off_end, 1);
  }
}

static Entry entries[] = {
    Entry({.name = "LTTng-UST, off", .run = runOff}),
    Entry({.name = "LTTng-UST, begin and end", .run = runOn}),
};
