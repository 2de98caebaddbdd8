//===- RunExecutor.cpp - The executor of a model's code -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunExecutor.h"
#include "mlir-prof/Codegen/DispatchTable.h"
#include "mlir-prof/Support/Error.h"
#ifdef MLIRPROF_HAS_RUNTIME
#include "mlir-prof/Runtime/prof_executor.h"
#endif

using namespace mlirprof;
using namespace mlirprof::record;

#ifdef MLIRPROF_HAS_RUNTIME

std::vector<std::pair<std::string, void *>> record::getExecutorFunctions() {
  return {{codegen::kRunFunction.str(),
           reinterpret_cast<void *>(&prof_executor_run)}};
}

llvm::Error record::startExecutor(LoadedModel &loaded, unsigned threads,
                                  void (*started)()) {
  if (!loaded.executorVariable)
    return llvm::Error::success();
  prof_executor_options options;
  prof_executor_default_options(&options);
  options.threads = threads;
  options.thread_context = reinterpret_cast<void *>(started);
  options.thread_started = [](void *context, uint32_t) {
    reinterpret_cast<void (*)()>(context)();
  };
  prof_executor *executor = prof_executor_create(&options);
  if (!executor)
    return inputError("the model's executor", "there is no memory for it");
  *loaded.executorVariable = executor;
  loaded.executor.reset(static_cast<void *>(executor), [](void *pointer) {
    prof_executor_destroy(static_cast<prof_executor *>(pointer));
  });
  return llvm::Error::success();
}

CurrentInstance record::getExecutorInstance() { return &prof_executor_current; }

#else

std::vector<std::pair<std::string, void *>> record::getExecutorFunctions() {
  return {};
}

llvm::Error record::startExecutor(LoadedModel &loaded, unsigned, void (*)()) {
  if (!loaded.executorVariable)
    return llvm::Error::success();
  return inputError("the model's executor", "this build does not have one",
                    "Build the project with its runtime, or use --threads=1.");
}

CurrentInstance record::getExecutorInstance() { return nullptr; }

#endif
