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

/// Finds the shapes and sizes in one execution of a function from those of its
/// arguments. Changes nothing in the IR.
class ShapeEvaluator {
public:
  /// Says what is known of an argument: of a tensor or memref its shape, of an
  /// index or integer its value.
  void setShape(mlir::Value argument, llvm::ArrayRef<int64_t> shape);
  void setInteger(mlir::Value argument, int64_t value);

  /// Shape of a tensor, memref or vector; nothing where a dimension is unknown
  /// and for other types.
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

  /// The dimension -1 is the value of an integer.
  llvm::DenseMap<Key, std::optional<int64_t>> known;
  unsigned depth = 0;
};

} // namespace mlirprof::cost

#endif // MLIR_PROF_COST_SHAPEEVALUATOR_H
