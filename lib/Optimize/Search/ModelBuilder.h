//===- ModelBuilder.h - Builds of the model, each in a process --*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_OPTIMIZE_SEARCH_MODELBUILDER_H
#define MLIR_PROF_LIB_OPTIMIZE_SEARCH_MODELBUILDER_H

#include "TimeBudget.h"
#include "mlir-prof/Optimize/Optimizer.h"

#include <memory>

namespace mlirprof::optimize {

/// A process that runs a build of the model.
using OwnedServer = std::unique_ptr<record::ModelServer>;
/// The results of a model for each of some requests.
using ModelResults = std::vector<std::vector<HostTensor>>;

/// How a model is built and run.
struct BuildSetup {
  compile::CompileOptions compile;
  /// The longest that one call with all requests may take.
  double runSeconds = 0;
  /// The longest that the build may take; 0: the limit of the search.
  double buildSeconds = 0;
};

/// Builds one model with different choices, each build in a process of its own,
/// within the limits of the search. All errors of a build that runs against
/// these limits, or crashes, come back; an InterruptedError ends the search. A
/// build that would begin, or has failed, after the budget is a BudgetError.
class ModelBuilder {
public:
  /// `options`, `tools` and `budget` outlive this.
  ModelBuilder(mlir::ModuleOp model, const OptimizerOptions &options,
               const SearchTools &tools, const TimeBudget &budget)
      : model(model), options(options), tools(tools), budget(budget) {}

  /// The model with `choices`, on the requests of the search.
  llvm::Expected<OwnedServer> build(const ChoiceMap &choices) const;
  llvm::Expected<OwnedServer> build(const BuildSetup &setup,
                                    llvm::ArrayRef<Arguments> requests) const;
  /// Another module than the model.
  llvm::Expected<OwnedServer> build(mlir::ModuleOp module,
                                    const BuildSetup &setup,
                                    llvm::ArrayRef<Arguments> requests) const;

  /// Another process with the model that `built` runs, which was built with
  /// `choices` or `setup`; it is built again only where `built` cannot give it.
  llvm::Expected<OwnedServer>
  startAgain(record::ModelServer &built, const ChoiceMap &choices,
             llvm::ArrayRef<Arguments> requests) const;
  llvm::Expected<OwnedServer>
  startAgain(record::ModelServer &built, const BuildSetup &setup,
             llvm::ArrayRef<Arguments> requests) const;

  /// The results of `built`, which has `choices`, for other requests.
  llvm::Expected<ModelResults>
  computeResults(record::ModelServer &built, const ChoiceMap &choices,
                 llvm::ArrayRef<Arguments> requests) const;

  /// The limits of a process that runs the model with `choices` on the requests
  /// of the search.
  record::ServerOptions getLimits(const ChoiceMap &choices) const {
    return getServerOptions(getSetup(choices, options.requests.size()),
                            /*buildSeconds=*/0);
  }

  /// The longest that a build may take which begins now: it may end somewhat
  /// after the budget.
  double getBuildLimit() const;

private:
  BuildSetup getSetup(const ChoiceMap &choices, size_t requests) const;
  /// `buildSeconds` as in BuildSetup.
  record::ServerOptions getServerOptions(const BuildSetup &setup,
                                         double buildSeconds) const;

  mlir::ModuleOp model;
  const OptimizerOptions &options;
  const SearchTools &tools;
  const TimeBudget &budget;
};

} // namespace mlirprof::optimize

#endif // MLIR_PROF_LIB_OPTIMIZE_SEARCH_MODELBUILDER_H
