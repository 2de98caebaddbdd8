//===- Ranks.h - Ranks of quantiles -----------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_SCOPE_RANKS_H
#define MLIR_PROF_LIB_SCOPE_RANKS_H

#include <algorithm>
#include <cstdint>

namespace mlirprof::scope {

/// The number, from 1 on, of the smallest of `count` sorted values that at
/// least `perMille` of 1000 are not above.
inline uint64_t getNearestRank(uint64_t count, uint64_t perMille) {
  // In two parts, so that it does not overflow.
  uint64_t rank =
      count / 1000 * perMille + (count % 1000 * perMille + 999) / 1000;
  return std::max<uint64_t>(rank, 1);
}

} // namespace mlirprof::scope

#endif // MLIR_PROF_LIB_SCOPE_RANKS_H
