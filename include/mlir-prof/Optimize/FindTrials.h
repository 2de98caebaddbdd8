//===- FindTrials.h - Earlier trials at the ops of a model ------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_OPTIMIZE_FINDTRIALS_H
#define MLIR_PROF_OPTIMIZE_FINDTRIALS_H

#include "mlir-prof/Advise/OpTrial.h"
#include "mlir-prof/Tuning/DecisionDatabase.h"
#include "mlir/IR/BuiltinOps.h"

#include <vector>

namespace mlirprof::optimize {

struct FoundTrials {
  /// Sorted by op, technique and choice; the newest of each.
  std::vector<advise::OpTrial> trials;
  /// Observations about ops of the model that were made on other machines.
  uint64_t elsewhere = 0;
};

/// Finds the observations of `database` about the ops of a model, on machines
/// whose keys equal `machine` except for the number of threads. `canonical` is
/// the model in its canonical form, with the program attached; ops of the
/// trials are positions in the model as it was read.
FoundTrials findTrials(mlir::ModuleOp canonical,
                       const tuning::DecisionDatabase &database,
                       llvm::StringRef machine);

} // namespace mlirprof::optimize

#endif // MLIR_PROF_OPTIMIZE_FINDTRIALS_H
