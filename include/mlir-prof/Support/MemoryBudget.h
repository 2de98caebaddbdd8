//===- MemoryBudget.h - Bounds what one input may take ----------*- C++ -*-===//
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

/// How much memory may be taken on behalf of one input: compressed data and
/// empty messages become many times larger than they are in a file. What honest
/// files need stays far below `factor` times their size.
class MemoryBudget {
public:
  static constexpr uint64_t kFactor = 64;
  /// A column of numbers is honestly up to this many times its bytes.
  static constexpr uint64_t kInflatedFactor = 6;

  explicit MemoryBudget(uint64_t minimum, uint64_t inputBytes = 0,
                        uint64_t factor = kFactor)
      : limit(minimum), factor(factor) {
    grow(inputBytes);
  }

  /// Counts `inputBytes` more of input.
  void grow(uint64_t inputBytes) {
    input = llvm::SaturatingAdd(input, inputBytes);
    limit = std::max(limit, llvm::SaturatingMultiply(input, factor));
  }

  /// Counts `inflatedBytes` more of what came out of compressed input. Not by
  /// the same factor: both would multiply.
  void growInflated(uint64_t inflatedBytes) {
    inflated = llvm::SaturatingAdd(inflated, inflatedBytes);
    limit =
        std::max(limit, llvm::SaturatingMultiply(inflated, kInflatedFactor));
  }

  /// Takes `bytes`; false, and nothing taken, when they are too many.
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
