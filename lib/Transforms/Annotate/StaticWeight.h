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

/// The amount of work of ops, in abstract units, from the code alone. Meant for
/// the parts to which one op was lowered, at any level down to the LLVM
/// dialect.
class StaticWeight {
public:
  /// Work of `op` including its content, multiplied by the trip counts of loops
  /// in it and of block loops around it: the known trip count, else 8. 0 for
  /// free ops (constants, views, casts between dialects). Saturates at 2^40, so
  /// that sums of weights do not overflow. Results are cached: the code must
  /// not change between calls.
  uint64_t get(mlir::Operation *op);

private:
  /// Weight of `op` from the weights of the ops in it.
  uint64_t addParts(mlir::Operation *op) const;
  /// Number of block loops around `op`, within its region.
  unsigned getLoopDepth(mlir::Operation *op);

  /// Without the block loops around the op.
  llvm::DenseMap<mlir::Operation *, uint64_t> weights;
  llvm::DenseMap<mlir::Block *, unsigned> loopDepths;
  llvm::SmallPtrSet<mlir::Region *, 8> known;
};

} // namespace mlirprof::transforms

#endif // MLIR_PROF_LIB_TRANSFORMS_ANNOTATE_STATICWEIGHT_H
