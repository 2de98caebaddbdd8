//===- OptimizeOptions.h - What optimize is asked for, and has --*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TOOLS_MLIR_PROF_OPTIMIZEOPTIONS_H
#define MLIR_PROF_TOOLS_MLIR_PROF_OPTIMIZEOPTIONS_H

#include "RecordOptions.h"
#include "mlir-prof/Optimize/Evidence.h"
#include "mlir-prof/Optimize/Optimizer.h"
#include "mlir-prof/Record/Peak.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlirprof {

/// What the command line of optimize asks for.
struct OptimizeOptions {
  std::string model;
  std::string profile;
  std::string output;
  std::string script;
  std::string receipts;
  std::string explain;
  std::string decisions;
  Effort effort = Effort::Hot;
  std::vector<InputSpec> inputs;
  std::vector<ShapeSpec> shapes;
  OptimizerOptions search;
};

llvm::Expected<OptimizeOptions>
getOptimizeOptions(const llvm::opt::InputArgList &arguments);

/// What is known of the model before anything is tried.
struct OptimizeInput {
  BuiltModel built;
  Evidence evidence;
  bool hasEvidence = false;
  std::vector<Arguments> requests;
  /// Random ones of the same shapes, other than those.
  std::vector<Arguments> checkRequests;
  /// Random ones of other shapes.
  std::vector<Arguments> unseenRequests;
  MachinePeak peak;
  ValueOrigin valueOrigin = ValueOrigin::Profile;

  /// Whether the profile says how long ops take here.
  bool hasTimes() const {
    return hasEvidence && !evidence.shares.empty() && evidence.modelSeconds > 0;
  }
};

/// Reads the model and the profile, and makes the requests.
llvm::Error readOptimizeInput(const llvm::opt::InputArgList &arguments,
                              const OptimizeOptions &options,
                              OptimizeInput &input);
/// Makes OptimizeInput::unseenRequests for `entry`, the function that is run.
void addUnseenRequests(const OptimizeOptions &options,
                       mlir::FunctionOpInterface entry, OptimizeInput &input);
/// Measures this machine's peak, and records the model when no profile says how
/// long its ops take here. An InterruptedError as soon as
/// OptimizerOptions::isInterrupted says so, or a signal has ended the
/// recording.
llvm::Error measureOptimizeInput(const OptimizeOptions &options,
                                 OptimizeInput &input);

/// The decisions of the file `path`; none when it is missing. Where `path` is
/// empty, an empty database.
llvm::Expected<DecisionDatabase> loadDecisions(llvm::StringRef path);

/// Makes `options` build with the decisions of the file `path`, and says what
/// was found.
llvm::Error useDecisions(llvm::StringRef path, CompileOptions &options);

/// Writes the model with `result` in it, the script when one is asked for, and
/// prints the command that replays it to `os`.
llvm::Error writeOptimized(const OptimizeOptions &options, OptimizeInput &input,
                           const OptimizerResult &result,
                           llvm::raw_ostream &os);

} // namespace mlirprof

#endif // MLIR_PROF_TOOLS_MLIR_PROF_OPTIMIZEOPTIONS_H
