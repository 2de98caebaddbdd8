//===- ParallelLoops.h - Loops whose iterations are apart -------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_LOOPS_PARALLELLOOPS_H
#define MLIR_PROF_LIB_CODEGEN_LOOPS_PARALLELLOOPS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlirprof::codegen {

/// Whether the iterations of `loop` provably do not depend on each other: it
/// carries one tensor, reads nothing of it, and each iteration writes parts of
/// it that no other one writes. No is also said of what is not understood.
bool hasIndependentIterations(mlir::scf::ForOp loop);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_LOOPS_PARALLELLOOPS_H
