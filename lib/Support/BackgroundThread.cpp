//===- BackgroundThread.cpp - Work on one more thread ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Support/BackgroundThread.h"
#include "mlir-prof/Support/CrashGuard.h"

using namespace mlirprof;

BackgroundThread::~BackgroundThread() {
  {
    std::lock_guard lock(mutex);
    ends = true;
  }
  changed.notify_all();
  thread.join();
}

BackgroundThread::Ticket BackgroundThread::add(std::function<void()> work) {
  if (thread.empty() && !thread.start([this] { run(); })) {
    perform(work);
    return done = ++added;
  }
  std::lock_guard lock(mutex);
  queue.push_back(std::move(work));
  changed.notify_all();
  return ++added;
}

void BackgroundThread::wait(Ticket ticket) {
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return done >= ticket; });
}

bool BackgroundThread::hasCrashed() {
  std::lock_guard lock(mutex);
  return crashed;
}

void BackgroundThread::perform(const std::function<void()> &work) {
  llvm::CrashRecoveryContext region;
  if (region.RunSafely([&] { work(); }))
    return;
  std::lock_guard lock(mutex);
  crashed = true;
}

void BackgroundThread::run() {
  CrashRecovery recovery;
  std::unique_lock lock(mutex);
  for (;;) {
    changed.wait(lock, [this] { return ends || !queue.empty(); });
    if (queue.empty())
      return;
    {
      std::function<void()> work = std::move(queue.front());
      queue.pop_front();
      lock.unlock();
      perform(work);
    }
    lock.lock();
    ++done;
    changed.notify_all();
  }
}
