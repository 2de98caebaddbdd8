//===- Arrival.h - Carried data of a module at any level --------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TRANSFORMS_ARRIVAL_H
#define MLIR_PROF_TRANSFORMS_ARRIVAL_H

#include "mlir-prof/Dialect/Prof/Prof.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/MapVector.h"

namespace mlirprof::transforms {

/// The times that arrived at the level of a module, by the rule documented in
/// the pass prof-materialize.
struct Arrival {
  /// Owners and their times, in pre-order.
  llvm::MapVector<mlir::Operation *, prof::DataAttr> owners;
  /// Coverage as annotated; null if the module's location has lost it.
  prof::CoverageAttr annotated;
  /// Total of all owners.
  int64_t totalPs = 0;
  /// Number of source ops that arrived, and of those with exactly one owner.
  uint64_t sourceOps = 0;
  uint64_t soleOwners = 0;
  /// Locations that look like carriers but hold invalid numbers.
  uint64_t malformed = 0;
};

/// Reads the locations of `root` and of the ops in it.
Arrival collectArrival(mlir::Operation *root);

} // namespace mlirprof::transforms

#endif // MLIR_PROF_TRANSFORMS_ARRIVAL_H
