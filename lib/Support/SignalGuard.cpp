//===- SignalGuard.cpp - Temporary signal handlers ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Support/SignalGuard.h"

using namespace mlirprof;

SignalGuard::SignalGuard(llvm::ArrayRef<int> signals, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  for (int signal : signals) {
    before.push_back({signal, {}});
    sigaction(signal, &action, &before.back().second);
  }
}

SignalGuard::~SignalGuard() {
  for (auto &[signal, action] : before)
    sigaction(signal, &action, nullptr);
}
