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

// The one way to ask for the profile of an op, whatever the op is: through
// ProfiledOpInterface where the op has it, else over the discardable attribute
// `prof.data`.

/// Attaches `data` to `op`, in place of what was there.
void setProfileData(mlir::Operation *op, DataAttr data);
/// The data of `op`, null when it has none.
DataAttr getProfileData(mlir::Operation *op);
/// Whether `op` has data.
bool hasProfileData(mlir::Operation *op);
/// Takes the data off `op`; false when there was none.
bool removeProfileData(mlir::Operation *op);

/// The coverage that annotating wrote on `module`, null when it has none.
CoverageAttr getCoverage(mlir::Operation *module);

} // namespace mlirprof::prof

#endif // MLIR_PROF_DIALECT_PROF_PROFILEDATA_H
