//===- ThreadPool.h - Thread pools whose tasks have parents -----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_PASSSCOPE_THREADPOOL_H
#define MLIR_PROF_PASSSCOPE_THREADPOOL_H

#include "mlir-prof/Scope/Scope.h"
#include "llvm/Support/ThreadPool.h"

namespace mlirprof::passscope {

/// Gives all of its tasks to another pool, which must outlive it, with their
/// contexts: scopes of a task are children of the scope that was the innermost
/// one of the thread that submitted it. For code that takes a pool, such as
/// mlir::MLIRContext::setThreadPool.
class ContextThreadPool : public llvm::ThreadPoolInterface {
public:
  explicit ContextThreadPool(llvm::ThreadPoolInterface &pool) : pool(pool) {}
  /// Waits for all tasks of the other pool.
  ~ContextThreadPool() override { pool.wait(); }

  void wait() override { pool.wait(); }
  void wait(llvm::ThreadPoolTaskGroup &group) override { pool.wait(group); }
  unsigned getMaxConcurrency() const override {
    return pool.getMaxConcurrency();
  }

private:
  void asyncEnqueue(llvm::unique_function<void()> task,
                    llvm::ThreadPoolTaskGroup *group) override {
    auto bound = scope::bindContext(std::move(task));
    if (group)
      pool.async(*group, std::move(bound));
    else
      pool.async(std::move(bound));
  }

  llvm::ThreadPoolInterface &pool;
};

} // namespace mlirprof::passscope

#endif // MLIR_PROF_PASSSCOPE_THREADPOOL_H
