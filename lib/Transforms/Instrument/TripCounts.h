//===- TripCounts.h - Trip counts of loops ----------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_TRANSFORMS_INSTRUMENT_TRIPCOUNTS_H
#define MLIR_PROF_LIB_TRANSFORMS_INSTRUMENT_TRIPCOUNTS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"

#include <optional>

namespace mlirprof::transforms {

/// One dimension of a loop.
struct LoopRange {
  /// A value, or a constant.
  mlir::OpFoldResult lower;
  mlir::OpFoldResult upper;
  mlir::OpFoldResult step;
};

/// The ranges that determine the trip count of a loop.
struct LoopRanges {
  llvm::SmallVector<LoopRange> dimensions;
  bool isUnsigned = false;
  /// The upper bound belongs to the range.
  bool isInclusive = false;
  /// For affine loops: operands of the bounds, created on demand.
  llvm::SmallVector<mlir::Value> operands;

  /// Whether the trip counts of all dimensions are constants.
  bool isStatic() const;
  /// Whether all values are known before `op` begins.
  bool isDefinedOutside(mlir::Operation *op) const;
};

/// The ranges of the loop `op`; nullopt if they are not known before it runs
/// (scf.while).
std::optional<LoopRanges> getLoopRanges(mlir::Operation *op);

/// Computes the trip count of each dimension of `loop`, as i64, at `builder`'s
/// insertion point.
llvm::SmallVector<mlir::Value> createTripCounts(mlir::OpBuilder &builder,
                                                mlir::Operation *loop,
                                                const LoopRanges &ranges);

} // namespace mlirprof::transforms

#endif // MLIR_PROF_LIB_TRANSFORMS_INSTRUMENT_TRIPCOUNTS_H
