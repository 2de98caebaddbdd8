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

/// What is to be optimized, and how.
struct OptimizeRequest {
  /// The file of the module.
  std::string model;
  /// A profile of it, or "": then it is recorded first. `open` says how that is
  /// read.
  std::string profile;
  OpenOptions open;
  /// What the arguments are; what the profile saw, or random ones, where
  /// nothing is said.
  std::vector<record::InputSpec> inputs;
  std::vector<record::ShapeSpec> shapes;
  optimize::Effort effort = optimize::Effort::Hot;
  /// The requests in it are filled in.
  optimize::OptimizerOptions search;
  /// Whether the machine's peak and the times of ops are wanted even where
  /// nothing is left to be tried.
  bool alwaysMeasure = false;
  NoteHandler onNote;
};

/// What is known of the model before anything is tried.
struct OptimizeInput {
  BuiltModel built;
  optimize::Evidence evidence;
  bool hasEvidence = false;
  std::vector<Arguments> requests;
  /// Random ones of the same shapes, other than those.
  std::vector<Arguments> checkRequests;
  /// Random ones of other shapes.
  std::vector<Arguments> unseenRequests;
  record::MachinePeak peak;
  optimize::ValueOrigin valueOrigin = optimize::ValueOrigin::Profile;

  /// Whether the profile says how long ops take here.
  bool hasTimes() const {
    return hasEvidence && !evidence.shares.empty() && evidence.modelSeconds > 0;
  }
};

/// The model in the form that is searched, what is known of it, and what the
/// search came to.
struct OptimizedModel {
  mlir::OwningOpRef<mlir::ModuleOp> canonical;
  optimize::ModelSites sites;
  optimize::OptimizerResult result;
};

/// Reads the model and the profile, and makes the requests.
llvm::Expected<OptimizeInput> readOptimizeInput(const OptimizeRequest &request);

/// Measures what a search goes by, unless there is nothing to search, and
/// searches. What is learned goes into `database`. `beginSeconds` is when the
/// budget began, by getMonotonicSeconds(). When OptimizerOptions::isInterrupted
/// says so, the result is the best so far.
llvm::Expected<OptimizedModel> optimizeModel(OptimizeRequest &request,
                                             OptimizeInput &input,
                                             tuning::DecisionDatabase &database,
                                             double beginSeconds);

/// The model in its prepared form, with the choices of `result` in it.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
applyResult(const OptimizeRequest &request, OptimizeInput &input,
            const optimize::OptimizerResult &result);

/// The decisions of the file `path`; none when it is missing. Where `path` is
/// empty, an empty database.
llvm::Expected<tuning::DecisionDatabase> loadDecisions(llvm::StringRef path);

/// The decisions of the file `path`, which has to be there: only who learns
/// begins with none.
llvm::Expected<tuning::DecisionDatabase>
loadKnownDecisions(llvm::StringRef path);

/// Makes `options` build with the decisions of the file `path`, and notes what
/// was found.
llvm::Error useDecisions(llvm::StringRef path, compile::CompileOptions &options,
                         const NoteHandler &onNote = {});

} // namespace mlirprof

#endif // MLIR_PROF_SESSION_OPTIMIZE_H
