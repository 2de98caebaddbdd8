//===- RunThreads.cpp - A model's threads while it does not run -----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunThreads.h"

#include <dlfcn.h>
#include <sched.h>

using namespace mlirprof;

template <typename Function>
static void find(const char *name, Function *&function) {
  function = reinterpret_cast<Function *>(dlsym(RTLD_DEFAULT, name));
}

/// How many processors this process may use.
static unsigned getProcessors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0)
    return 1;
  return unsigned(CPU_COUNT(&set));
}

RunThreads::RunThreads(const CompiledModel &model, unsigned threads)
    : threads(threads) {
  if (!model.usesOpenMP || threads < 2 || threads > getProcessors())
    return;
  int (*getBlockTime)() = nullptr;
  find("kmp_get_blocktime", getBlockTime);
  find("kmp_set_blocktime", setBlockTime);
  find("GOMP_parallel", runParallel);
  if (getBlockTime && setBlockTime && runParallel)
    blockTime = getBlockTime();
  else
    setBlockTime = nullptr;
}

/// A thread learns in a parallel region how long it may stay awake after it.
void RunThreads::visitAll() {
  runParallel([](void *) {}, /*data=*/nullptr, threads, /*flags=*/0);
}

void RunThreads::wake() {
  if (!setBlockTime)
    return;
  setBlockTime(blockTime);
  visitAll();
}

void RunThreads::rest() {
  if (!setBlockTime)
    return;
  setBlockTime(0);
  visitAll();
}
