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

/// On an op for size that bufferization has made the buffers of: it reads
/// nothing that it has written, but of the same point. What a model brings is
/// taken off.
inline constexpr llvm::StringLiteral kSmallNest = "mlirprof.small_nest";
/// Sets kSmallNest on an op for size on tensors; takes it off others.
void markForSmallNest(mlir::linalg::LinalgOp op);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_MARKS_H
