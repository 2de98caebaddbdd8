//===- Weights.h - Constant tensors seen through transposes -----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_COMPILE_PASSES_WEIGHTS_H
#define MLIR_PROF_LIB_COMPILE_PASSES_WEIGHTS_H

#include "mlir/IR/AsmState.h"
#include "mlir/IR/Value.h"

#include <optional>

namespace mlirprof {

/// A constant tensor, seen through transposes.
struct Weights {
  llvm::ArrayRef<char> bytes;
  /// In elements, for each dimension of the tensor as it is seen.
  llvm::SmallVector<int64_t> strides;
  /// The op that makes the constant.
  mlir::Operation *constant = nullptr;
};

/// Follows ops that only change the order of dimensions from `value`, a tensor,
/// up to a constant. None when there is none whose bytes are at hand (a splat
/// has none), or when its elements are no whole bytes.
std::optional<Weights> findWeights(mlir::Value value);

} // namespace mlirprof

#endif // MLIR_PROF_LIB_COMPILE_PASSES_WEIGHTS_H
