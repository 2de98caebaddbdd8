//===- IntegerRanges.h - Ranges of elements of tensors ----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_QUANTIZED_INTEGERRANGES_H
#define MLIR_PROF_LIB_CODEGEN_QUANTIZED_INTEGERRANGES_H

#include "mlir/IR/Value.h"

#include <optional>
#include <vector>

namespace mlirprof::codegen {

/// The least and the greatest number that a signed integer may be.
struct IntegerRange {
  int64_t low = 0;
  int64_t high = 0;

  /// The greatest distance of such a number from `point`.
  int64_t getDistance(int64_t point) const {
    return std::max(high - point, point - low);
  }
};

/// The elements of a constant tensor of signed integers of 8 to 64 bits, or of
/// a reshape of one, in row-major order, or the only one if all are the same;
/// none if `value` is anything else.
std::optional<std::vector<int64_t>> getIntegers(mlir::Value value);

/// The only element of a constant tensor, or that of which all are a copy.
std::optional<int64_t> getOnlyInteger(mlir::Value value);

/// The range of the elements of `value`, a tensor of signed integers of at most
/// 32 bits that ops of tosa compute. It is that of the element type where
/// nothing else is known.
IntegerRange getIntegerRange(mlir::Value value);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_QUANTIZED_INTEGERRANGES_H
