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
/// Sets kSmallNest on a tensor op optimized for size; removes it from other
/// ops.
void markForSmallNest(mlir::linalg::LinalgOp op);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_MARKS_H
