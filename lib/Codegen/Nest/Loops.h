//===- Loops.h - Loops of a nest --------------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_NEST_LOOPS_H
#define MLIR_PROF_LIB_CODEGEN_NEST_LOOPS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace mlirprof::codegen {

/// A segment of a loop: from `begin` to `end` by `step`.
struct Segment {
  mlir::OpFoldResult begin;
  mlir::OpFoldResult end;
  int64_t step = 1;
  /// Vectors, or rows, per step.
  int64_t count = 1;
  /// Whether the step is one masked vector: only `end - begin` of its lanes are
  /// valid.
  bool isMasked = false;
  /// Whether there is exactly one step, though the bounds are not constant.
  bool isOnce = false;
  /// The steps that are expected if the bounds are not constant; 0 if that is
  /// not known.
  int64_t trips = 0;
};

/// Splits [0, size) into a segment of `count` vectors of `lanes` per step, the
/// remaining whole vectors, and a masked rest. `rest` is the remainder of a
/// size that is not constant by `lanes * count`, if it is known.
mlir::SmallVector<Segment>
cutVectors(mlir::OpBuilder &builder, mlir::Location location,
           mlir::OpFoldResult size, int64_t lanes, int64_t count,
           std::optional<int64_t> rest = std::nullopt);

/// Splits [0, size) into blocks of `count` rows and a rest, which may be known.
mlir::SmallVector<Segment> cutRows(mlir::OpBuilder &builder,
                                   mlir::Location location,
                                   mlir::OpFoldResult size, int64_t count,
                                   std::optional<int64_t> rest = std::nullopt);

using LoopBody = llvm::function_ref<mlir::SmallVector<mlir::Value>(
    mlir::OpFoldResult iteration, mlir::ValueRange carried)>;

/// Whether the iterations of a loop may run in any order and on several threads
/// (kParallelLoop).
enum class LoopKind { Sequential, Parallel };

/// A loop over `segment` that carries `initial`. If it is known to iterate at
/// most once, no loop is created.
mlir::SmallVector<mlir::Value>
buildLoop(mlir::OpBuilder &builder, mlir::Location location,
          const Segment &segment, mlir::ValueRange initial, LoopBody body,
          LoopKind kind = LoopKind::Sequential);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_NEST_LOOPS_H
