//===- Marks.h - Attributes between the passes ------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_MARKS_H
#define MLIR_PROF_LIB_CODEGEN_MARKS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlirprof::codegen {

/// Marks an op optimized for size whose buffers bufferization created: it reads
/// an element that it has written only at the same point. Marks that come with
/// a model are removed.
inline constexpr llvm::StringLiteral kSmallNest = "mlirprof.small_nest";
/// Marks an op on buffers that copies one to another, without overlap.
inline constexpr llvm::StringLiteral kCopy = "mlirprof.copy";
/// On a structured op of a kernel that dispatches of several sizes run: the
/// iterations of each loop in one of them, for which the op is planned.
inline constexpr llvm::StringLiteral kLoopSizes = "mlirprof.loop_sizes";
/// With kLoopSizes, for each loop: the iterations in any dispatch leave the
/// same remainder by this number as the ones of kLoopSizes do.
inline constexpr llvm::StringLiteral kLoopBlocks = "mlirprof.loop_blocks";
/// On a loop whose bounds are not constant: the iterations that it is expected
/// to have.
inline constexpr llvm::StringLiteral kExpectedTrips = "mlirprof.expected_trips";

/// Removes kLoopSizes and kLoopBlocks.
inline void removeSizeMarks(mlir::Operation *op) {
  op->removeDiscardableAttr(kLoopSizes);
  op->removeDiscardableAttr(kLoopBlocks);
}

/// Sets kSmallNest on a tensor op optimized for size; removes it from other
/// ops.
void markForSmallNest(mlir::linalg::LinalgOp op);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_MARKS_H
