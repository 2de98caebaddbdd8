//===- OpRun.h - Outlining runs of neighboring ops --------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_PARTITION_OPRUN_H
#define MLIR_PROF_LIB_CODEGEN_PARTITION_OPRUN_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace mlirprof::codegen {

using OpSet = llvm::SetVector<mlir::Operation *>;

/// Ops that may be moved before the ops that they follow if their operands
/// allow it.
bool isMovable(mlir::Operation *op);
/// Ops that may be outlined along with members.
bool isSmall(mlir::Operation *op);

/// Ops of a block that go into one function, in order.
class OpRun {
public:
  bool isEmpty() const { return ops.empty(); }
  /// The total weight of the added ops.
  size_t getWeight() const { return weight; }
  mlir::Operation *getFirst() const { return ops.front(); }

  /// Adds an op, and the waiting ops.
  void add(mlir::Operation *op, size_t weight);
  /// Lets an op wait: it is added along with the next one.
  void wait(mlir::Operation *op, size_t opWeight) {
    waiting.insert(op);
    waitingWeight += opWeight;
  }

  bool dependsOn(mlir::Operation *op) const;
  /// Whether the results of its ops are not used elsewhere.
  bool isClosed() const;

  /// Splits the ops into parts whose results are not used elsewhere: an op with
  /// such a result ends a part and is left out. Each part contains at least one
  /// added op.
  llvm::SmallVector<OpSet> getParts() const;

private:
  OpSet ops, waiting;
  llvm::SmallPtrSet<mlir::Operation *, 32> added;
  size_t weight = 0, waitingWeight = 0;
};

/// Adds the ops that create values for `ops` of one block only, and the ops
/// that free them, in program order.
void addOwned(OpSet &ops);

/// Ops that are cloned where they are used.
bool isCloned(mlir::Operation *op);
/// Lets LLVM drop unused arguments (such as constant strides).
void setInternal(mlir::func::FuncOp function);
/// Outlines a region of one block into a private function NAME_`suffix`_NUMBER,
/// where NAME is that of the surrounding function; captured values become
/// arguments. The region then holds `call`. Null if the region cannot be
/// outlined.
mlir::func::FuncOp outlineRegion(mlir::Region &region, llvm::StringRef suffix,
                                 mlir::func::CallOp &call);

/// Which ops of a block are outlined, and how many per function.
struct Outlining {
  /// Part of the functions' names.
  llvm::StringRef suffix;
  llvm::function_ref<bool(mlir::Operation *)> isMember;
  /// Ops that may come along if they lie between members.
  llvm::function_ref<bool(mlir::Operation *)> isCompany;
  /// The weight of an op, against the largest weight of a function.
  llvm::function_ref<size_t(mlir::Operation *)> weigh;
  size_t most;
  /// Lighter runs are not outlined.
  size_t least;
};

/// Moves runs of members, the ops between them and the ops that only they own
/// into private functions, and calls these instead.
llvm::SmallVector<mlir::func::FuncOp> outlineRuns(mlir::Block &block,
                                                  const Outlining &how);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_PARTITION_OPRUN_H
