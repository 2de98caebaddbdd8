//===- Operands.h - Loads and stores of a nest ------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_NEST_OPERANDS_H
#define MLIR_PROF_LIB_CODEGEN_NEST_OPERANDS_H

#include "Plan.h"
#include "llvm/ADT/DenseMap.h"

namespace mlirprof::codegen {

/// A tensor, buffer or scalar that a nest reads, and its access in the
/// dimensions of the nest. Loads are from buffers.
struct NestOperand {
  mlir::Value value;
  mlir::AffineMap map;
  Access alongVector;
  Access alongRow;
};

/// The position of a nest: the points of the iteration space that the code
/// being generated handles.
struct NestPosition {
  /// The index of each dimension; for the vector and the row dimension, the
  /// first one of the step.
  mlir::SmallVector<mlir::OpFoldResult> indices;
  int64_t rows = 1;
  int64_t vectors = 1;
  /// Valid lanes; null if all are valid.
  mlir::Value mask;
  /// The number of valid lanes, if there is a mask.
  mlir::OpFoldResult validLanes;
};

/// Loads the operands of the points at one position, each element once.
class OperandLoader {
public:
  OperandLoader(mlir::OpBuilder &builder, mlir::Location location,
                const NestPlan &plan, const NestPosition &position)
      : builder(builder), location(location), plan(plan), position(position) {}

  /// The value of `operand` for a row and vector of the position: a vector, or
  /// a scalar if it is the same in all lanes.
  mlir::Value load(const NestOperand &operand, int64_t row, int64_t vector);

  /// `count` elements of `operand` from its position for a row and vector on,
  /// contiguous in its last dimension; elements after the first `valid` ones
  /// are zeros.
  mlir::Value loadRun(const NestOperand &operand, int64_t row, int64_t vector,
                      int64_t count, int64_t valid);

  /// The elements of `buffer` at `indices`: a single one, or, if the last index
  /// is a vector, those of the lanes, which are neighbors.
  mlir::Value loadAt(mlir::Value buffer, mlir::ValueRange indices, int64_t row,
                     int64_t vector);

  /// The index of the iteration dimension `dim`: a vector for the vector
  /// dimension.
  mlir::Value getIndex(unsigned dim, int64_t row, int64_t vector);

  /// The indices that `map` yields, with `lane` added to the vector dimension.
  mlir::SmallVector<mlir::Value> getIndices(mlir::AffineMap map, int64_t row,
                                            int64_t lane);

private:
  mlir::Value loadScalar(const NestOperand &operand, int64_t row);
  mlir::Value loadContiguous(const NestOperand &operand, int64_t row,
                             int64_t vector);
  mlir::Value loadEveryNth(const NestOperand &operand, int64_t row,
                           int64_t vector);
  mlir::Value loadGroups(const NestOperand &operand, int64_t row,
                         int64_t vector);
  mlir::Value loadLanes(const NestOperand &operand, int64_t row,
                        int64_t vector);
  void loadTransposed(const NestOperand &operand, int64_t vector);

  mlir::OpBuilder &builder;
  mlir::Location location;
  const NestPlan &plan;
  const NestPosition &position;
  /// Keyed by operand, row and vector; row or vector is 0 if the operand does
  /// not depend on it.
  llvm::DenseMap<std::pair<const NestOperand *, std::pair<int64_t, int64_t>>,
                 mlir::Value>
      loaded;
};

/// Transposes a square block of `rows`: vectors of equal length, a power of
/// two.
mlir::SmallVector<mlir::Value>
transposeBlock(mlir::OpBuilder &builder, mlir::Location location,
               mlir::SmallVector<mlir::Value> rows);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_NEST_OPERANDS_H
