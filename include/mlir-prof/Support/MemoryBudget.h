//===- MemoryBudget.h - Memory limits per input -----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SUPPORT_MEMORYBUDGET_H
#define MLIR_PROF_SUPPORT_MEMORYBUDGET_H

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cstdint>

namespace mlirprof {

/// Limits the memory used on behalf of one input: compressed data and empty
/// messages become many times larger than in the file. Valid files stay far
/// below `factor` times their size.
class MemoryBudget {
public:
  static constexpr uint64_t kFactor = 64;
  /// A valid column of numbers takes up to this many times its bytes.
  static constexpr uint64_t kInflatedFactor = 6;

  explicit MemoryBudget(uint64_t minimum, uint64_t inputBytes = 0,
                        uint64_t factor = kFactor)
      : limit(minimum), factor(factor) {
    grow(inputBytes);
  }

  /// Adds `inputBytes` of input.
  void grow(uint64_t inputBytes) {
    input = llvm::SaturatingAdd(input, inputBytes);
    limit = std::max(limit, llvm::SaturatingMultiply(input, factor));
  }

  /// Adds `inflatedBytes` of inflated input. Not by the same factor, since both
  /// would multiply.
  void growInflated(uint64_t inflatedBytes) {
    inflated = llvm::SaturatingAdd(inflated, inflatedBytes);
    limit =
        std::max(limit, llvm::SaturatingMultiply(inflated, kInflatedFactor));
  }

  /// Charges `bytes`; false, without charging anything, if they exceed the
  /// budget.
  bool charge(uint64_t bytes) {
    if (bytes > getLeft())
      return false;
    used += bytes;
    return true;
  }

  uint64_t getLimit() const { return limit; }
  uint64_t getLeft() const { return limit - used; }

private:
  uint64_t limit;
  uint64_t factor;
  uint64_t input = 0;
  uint64_t inflated = 0;
  uint64_t used = 0;
};

} // namespace mlirprof

#endif // MLIR_PROF_SUPPORT_MEMORYBUDGET_H
