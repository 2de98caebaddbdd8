//===- OptimizeInput.h - Input of a search ----------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_SESSION_OPTIMIZEINPUT_H
#define MLIR_PROF_LIB_SESSION_OPTIMIZEINPUT_H

#include "mlir-prof/Session/Optimize.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlirprof {

/// Creates OptimizeInput::unseenRequests for `entry`, the function to run.
void addUnseenRequests(const OptimizeRequest &options,
                       mlir::FunctionOpInterface entry, OptimizeInput &input);

/// Measures this machine's peak, and records the model if no profile contains
/// times of its ops on this machine. Returns an InterruptedError as soon as
/// OptimizerOptions::isInterrupted becomes true, or a signal has ended the
/// recording, and a BudgetError where a step would begin after the budget,
/// which began at `beginSeconds` by getMonotonicSeconds(). The steps go into
/// OptimizerOptions::spent.
llvm::Error measureOptimizeInput(OptimizeRequest &options, OptimizeInput &input,
                                 double beginSeconds);

} // namespace mlirprof

#endif // MLIR_PROF_LIB_SESSION_OPTIMIZEINPUT_H
