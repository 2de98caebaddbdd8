//===- RunThreads.cpp - A model's threads between its runs ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunThreads.h"
#include "mlir-prof/Support/Error.h"

#include <csignal>
#include <cstring>
#include <dlfcn.h>
#include <mutex>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::record;

template <typename Function>
static void find(const char *name, Function *&function) {
  function = reinterpret_cast<Function *>(dlsym(RTLD_DEFAULT, name));
}

using Parallel = void(void (*body)(void *), void *data, unsigned threads,
                      unsigned flags);

/// Runs on a thread of OpenMP or of the executor, which lives as long as the
/// process.
void record::addSignalStack() {
  constexpr size_t kBytes = 64 << 10;
  stack_t stack = {};
  if (sigaltstack(nullptr, &stack) != 0 || !(stack.ss_flags & SS_DISABLE))
    return;
  void *memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return;
  stack.ss_sp = memory;
  stack.ss_size = kBytes;
  stack.ss_flags = 0;
  sigaltstack(&stack, nullptr);
}

llvm::Error record::checkThreads(unsigned count) {
  // Closed until all threads have arrived.
  std::mutex gate;
  gate.lock();
  auto wait = [](void *gate) -> void * {
    std::lock_guard<std::mutex> lock(*static_cast<std::mutex *>(gate));
    return nullptr;
  };
  std::vector<pthread_t> threads(count);
  unsigned started = 0;
  int code = 0;
  while (code == 0 && started != count) {
    code = pthread_create(&threads[started], nullptr, wait, &gate);
    started += code == 0;
  }
  gate.unlock();
  for (unsigned i = 0; i != started; ++i)
    pthread_join(threads[i], nullptr);
  if (code == 0)
    return llvm::Error::success();
  return inputError("threads",
                    llvm::Twine(started) + " of " + llvm::Twine(count) +
                        " more can be started: " + std::strerror(code),
                    "Use fewer (--threads), or allow more processes (ulimit "
                    "-u, or pids.max of the cgroup) or memory (ulimit -v).");
}

void record::giveSignalStacks(const CompiledModel &model, unsigned threads) {
  Parallel *runParallel = nullptr;
  find("GOMP_parallel", runParallel);
  if (model.usesOpenMP && threads > 1 && runParallel)
    runParallel([](void *) { addSignalStack(); }, /*data=*/nullptr, threads,
                /*flags=*/0);
}

/// The number of processors that this process may use.
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

/// A thread learns in a parallel region how long it may stay awake afterward.
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
