//===- SharedContext.cpp - A context for several threads ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedContext.h"
#include "llvm/Support/ThreadPool.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::compile;

namespace {
/// Runs each task at once, on the thread that adds it.
class InlinePool : public llvm::ThreadPoolInterface {
public:
  void wait() override {}
  void wait(llvm::ThreadPoolTaskGroup &) override {}
  unsigned getMaxConcurrency() const override { return 1; }

private:
  void asyncEnqueue(llvm::unique_function<void()> task,
                    llvm::ThreadPoolTaskGroup *) override {
    task();
  }
};
} // namespace

/// It lives as long as the program: a context keeps its address.
static llvm::ThreadPoolInterface &getPool() {
  static auto *pool = new InlinePool;
  return *pool;
}

SharedContext::SharedContext(MLIRContext *context) : context(context) {
  if (context->isMultithreadingEnabled())
    return;
  context->setThreadPool(getPool());
  shared = context->isMultithreadingEnabled();
}

SharedContext::~SharedContext() {
  if (shared)
    context->disableMultithreading();
}
