//===- Clock.cpp - The clock for durations --------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Support/Clock.h"

#include <ctime>

using namespace mlirprof;

static int64_t getTimeNs(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return int64_t(now.tv_sec) * 1000000000 + now.tv_nsec;
}

double mlirprof::getMonotonicSeconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return double(now.tv_sec) + double(now.tv_nsec) * 1e-9;
}

int64_t mlirprof::getMonotonicNs() { return getTimeNs(CLOCK_MONOTONIC); }

int64_t mlirprof::getEpochNs() { return getTimeNs(CLOCK_REALTIME); }
