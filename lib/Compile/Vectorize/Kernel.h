//===- Kernel.h - Vectors out of small structured ops ------------*- C++
//-*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What becomes of a structured op on tensors after the rules have tiled:
//
// - A reduction or contraction (any linalg op with reduction dimensions whose
//   body is `out = combine(out, expression of the inputs)`) whose parallel
//   dimensions are static and small: a register kernel. All of its parallel
//   elements are accumulators in registers, and loops run over the reduction
//   dimensions, which may have any size, static or not. So a rule for a matrix
//   product, convolution or pooling tiles the parallel dimensions to what fits
//   into registers and leaves the reduction dimensions whole.
//   The vector dimension is the last one of the output if every input is
//   contiguous along it or does not depend on it (then its elements are
//   broadcast). Otherwise it is the last reduction dimension, if inputs are
//   contiguous along that; lanes are added up at the end, in another order
//   than the program's.
// - An op without reduction dimensions, static and small: vectors of its whole
//   shape (upstream's vectorisation).
// - Anything else: loops over scalars.
//
// The innermost vector dimension is to be a power of two.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_COMPILE_VECTORIZE_KERNEL_H
#define MLIR_PROF_LIB_COMPILE_VECTORIZE_KERNEL_H

#include "mlir-prof/Compile/Compiler.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace mlirprof {

/// Elements of the iteration space of an op that is vectorised whole. More
/// make code too large for the instruction cache, and MLIR's patterns slow.
int64_t getVectorLimit(const TargetModel &target, mlir::Type elementType);

/// Replaces `op`, a reduction, by a register kernel. Fails, without a change,
/// when it is not one of those described above.
mlir::LogicalResult emitReductionKernel(mlir::RewriterBase &rewriter,
                                        mlir::linalg::LinalgOp op,
                                        const TargetModel &target);

} // namespace mlirprof

#endif // MLIR_PROF_LIB_COMPILE_VECTORIZE_KERNEL_H
