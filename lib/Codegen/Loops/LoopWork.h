//===- LoopWork.h - Estimates of a loop's work ------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_LOOPS_LOOPWORK_H
#define MLIR_PROF_LIB_CODEGEN_LOOPS_LOOPWORK_H

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <optional>

namespace mlirprof::codegen {

/// The number of iterations of `loop`, if it is known.
std::optional<uint64_t> getTrips(mlir::scf::ForOp loop);

/// The same, or the number that is expected (kExpectedTrips).
std::optional<uint64_t> getExpectedTrips(mlir::scf::ForOp loop);

/// The number of operations in one execution of `op`; loops of which nothing is
/// expected are assumed to have a few iterations.
uint64_t estimateWork(mlir::Operation *op);

/// Whether the trip counts of all loops in `op` are known or expected.
bool hasKnownWork(mlir::Operation *op);

/// The thread count chosen for the op from which `loop` was created, at most
/// `all`.
std::optional<unsigned> getChosenThreads(mlir::scf::ForOp loop, unsigned all);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_LOOPS_LOOPWORK_H
