//===- Elements.h - Single elements of constants ----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_GRAPH_ELEMENTS_H
#define MLIR_PROF_LIB_CODEGEN_GRAPH_ELEMENTS_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/ArrayRef.h"

#include <optional>
#include <vector>

namespace mlirprof::codegen {

/// A number that depends on an unknown x: factor * x + offset.
struct Linear {
  double factor = 0;
  double offset = 0;
};

/// The number that `body`, of a structured op, yields for these arguments; none
/// if it is not linear, or the body has other ops than arithmetic on floats.
std::optional<Linear> evaluateBody(mlir::Block &body,
                                   llvm::ArrayRef<Linear> arguments);

/// The element of `value`, a tensor or a number of f32 or f64, at `index`; none
/// if it is not known when the model is built. Looks through reshapes,
/// broadcasts and elementwise arithmetic, which it computes in double
/// precision.
std::optional<double> readElement(mlir::Value value,
                                  llvm::ArrayRef<int64_t> index);

/// A number for each of several points.
using Column = std::vector<Linear>;

/// evaluateBody() for all of `points`: several times as fast as one by one.
std::optional<Column> evaluateBody(mlir::Block &body,
                                   llvm::ArrayRef<Column> arguments,
                                   size_t points);

/// All elements of `tensor`, the last dimension fastest, as readElement() knows
/// them. None also if an op reads them by other maps than projected
/// permutations.
std::optional<Column> readElements(mlir::Value tensor);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_GRAPH_ELEMENTS_H
