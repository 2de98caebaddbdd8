//===- Loops.h - The loops of a nest ----------------------------*- C++ -*-===//
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

namespace mlirprof::codegen {

/// A part of a loop: from `begin` to `end` by `step`.
struct Segment {
  mlir::OpFoldResult begin;
  mlir::OpFoldResult end;
  int64_t step = 1;
  /// Vectors, or rows, that a step handles.
  int64_t count = 1;
  /// Whether the step is a masked vector: only `end - begin` lanes of it count.
  bool isMasked = false;
};

/// Cuts [0, size) into a part of `count` vectors of `lanes` a step, the whole
/// vectors that are left, and a masked rest.
mlir::SmallVector<Segment> cutVectors(mlir::OpBuilder &builder,
                                      mlir::Location location,
                                      mlir::OpFoldResult size, int64_t lanes,
                                      int64_t count);

/// Cuts [0, size) into blocks of `count` rows and a rest.
mlir::SmallVector<Segment> cutRows(mlir::OpBuilder &builder,
                                   mlir::Location location,
                                   mlir::OpFoldResult size, int64_t count);

using LoopBody = llvm::function_ref<mlir::SmallVector<mlir::Value>(
    mlir::OpFoldResult iteration, mlir::ValueRange carried)>;

/// A loop over `segment` that carries `initial`; no loop where it is known to
/// iterate once or never.
mlir::SmallVector<mlir::Value>
buildLoop(mlir::OpBuilder &builder, mlir::Location location,
          const Segment &segment, mlir::ValueRange initial, LoopBody body);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_NEST_LOOPS_H
