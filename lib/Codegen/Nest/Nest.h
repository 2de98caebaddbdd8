//===- Nest.h - Vector loops of a structured op -----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops on buffers around one-dimensional vectors; for an op on tensors, in an
// op that bufferization replaces by them (Buffers.h):
//
//   for parallel loops, in the order of the plan
//     accumulators: rows x vectors, in registers
//     for reduction loops: operands loaded once each, the body per accumulator
//     epilogues on the accumulators
//     store
//
// The vector loop is split into a segment of several vectors per step, the
// remaining whole vectors, and a masked rest; the row loop likewise into blocks
// and a rest. All sizes may be dynamic.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_NEST_NEST_H
#define MLIR_PROF_LIB_CODEGEN_NEST_NEST_H

#include "Loops.h"
#include "Plan.h"
#include "mlir/IR/PatternMatch.h"

namespace mlirprof::codegen {

/// The ops that can be computed on the accumulators of `op` before they are
/// stored: a chain of ops without reductions, each the only user of the
/// previous result, which it reads once and with the same loops. The chain ends
/// where elements would need more than twice the registers of those of `op`,
/// whose facts these are, or where `plan` would generate too much code.
mlir::SmallVector<mlir::linalg::LinalgOp>
getEpilogues(mlir::linalg::LinalgOp op, const NestFacts &facts,
             const NestPlan &plan);

/// The op that filled or broadcast a value to `tensor`, from which a nest
/// starts without the tensor; null if there is none.
mlir::linalg::LinalgOp findStart(mlir::Value tensor);

/// Replaces `op` and `epilogues` (as getEpilogues returns them, or fewer) by
/// loops. `op` has facts (getNestFacts), and `plan` is valid for it: the
/// results are contiguous along the vector loop, or that loop is a reduction
/// and isReorderable, and no access along it is irregular. On buffers,
/// `epilogues` is empty, and `kind` is that of the loops around points; on
/// tensors they are parallel.
void emitNest(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op,
              mlir::ArrayRef<mlir::linalg::LinalgOp> epilogues,
              const NestPlan &plan, LoopKind kind = LoopKind::Sequential);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_NEST_NEST_H
