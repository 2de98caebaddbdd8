//===- LocationParts.h - The parts of locations -----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Locations share their parts: seen as trees they may be exponentially large,
// and call chains of inlined code may be long.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_DIALECT_PROF_LOCATIONPARTS_H
#define MLIR_PROF_DIALECT_PROF_LOCATIONPARTS_H

#include "mlir/IR/Location.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace mlirprof::prof {

/// Appends the direct parts of `location`.
void getParts(mlir::LocationAttr location,
              llvm::SmallVectorImpl<mlir::Location> &parts);

/// Calls `visit` for `location` and all its nested parts for which `isKnown` is
/// false, parts before the location that contains them. Does not recurse.
void visitPartsFirst(mlir::Location location,
                     llvm::function_ref<bool(mlir::Location)> isKnown,
                     llvm::function_ref<void(mlir::Location)> visit);

/// `location` with each of its parts replaced by the result of `get`. Fused
/// locations keep their metadata.
mlir::Location
rebuildLocation(mlir::Location location,
                llvm::function_ref<mlir::Location(mlir::Location)> get);

/// Whether `location` is a file position with names around it, or unknown, as
/// determined in a few steps: nearly all locations of a module read from text
/// have this form.
bool isPlainLocation(mlir::Location location);

} // namespace mlirprof::prof

#endif // MLIR_PROF_DIALECT_PROF_LOCATIONPARTS_H
