//===- Passes.h - Passes of the optimiser for other drivers -----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_OPTIMIZE_PASSES_H
#define MLIR_PROF_OPTIMIZE_PASSES_H

namespace mlirprof {

/// Makes `prof-write-schedule` known to pass pipelines of this process: the
/// transform script for a prepared module, and the names that it looks for.
void registerOptimizePasses();

} // namespace mlirprof

#endif // MLIR_PROF_OPTIMIZE_PASSES_H
