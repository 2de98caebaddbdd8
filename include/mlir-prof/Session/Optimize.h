//===- Optimize.h - Searching for a faster form of a model ------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SESSION_OPTIMIZE_H
#define MLIR_PROF_SESSION_OPTIMIZE_H

#include "mlir-prof/Optimize/Evidence.h"
#include "mlir-prof/Optimize/Optimizer.h"
#include "mlir-prof/Record/Inputs.h"
#include "mlir-prof/Record/Peak.h"
#include "mlir-prof/Session/Model.h"

namespace mlirprof {

/// The model to optimize, and how to search.
struct OptimizeRequest {
  /// The file of the module.
  std::string model;
  /// A profile of it, or "" to record it first. `open` specifies how to read
  /// it.
  std::string profile;
  OpenOptions open;
  /// The arguments. If none are given, those that the profile saw, or random
  /// ones.
  std::vector<record::InputSpec> inputs;
  std::vector<record::ShapeSpec> shapes;
  optimize::Effort effort = optimize::Effort::Hot;
  /// The requests in it are filled in.
  optimize::OptimizerOptions search;
  /// Whether to measure the machine's peak and the times of ops even if nothing
  /// is left to try.
  bool alwaysMeasure = false;
  NoteHandler onNote;
};

/// The information on a model before the search.
struct OptimizeInput {
  BuiltModel built;
  optimize::Evidence evidence;
  bool hasEvidence = false;
  std::vector<Arguments> requests;
  /// Random requests of the same shapes, different from those above.
  std::vector<Arguments> checkRequests;
  /// Random requests of other shapes.
  std::vector<Arguments> unseenRequests;
  record::MachinePeak peak;
  optimize::ValueOrigin valueOrigin = optimize::ValueOrigin::Profile;

  /// Whether the profile contains times of ops on this machine.
  bool hasTimes() const {
    return hasEvidence && !evidence.shares.empty() && evidence.modelSeconds > 0;
  }
};

/// The model in the form that is searched, the input of the search, and its
/// result.
struct OptimizedModel {
  mlir::OwningOpRef<mlir::ModuleOp> canonical;
  optimize::ModelSites sites;
  optimize::OptimizerResult result;
};

/// Reads the model and the profile, and creates the requests.
llvm::Expected<OptimizeInput> readOptimizeInput(const OptimizeRequest &request);

/// Measures the data that a search needs, unless there is nothing to search,
/// and searches. Results are added to `database`. `beginSeconds` is the begin
/// of the budget, by getMonotonicSeconds(). If OptimizerOptions::isInterrupted
/// becomes true, the result is the best so far.
llvm::Expected<OptimizedModel> optimizeModel(OptimizeRequest &request,
                                             OptimizeInput &input,
                                             tuning::DecisionDatabase &database,
                                             double beginSeconds);

/// The model in its prepared form, with the choices of `result` attached.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
applyResult(const OptimizeRequest &request, OptimizeInput &input,
            const optimize::OptimizerResult &result);

/// The decisions in the file `path`; empty if the file is missing, or if `path`
/// is empty.
llvm::Expected<tuning::DecisionDatabase> loadDecisions(llvm::StringRef path);

/// The decisions in the file `path`, which must exist: only a search may start
/// without one.
llvm::Expected<tuning::DecisionDatabase>
loadKnownDecisions(llvm::StringRef path);

/// Makes `options` compile with the decisions in the file `path`, and notes how
/// many were found.
llvm::Error useDecisions(llvm::StringRef path, compile::CompileOptions &options,
                         const NoteHandler &onNote = {});

} // namespace mlirprof

#endif // MLIR_PROF_SESSION_OPTIMIZE_H
