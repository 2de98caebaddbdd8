//===- OptimizeOptions.h - Options of mlir-prof optimize --------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TOOLS_MLIR_PROF_OPTIMIZEOPTIONS_H
#define MLIR_PROF_TOOLS_MLIR_PROF_OPTIMIZEOPTIONS_H

#include "RecordOptions.h"
#include "mlir-prof/Session/Optimize.h"

using namespace mlirprof::optimize;

namespace mlirprof {

/// The command line options of optimize.
struct OptimizeOptions : OptimizeRequest {
  std::string output;
  std::string script;
  std::string receipts;
  std::string explain;
  std::string decisions;
};

llvm::Expected<OptimizeOptions>
getOptimizeOptions(const llvm::opt::InputArgList &arguments);

/// Writes the model with `result` in it, and the script if one is requested,
/// and prints the command that replays it to `os`.
llvm::Error writeOptimized(const OptimizeOptions &options, OptimizeInput &input,
                           const OptimizerResult &result,
                           llvm::raw_ostream &os);

} // namespace mlirprof

#endif // MLIR_PROF_TOOLS_MLIR_PROF_OPTIMIZEOPTIONS_H
