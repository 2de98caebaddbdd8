//===- ProfileData.h - The profile of any op --------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_DIALECT_PROF_PROFILEDATA_H
#define MLIR_PROF_DIALECT_PROF_PROFILEDATA_H

#include "mlir-prof/Dialect/Prof/Prof.h"
#include "mlir/IR/Operation.h"

namespace mlirprof::prof {

// Uniform access to the profile of any op: through ProfiledOpInterface if the
// op has it, otherwise through the discardable attribute `prof.data`.

/// Attaches `data` to `op`, replacing existing data.
void setProfileData(mlir::Operation *op, DataAttr data);
/// The data of `op`; null if it does not have any.
DataAttr getProfileData(mlir::Operation *op);
/// Whether `op` has data.
bool hasProfileData(mlir::Operation *op);
/// Removes the data from `op`; false if there was none.
bool removeProfileData(mlir::Operation *op);

/// The coverage that annotating attached to `module`; null if it does not have
/// one.
CoverageAttr getCoverage(mlir::Operation *module);

} // namespace mlirprof::prof

#endif // MLIR_PROF_DIALECT_PROF_PROFILEDATA_H
