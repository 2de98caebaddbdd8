//===- SignalGuard.h - Temporary signal handlers ----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SUPPORT_SIGNALGUARD_H
#define MLIR_PROF_SUPPORT_SIGNALGUARD_H

#include "llvm/ADT/ArrayRef.h"

#include <csignal>
#include <utility>
#include <vector>

namespace mlirprof {

/// During its lifetime, `handler` receives these signals; then the previous
/// handlers are restored.
class SignalGuard {
public:
  SignalGuard(llvm::ArrayRef<int> signals, void (*handler)(int));
  ~SignalGuard();
  SignalGuard(const SignalGuard &) = delete;
  SignalGuard &operator=(const SignalGuard &) = delete;

private:
  std::vector<std::pair<int, struct sigaction>> before;
};

} // namespace mlirprof

#endif // MLIR_PROF_SUPPORT_SIGNALGUARD_H
