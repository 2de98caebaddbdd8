//===- Tasks.h - Scopes of tasks that executors run -------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SCOPE_TASKS_H
#define MLIR_PROF_SCOPE_TASKS_H

#include "mlir-prof/Scope/Scope.h"

namespace mlirprof::scope {

/// `execute`, a function that runs the work that it is given at once, later, or
/// on another thread, such that scopes of the work are children of the scope
/// that was the innermost one at that call. Further arguments follow the work.
///
///   auto post = bindExecutor([&](auto work) { queue.push(std::move(work)); });
///   post([] { PROF_SCOPE("work"); });
template <typename Execute>
auto bindExecutor(Execute execute) {
  return [execute = std::move(execute)](
             auto &&work, auto &&...arguments) mutable -> decltype(auto) {
    return execute(bindContext(std::forward<decltype(work)>(work)),
                   std::forward<decltype(arguments)>(arguments)...);
  };
}

} // namespace mlirprof::scope

#endif // MLIR_PROF_SCOPE_TASKS_H
