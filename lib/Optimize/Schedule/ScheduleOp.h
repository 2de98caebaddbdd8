//===- ScheduleOp.h - How a script makes loops of one op --------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_OPTIMIZE_SCHEDULE_SCHEDULEOP_H
#define MLIR_PROF_LIB_OPTIMIZE_SCHEDULE_SCHEDULEOP_H

#include "mlir-prof/Codegen/RulePlan.h"

#include <optional>
#include <string>

namespace mlirprof::optimize {

/// One step of tiling: a loop for each dimension whose tile is not 0.
struct Tiling {
  /// For each dimension of the op.
  llvm::SmallVector<int64_t> tiles;
  /// All dimensions, outermost loop first.
  llvm::SmallVector<int64_t> order;
  /// Dimensions whose tiles do not divide the loop.
  llvm::SmallVector<unsigned> peeled;

  bool hasLoops() const {
    return llvm::any_of(tiles, [](int64_t tile) { return tile != 0; });
  }
  /// The dimensions that have loops, outermost first.
  llvm::SmallVector<unsigned> getLoops() const;
};

/// The loops of one op, the root, and of what is computed in them. The steps:
///
///   1. parallel loops of the root; the producer of its operand `fused`, a sum
///      of products, moves into them, with its fill;
///   2. reduction loops of which all but one iteration is taken away, so that
///      each map picks plain dimensions; these dimensions are dropped;
///   3. what is left of the reduction loops.
///
/// Steps 2 and 3 are about the sum, which is the fused producer, or the root
/// where none is fused.
struct OpSchedule {
  Tiling parallel;
  std::optional<unsigned> fused;
  /// The operand of the sum whose producer, a fill, moves along.
  std::optional<unsigned> fusedFill;
  /// A dynamic loop of the root: the rows that fill no tile are single ones.
  std::optional<unsigned> rowDim;

  Tiling units;
  bool dropsUnits = false;
  bool isNamed = false;

  bool isReduction = false;
  /// In the dimensions that step 2 leaves.
  Tiling reduction;
};

/// How the script is to handle `op`. None where it is left as it is, which
/// `reason` explains; without a reason, it is a part of its consumer's loops.
std::optional<OpSchedule> planSchedule(mlir::linalg::LinalgOp op,
                                       const codegen::TargetModel &target,
                                       std::string &reason);

/// The sum that is computed in the loops of `op`, null if there is none.
mlir::linalg::LinalgOp getFusedSum(mlir::linalg::LinalgOp op,
                                   const OpSchedule &schedule);

/// Shows products whose constants lie in panels, (n floordiv p, ..., n mod p),
/// with a loop over the panels. Returns how many it could not show so.
unsigned expandPanels(mlir::ModuleOp module);

} // namespace mlirprof::optimize

#endif // MLIR_PROF_LIB_OPTIMIZE_SCHEDULE_SCHEDULEOP_H
