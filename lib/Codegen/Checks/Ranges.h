//===- Ranges.h - Ranges of integers in a model -----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_CHECKS_RANGES_H
#define MLIR_PROF_LIB_CODEGEN_CHECKS_RANGES_H

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace mlirprof::codegen {

/// Finds ranges of integers from the ops that compute them. The overflow flags
/// of those ops must not be more than what holds.
class RangeFinder {
public:
  /// The range of `value`, an integer or index; all numbers of its type if
  /// nothing is known.
  mlir::ConstantIntRanges find(mlir::Value value);
  /// Takes into account what `assertion` compares. Later calls of `find` must
  /// be for values that are computed after it in its block.
  void assume(mlir::cf::AssertOp assertion);
  /// The same for a number of a block that is known to be in [0, size).
  void assumeInside(mlir::Value number, int64_t size);

private:
  mlir::ConstantIntRanges infer(mlir::Value value);
  std::optional<mlir::ConstantIntRanges> inferLoop(mlir::Value value);
  void assume(mlir::Value condition, mlir::Block *block);
  void narrow(mlir::Value value, const mlir::ConstantIntRanges &range);

  llvm::DenseMap<mlir::Value, mlir::ConstantIntRanges> known;
  unsigned depth = 0;
};

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_CHECKS_RANGES_H
