//===- LeastWork.h - The least work of a model ------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A bound holds for any code that the compiler makes of a model. The compiler
// fuses elementwise ops, so that their operands do not move through memory; it
// folds, hoists and drops ops; caches keep data from one run to the next. The
// multiplications of products remain, and the weights that no cache holds.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_OPTIMIZE_SITES_LEASTWORK_H
#define MLIR_PROF_LIB_OPTIMIZE_SITES_LEASTWORK_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"

#include <optional>

namespace mlirprof::optimize {

/// The part of the operations of `op`, as it is defined, that its result
/// requires: 0 for all but products of floats of at least 32 bits (narrower
/// ones have instructions that the peak was not measured with), and less than 1
/// for convolutions of padded images.
double getNeededPart(mlir::Operation *op);

/// Bytes of the constants and arguments that `op`, a product, reads as a whole.
/// Those in `seen` do not count again.
uint64_t getWeightBytes(mlir::Operation *op, llvm::DenseSet<mlir::Value> &seen);

/// Bytes that all caches of the last level together hold; none if the operating
/// system does not tell.
std::optional<uint64_t> getLastCacheBytes();

} // namespace mlirprof::optimize

#endif // MLIR_PROF_LIB_OPTIMIZE_SITES_LEASTWORK_H
