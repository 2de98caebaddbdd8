//===- Workers.cpp - Threads that may be missing --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Support/Workers.h"

using namespace mlirprof;

bool Workers::start(std::function<void()> work) {
  Worker &worker = workers.emplace_back();
  worker.work = std::move(work);
  auto run = [](void *function) -> void * {
    (*static_cast<std::function<void()> *>(function))();
    return nullptr;
  };
  if (pthread_create(&worker.thread, nullptr, run, &worker.work) == 0)
    return true;
  workers.pop_back();
  return false;
}

void Workers::join() {
  for (Worker &worker : workers)
    pthread_join(worker.thread, nullptr);
  workers.clear();
}
