//===- mlir.cpp - MLIR's TimingScope --------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Contestants.h"
#include "mlir/Support/Timing.h"

#include <optional>

using namespace bench;

static std::optional<mlir::DefaultTimingManager> manager;
static std::optional<mlir::TimingScope> root;

template <bool isOn>
static void start() {
  manager.emplace();
  manager->setEnabled(isOn);
  manager->setOutput(mlir::createOutputStrategy(
      mlir::DefaultTimingManager::OutputFormat::Text, llvm::nulls()));
  root.emplace(manager->getRootScope());
}

static void stop() {
  root.reset();
  manager.reset();
}

__attribute__((noinline)) static void runById() {
  static const char id = 0;
  for (int i = 0; i < kIterations; ++i) {
    mlir::TimingScope timer = root->nest(
        static_cast<const void *>(&id),
        llvm::function_ref<std::string()>([] { return std::string("timer"); }));
    work();
  }
}

__attribute__((noinline)) static void runByName() {
  for (int i = 0; i < kIterations; ++i) {
    mlir::TimingScope timer = root->nest("timer");
    work();
  }
}

static Entry entries[] = {
    Entry({.name = "MLIR TimingScope, off",
           .run = runById,
           .start = start<false>,
           .stop = stop}),
    Entry({.name = "MLIR TimingScope, by id",
           .run = runById,
           .start = start<true>,
           .stop = stop}),
    Entry({.name = "MLIR TimingScope, by name",
           .run = runByName,
           .start = start<true>,
           .stop = stop}),
};
