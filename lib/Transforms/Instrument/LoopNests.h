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

/// Whether `op` is a loop: of scf, affine, OpenMP (the outermost wrapper stands
/// for its loop nest), or a structured op of linalg, which stands for the loops
/// that it will become.
bool isLoop(mlir::Operation *op);
/// Whether the threads of a team share the iterations of the loop `op`, as
/// scf.parallel's.
bool isParallelLoop(mlir::Operation *op);

struct LoopFacts {
  /// Loops around it in its function; 0 for an outermost one.
  unsigned depth = 0;
  /// Levels of loops nested in its outermost one; 0 for an innermost loop of
  /// one dimension.
  unsigned height = 0;
  /// Whether no other loop is nested in it, whatever its dimensions.
  bool isInnermost = false;
  /// Whether there is another loop with the same loop around it.
  bool hasSibling = false;
};

/// The loops of one function.
class LoopNests {
public:
  explicit LoopNests(mlir::Operation *function);

  /// Of a loop, and of the function itself. For any other op its depth is that
  /// of its place and its height the levels of loops nested in it.
  LoopFacts get(mlir::Operation *op) const;
  /// The loop around `op`, null when there is none.
  mlir::Operation *getParentLoop(mlir::Operation *op) const;

private:
  mlir::Operation *function;
  llvm::DenseMap<mlir::Operation *, LoopFacts> facts;
};

} // namespace mlirprof::transforms

#endif // MLIR_PROF_LIB_TRANSFORMS_INSTRUMENT_LOOPNESTS_H
