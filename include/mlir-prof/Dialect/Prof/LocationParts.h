//===- LocationParts.h - What locations are made of -------------*- C++ -*-===//
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

/// Appends what `location` is made of.
void getParts(mlir::LocationAttr location,
              llvm::SmallVectorImpl<mlir::Location> &parts);

/// Calls `visit` for `location` and everything it is made of that `isKnown`
/// denies, parts before the whole. On a stack of its own.
void visitPartsFirst(mlir::Location location,
                     llvm::function_ref<bool(mlir::Location)> isKnown,
                     llvm::function_ref<void(mlir::Location)> visit);

/// `location` with each of its parts replaced by `get` of it. Fused locations
/// keep their metadata.
mlir::Location
rebuildLocation(mlir::Location location,
                llvm::function_ref<mlir::Location(mlir::Location)> get);

/// Whether `location` is a position in a file with names around it, or unknown,
/// found out in a few steps: what nearly all locations of a module that was
/// read from text look like.
bool isPlainLocation(mlir::Location location);

} // namespace mlirprof::prof

#endif // MLIR_PROF_DIALECT_PROF_LOCATIONPARTS_H
