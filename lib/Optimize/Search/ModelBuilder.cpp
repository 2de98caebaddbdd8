//===- ModelBuilder.cpp - Builds of the model, each in a process ----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelBuilder.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::optimize;
using namespace mlirprof::record;

double ModelBuilder::getBuildLimit() const {
  constexpr double kLeastGrace = 2, kMostGrace = 20, kShare = 0.5;
  double grace =
      std::clamp(kShare * budget.getTotal(), kLeastGrace, kMostGrace);
  return std::min(options.buildSeconds,
                  std::max(0.0, budget.getLeft()) + grace);
}

ServerOptions ModelBuilder::getServerOptions(const BuildSetup &setup,
                                             double buildSeconds) const {
  ServerOptions server;
  server.threads = setup.compile.target.threads;
  server.memory = options.memory;
  server.buildSeconds = getBuildLimit();
  if (buildSeconds > 0)
    server.buildSeconds = std::min(server.buildSeconds, buildSeconds);
  server.runSeconds = setup.runSeconds;
  server.isInterrupted = options.isInterrupted;
  return server;
}

BuildSetup ModelBuilder::getSetup(const ChoiceMap &choices,
                                  size_t requests) const {
  BuildSetup setup = {options.compile, budget.getRunLimit(requests)};
  setup.compile.choose = chooseBy(choices);
  return setup;
}

llvm::Expected<OwnedServer>
ModelBuilder::build(mlir::ModuleOp module, const BuildSetup &setup,
                    llvm::ArrayRef<Arguments> requests) const {
  if (budget.getLeft() <= 0)
    return llvm::make_error<BudgetError>();
  auto server = tools.serve(module, setup.compile, requests,
                            getServerOptions(setup, setup.buildSeconds));
  // It may have been ended for its time, which says nothing of the model.
  if (!server && !server.errorIsA<InterruptedError>() &&
      budget.getLeft() <= 0) {
    llvm::consumeError(server.takeError());
    return llvm::make_error<BudgetError>();
  }
  return server;
}

llvm::Expected<OwnedServer>
ModelBuilder::build(const BuildSetup &setup,
                    llvm::ArrayRef<Arguments> requests) const {
  return build(model, setup, requests);
}

llvm::Expected<OwnedServer>
ModelBuilder::build(const ChoiceMap &choices) const {
  return build(getSetup(choices, options.requests.size()), options.requests);
}

llvm::Expected<OwnedServer>
ModelBuilder::startAgain(ModelServer &built, const ChoiceMap &choices,
                         llvm::ArrayRef<Arguments> requests) const {
  return startAgain(built, getSetup(choices, requests.size()), requests);
}

llvm::Expected<OwnedServer>
ModelBuilder::startAgain(ModelServer &built, const BuildSetup &setup,
                         llvm::ArrayRef<Arguments> requests) const {
  auto again =
      built.startAgain(requests, getServerOptions(setup, /*buildSeconds=*/0));
  if (again || again.errorIsA<InterruptedError>())
    return again;
  // Its process has ended, or there was no room: neither is the model's fault.
  llvm::consumeError(again.takeError());
  return build(setup, requests);
}

llvm::Expected<ModelResults>
ModelBuilder::computeResults(ModelServer &built, const ChoiceMap &choices,
                             llvm::ArrayRef<Arguments> requests) const {
  auto server = startAgain(built, choices, requests);
  if (!server)
    return server.takeError();
  return (*server)->getResults();
}
