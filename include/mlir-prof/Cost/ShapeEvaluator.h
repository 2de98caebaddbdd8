//===- ShapeEvaluator.h - Shapes of a run -----------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_COST_SHAPEEVALUATOR_H
#define MLIR_PROF_COST_SHAPEEVALUATOR_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace mlirprof::cost {

using Extents = llvm::SmallVector<int64_t, 6>;

/// Determines the shapes and sizes in one execution of a function from those of
/// its arguments. Does not change the IR.
class ShapeEvaluator {
public:
  /// Sets the known facts of an argument: the shape of a tensor or memref, the
  /// value of an index or integer.
  void setShape(mlir::Value argument, llvm::ArrayRef<int64_t> shape);
  void setInteger(mlir::Value argument, int64_t value);

  /// Shape of a tensor, memref or vector; none if a dimension is unknown, and
  /// for other types.
  std::optional<Extents> getShape(mlir::Value value);
  std::optional<int64_t> getDimension(mlir::Value value, unsigned dimension);
  /// Value of an index or integer.
  std::optional<int64_t> getInteger(mlir::Value value);
  std::optional<int64_t> getInteger(mlir::OpFoldResult value);

private:
  using Key = std::pair<mlir::Value, int64_t>;
  std::optional<int64_t> computeDimension(mlir::OpResult value,
                                          unsigned dimension);
  std::optional<int64_t> computeInteger(mlir::OpResult value);
  enum class Extreme : uint8_t { Least, Greatest };
  std::optional<int64_t>
  evaluateMap(mlir::AffineMap map, mlir::ValueRange operands, Extreme extreme);
  template <typename Compute>
  std::optional<int64_t> remember(Key key, Compute compute);

  /// Dimension -1 stands for the value of an integer.
  llvm::DenseMap<Key, std::optional<int64_t>> known;
  unsigned depth = 0;
};

} // namespace mlirprof::cost

#endif // MLIR_PROF_COST_SHAPEEVALUATOR_H
