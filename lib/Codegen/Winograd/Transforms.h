//===- Transforms.h - The ops of Winograd's transforms ----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_WINOGRAD_TRANSFORMS_H
#define MLIR_PROF_LIB_CODEGEN_WINOGRAD_TRANSFORMS_H

#include "mlir-prof/Dialect/Cpu/Cpu.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace mlirprof::codegen {

/// Whether `op` is one of Winograd's transforms.
bool isTransform(mlir::Operation *op);

/// The elementwise op that the loops of `op` compute on its result before they
/// store it, such as a bias, an activation or a residual; null if there is
/// none.
mlir::linalg::LinalgOp getEpilogue(cpu::WinogradOutputOp op);

/// Replaces `op`, a transform, and its epilogue by loops on buffers, in an op
/// that bufferization replaces by them.
void expandOnBuffers(mlir::RewriterBase &rewriter, mlir::Operation *op,
                     unsigned vectorBits);

/// Replaces `op`, a transform, by loops that carry its result.
void expandOnTensors(mlir::RewriterBase &rewriter, mlir::Operation *op,
                     unsigned vectorBits);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_WINOGRAD_TRANSFORMS_H
