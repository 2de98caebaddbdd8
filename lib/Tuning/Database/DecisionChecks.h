//===- DecisionChecks.h - Checking entries of a database --------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_TUNING_DATABASE_DECISIONCHECKS_H
#define MLIR_PROF_LIB_TUNING_DATABASE_DECISIONCHECKS_H

#include "mlir-prof/Tuning/Decision.h"
#include "llvm/Support/Error.h"

namespace mlirprof::tuning {

/// Fails if the entry's hashes, counts or numbers are not valid in a database,
/// see DecisionLimits. Truncates texts for users; makes numbers finite.
llvm::Error checkDecision(Decision &decision);
llvm::Error checkObservation(Observation &observation);

} // namespace mlirprof::tuning

#endif // MLIR_PROF_LIB_TUNING_DATABASE_DECISIONCHECKS_H
