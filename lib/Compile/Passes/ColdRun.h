//===- ColdRun.h - Neighbouring ops that are to be small --------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_COMPILE_PASSES_COLDRUN_H
#define MLIR_PROF_LIB_COMPILE_PASSES_COLDRUN_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SetVector.h"

namespace mlirprof {

using OpSet = llvm::SetVector<mlir::Operation *>;

/// Whether `op` is to be compiled for size.
bool isForSize(mlir::Operation *op);
/// Ops that are as good before the ones they follow, when their operands are.
bool isMovable(mlir::Operation *op);
/// Ops that may come along with those for size.
bool isSmall(mlir::Operation *op);

/// Ops of a block that go into one function, in their order.
class ColdRun {
public:
  bool isEmpty() const { return ops.empty(); }
  /// Ops for size.
  size_t getSize() const { return forSize; }
  mlir::Operation *getFirst() const { return ops.front(); }

  /// Adds an op for size, and what waits.
  void add(mlir::Operation *op);
  /// Comes along when another op is added.
  void wait(mlir::Operation *op) { waiting.insert(op); }

  bool dependsOn(mlir::Operation *op) const;

  /// The ops in parts none of whose results is used elsewhere: an op with such
  /// a result ends a part, and is in none.
  llvm::SmallVector<OpSet> getParts() const;

private:
  OpSet ops, waiting;
  size_t forSize = 0;
};

/// Adds what makes the values that only `ops` of one block need, and what frees
/// them, each at its place.
void addOwned(OpSet &ops);

} // namespace mlirprof

#endif // MLIR_PROF_LIB_COMPILE_PASSES_COLDRUN_H
