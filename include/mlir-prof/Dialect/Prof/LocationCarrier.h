//===- LocationCarrier.h - Profile data in locations ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_DIALECT_PROF_LOCATIONCARRIER_H
#define MLIR_PROF_DIALECT_PROF_LOCATIONCARRIER_H

#include "mlir-prof/Dialect/Prof/Prof.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace mlirprof::prof {

// Profile data as builtin attributes in the metadata of a FusedLoc around an
// op's original location; see the description of the dialect for the numbers.

/// The data of one source op as a location carries it.
struct CarriedData {
  /// Distinguishes source ops: equal for the same source op only.
  mlir::Attribute identity;
  /// Index of the source op in the annotated module.
  int64_t source = 0;
  DataAttr data;
};

/// `location`, carrying `data` of the source op with index `source`.
mlir::Location carryData(mlir::Location location, int64_t source,
                         DataAttr data);
/// `location`, carrying the coverage of a module.
mlir::Location carryCoverage(mlir::Location location, CoverageAttr coverage);

/// Tells which locations carry anything, well formed or not, at any depth.
/// Caches its answers, because locations share parts; all must be of one
/// context.
class CarrierIndex {
public:
  bool carries(mlir::Location location);

private:
  llvm::DenseMap<mlir::Attribute, bool> known;
};

/// Appends the data that `location` carries, without repeats: its own, that of
/// the locations fused in it, and for a call site that of the callee, else of
/// the caller (the callee owns the time, its callers only pass it on). Invalid
/// numbers (negative times) are left out.
void collectData(mlir::Location location,
                 llvm::SmallVectorImpl<CarriedData> &result);
void collectData(mlir::Location location,
                 llvm::SmallVectorImpl<CarriedData> &result,
                 CarrierIndex &index);
/// The coverage that `location` carries; null if there is none.
CoverageAttr findCoverage(mlir::Location location);

/// Whether `location` carries anything, well formed or not, at any depth.
bool carriesAnything(mlir::Location location);
/// Removes carried data from the locations of `root`, of the ops in it and of
/// their block arguments, which restores the original locations. Returns the
/// number of ops that carried something.
uint64_t stripLocations(mlir::Operation *root);

} // namespace mlirprof::prof

#endif // MLIR_PROF_DIALECT_PROF_LOCATIONCARRIER_H
