//===- OpRun.h - Neighboring ops for a function of their own ----*- C++ -*-===//
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

/// Ops that are as good before the ones they follow, when their operands are.
bool isMovable(mlir::Operation *op);
/// Ops that may come along with those that are outlined.
bool isSmall(mlir::Operation *op);

/// Ops of a block that go into one function, in their order.
class OpRun {
public:
  bool isEmpty() const { return ops.empty(); }
  /// What was added weighs.
  size_t getWeight() const { return weight; }
  mlir::Operation *getFirst() const { return ops.front(); }

  /// Adds an op, and what waits.
  void add(mlir::Operation *op, size_t weight);
  /// Comes along when another op is added.
  void wait(mlir::Operation *op, size_t opWeight) {
    waiting.insert(op);
    waitingWeight += opWeight;
  }

  bool dependsOn(mlir::Operation *op) const;
  /// Whether no result of its ops is used elsewhere.
  bool isClosed() const;

  /// The ops in parts none of whose results is used elsewhere: an op with such
  /// a result ends a part, and is in none. No part without an op that was
  /// added.
  llvm::SmallVector<OpSet> getParts() const;

private:
  OpSet ops, waiting;
  llvm::SmallPtrSet<mlir::Operation *, 32> added;
  size_t weight = 0, waitingWeight = 0;
};

/// Adds what makes the values that only `ops` of one block need, and what frees
/// them, each at its place.
void addOwned(OpSet &ops);

/// Ops that are made anew where they are used.
bool isCloned(mlir::Operation *op);
/// Lets LLVM drop arguments that nobody uses (strides that are known).
void setInternal(mlir::func::FuncOp function);
/// Makes a private function, NAME_`suffix`_NUMBER where NAME is that of the
/// function around it, of a region of one block, and of what it captures
/// arguments; the region then holds `call` of it. Null when it cannot be.
mlir::func::FuncOp outlineRegion(mlir::Region &region, llvm::StringRef suffix,
                                 mlir::func::CallOp &call);

/// Which ops of a block go into functions, and how many into one.
struct Outlining {
  /// In the names of the functions.
  llvm::StringRef suffix;
  llvm::function_ref<bool(mlir::Operation *)> isMember;
  /// Those that may come along when they stand between members.
  llvm::function_ref<bool(mlir::Operation *)> isCompany;
  /// How much an op adds to what one function has at most.
  llvm::function_ref<size_t(mlir::Operation *)> weigh;
  size_t most;
  /// Runs of less stay where they are.
  size_t least;
};

/// Moves runs of members, what stands between them and what only they own into
/// private functions, which are called instead.
llvm::SmallVector<mlir::func::FuncOp> outlineRuns(mlir::Block &block,
                                                  const Outlining &how);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_PARTITION_OPRUN_H
