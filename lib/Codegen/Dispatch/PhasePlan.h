//===- PhasePlan.h - Phases of a kernel -------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_DISPATCH_PHASEPLAN_H
#define MLIR_PROF_LIB_CODEGEN_DISPATCH_PHASEPLAN_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace mlirprof::codegen {

/// The workgroups of a loop whose iterations are independent.
struct LoopShares {
  /// Workgroups along x, which share the iterations of the innermost of the
  /// divided loops, and along y, one for each iteration of a loop around it.
  uint32_t x = 1, y = 1;
  /// Iterations of a workgroup along x; 0 if the trip count is not known.
  uint64_t perGroup = 0;
  /// Operations of one workgroup; 0 if unknown.
  uint64_t work = 0;
  /// The loop in `loop` whose iterations are shared, if y is not 1.
  bool dividesInner = false;
};

/// Whether the iterations of `loop`, in a kernel, may run at the same time.
bool isIndependent(mlir::scf::ForOp loop);

/// How to divide `loop`, whose iterations are independent; none if it is too
/// small or choices ask for one thread.
std::optional<LoopShares> divideLoop(mlir::scf::ForOp loop, unsigned threads);

/// Lets `loop`, in a kernel, only run the workgroup's share.
void takeShare(mlir::scf::ForOp loop, const LoopShares &shares);

/// A value in the workspace.
struct WorkspacePlace {
  mlir::MemRefType type;
  int64_t offset = 0;
};

/// The phases of a kernel. Phase 2k is what comes before the divided loop k,
/// and may be empty; phase 2k + 1 is that loop.
class PhasePlan {
public:
  PhasePlan(mlir::func::FuncOp kernel, unsigned threads)
      : kernel(kernel), threads(threads) {}

  /// False if the kernel stays as it is.
  bool make();

  /// The ops of each phase, in order.
  std::vector<llvm::SmallVector<mlir::Operation *>> phases;
  /// By divided loop.
  llvm::SmallVector<LoopShares> shares;
  /// Allocations that become a part of the workspace.
  llvm::MapVector<mlir::Value, WorkspacePlace> buffers;
  /// Other values that later phases use.
  llvm::MapVector<mlir::Value, WorkspacePlace> values;
  int64_t workspaceBytes = 0;

  /// Whether each phase that uses the value of `op` computes it for itself.
  static bool isRepeated(mlir::Operation *op);
  /// The values that `op`, with the ops inside of it, takes from outside.
  static llvm::SetVector<mlir::Value> getOperands(mlir::Operation *op);

private:
  /// The phases that use an allocation.
  struct Use {
    unsigned first = UINT32_MAX, last = 0;
    llvm::SmallVector<mlir::memref::DeallocOp> deallocs;
    /// Whether other values may stand for the same memory.
    bool escapes = false;
  };

  void cut();
  Use findUse(mlir::Value buffer);
  bool placeAllocations();
  bool placeAllocation(mlir::Operation *alloc);
  void fillPhases();
  bool findValues();
  bool addValue(mlir::Value value);
  void layOut();

  mlir::func::FuncOp kernel;
  unsigned threads;
  /// The phase of each op of the kernel's block that is not repeated.
  llvm::DenseMap<mlir::Operation *, unsigned> phaseOf;
  /// Ops that go to the begin, or to the end, of a phase, and that vanish.
  llvm::DenseMap<mlir::Operation *, unsigned> atBegin, atEnd;
  llvm::DenseSet<mlir::Operation *> dropped;
  /// The phases in which each of `buffers` is used.
  llvm::SmallVector<std::pair<unsigned, unsigned>> lives;
};

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_DISPATCH_PHASEPLAN_H
