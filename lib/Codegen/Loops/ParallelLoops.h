//===- ParallelLoops.h - Loops with independent iterations ------*- C++ -*-===//
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

/// Whether the iterations of `loop` are provably independent: it carries one
/// tensor, does not read it, and each iteration writes parts that no other
/// iteration writes. False if the analysis does not understand the loop.
bool hasIndependentIterations(mlir::scf::ForOp loop);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_LOOPS_PARALLELLOOPS_H
