//===- MatrixProduct.h - Sizes of a matrix product --------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_PROFILE_MATRIXPRODUCT_H
#define MLIR_PROF_PROFILE_MATRIXPRODUCT_H

#include <cstdint>
#include <optional>

namespace mlirprof::profile {

/// An op of a module that multiplies a matrix of `rows` x `depth` with one of
/// `depth` x `columns`. Sizes unknown in the module are none.
struct MatrixProduct {
  /// Index in Ownership::ops.
  uint32_t op = 0;
  std::optional<int64_t> rows;
  std::optional<int64_t> columns;
  std::optional<int64_t> depth;
};

} // namespace mlirprof::profile

#endif // MLIR_PROF_PROFILE_MATRIXPRODUCT_H
