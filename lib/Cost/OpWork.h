//===- OpWork.h - Work of one op in one execution ---------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_COST_OPWORK_H
#define MLIR_PROF_LIB_COST_OPWORK_H

#include "mlir-prof/Cost/ShapeEvaluator.h"
#include "mlir/IR/Operation.h"

namespace mlirprof::cost {

struct OpWork {
  uint64_t flops = 0;
  uint64_t bytes = 0;
};

/// Follows the rules stated at computeWork(); none if the work is unknown, and
/// for ops that do not do work.
std::optional<OpWork> getOpWork(mlir::Operation *op, ShapeEvaluator &shapes);
/// For ops of tosa.
std::optional<OpWork> getTosaWork(mlir::Operation *op, ShapeEvaluator &shapes);

/// Bytes of a tensor or memref; 0 for other values.
std::optional<uint64_t> getBytes(mlir::Value value, ShapeEvaluator &shapes);
/// Bytes of all operands and results.
std::optional<uint64_t> getAllBytes(mlir::Operation *op,
                                    ShapeEvaluator &shapes);
/// Elements of a tensor or memref.
std::optional<uint64_t> getElements(mlir::Value value, ShapeEvaluator &shapes);
/// Whether its elements are floating point numbers.
bool isFloat(mlir::Value value);

} // namespace mlirprof::cost

#endif // MLIR_PROF_LIB_COST_OPWORK_H
