//===- StaticWeight.h - Static cost of ops at any level ---------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_TRANSFORMS_ANNOTATE_STATICWEIGHT_H
#define MLIR_PROF_LIB_TRANSFORMS_ANNOTATE_STATICWEIGHT_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace mlirprof::transforms {

/// How much work ops do, in abstract units, from the code alone. Meant for the
/// parts that one op was lowered to, at any level down to the LLVM dialect.
class StaticWeight {
public:
  /// Work of `op` with everything in it, counted as often as the loops in it
  /// and the loops of blocks around it run: a known trip count, else 8. 0 for
  /// ops that cost nothing (constants, views, casts between dialects).
  /// Saturates at 2^40, so that sums of weights do not overflow. Remembers what
  /// it found: the code must not change between calls.
  uint64_t get(mlir::Operation *op);

private:
  /// Weight of `op` from those of the ops in it.
  uint64_t addParts(mlir::Operation *op) const;
  /// How many loops of blocks `op` is in, within its region.
  unsigned getLoopDepth(mlir::Operation *op);

  /// Without the loops of blocks around the op.
  llvm::DenseMap<mlir::Operation *, uint64_t> weights;
  llvm::DenseMap<mlir::Block *, unsigned> loopDepths;
  llvm::SmallPtrSet<mlir::Region *, 8> known;
};

} // namespace mlirprof::transforms

#endif // MLIR_PROF_LIB_TRANSFORMS_ANNOTATE_STATICWEIGHT_H
