//===- EvidenceValues.h - Values observed at a model's ops ------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_OPTIMIZE_SITES_EVIDENCEVALUES_H
#define MLIR_PROF_LIB_OPTIMIZE_SITES_EVIDENCEVALUES_H

#include "mlir-prof/Module/Alignment.h"
#include "mlir-prof/Optimize/Evidence.h"

namespace mlirprof::optimize {

/// Adds to Evidence::values the values that all runs of `profile` saw at `ops`,
/// the ops of the model in pre-order: one sum for each op, kind and names, by
/// the ops' positions.
///
/// Where every run says how long it took, entries have weights. The seconds of
/// a run are shared by the calls of its table, in proportion to the operations
/// and bytes that the model needs for the sizes of a call where these are known
/// and alike where they are not.
void addValues(const profile::Profile &profile,
               llvm::ArrayRef<mlir::Operation *> ops,
               module::StoredAlignments &stored, Evidence &evidence);

} // namespace mlirprof::optimize

#endif // MLIR_PROF_LIB_OPTIMIZE_SITES_EVIDENCEVALUES_H
