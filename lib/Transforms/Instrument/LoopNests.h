//===- LoopNests.h - Depth and height of loops ------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_TRANSFORMS_INSTRUMENT_LOOPNESTS_H
#define MLIR_PROF_LIB_TRANSFORMS_INSTRUMENT_LOOPNESTS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace mlirprof::transforms {

/// Whether `op` is a loop: of scf, affine, OpenMP (the outermost wrapper
/// represents its loop nest), or a structured op of linalg, which represents
/// the loops to which it will be lowered.
bool isLoop(mlir::Operation *op);
/// Whether the threads of a team share the iterations of the loop `op`, as for
/// scf.parallel.
bool isParallelLoop(mlir::Operation *op);

struct LoopFacts {
  /// Number of loops around it in its function; 0 for an outermost one.
  unsigned depth = 0;
  /// Number of loop levels nested in its outermost one; 0 for an innermost loop
  /// of one dimension.
  unsigned height = 0;
  /// Whether no other loop is nested in it, regardless of its dimensions.
  bool isInnermost = false;
  /// Whether another loop has the same parent loop.
  bool hasSibling = false;
};

/// The loops of one function.
class LoopNests {
public:
  explicit LoopNests(mlir::Operation *function);

  /// The facts of a loop, or of the function itself. For any other op, the
  /// depth is that of its position and the height is the number of loop levels
  /// nested in it.
  LoopFacts get(mlir::Operation *op) const;
  /// The loop around `op`; null if there is none.
  mlir::Operation *getParentLoop(mlir::Operation *op) const;

private:
  mlir::Operation *function;
  llvm::DenseMap<mlir::Operation *, LoopFacts> facts;
};

} // namespace mlirprof::transforms

#endif // MLIR_PROF_LIB_TRANSFORMS_INSTRUMENT_LOOPNESTS_H
