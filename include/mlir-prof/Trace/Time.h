//===- Time.h - Arithmetic on times that cannot overflow --------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TRACE_TIME_H
#define MLIR_PROF_TRACE_TIME_H

#include <cstdint>
#include <limits>

namespace mlirprof::trace {

/// Sums, differences and multiples of picoseconds and of counts. They come from
/// files and may be anything; what does not fit sticks at the end of the range.
inline int64_t saturatingAdd(int64_t a, int64_t b) {
  int64_t result;
  if (__builtin_add_overflow(a, b, &result))
    return b < 0 ? std::numeric_limits<int64_t>::min()
                 : std::numeric_limits<int64_t>::max();
  return result;
}

inline int64_t saturatingSub(int64_t a, int64_t b) {
  int64_t result;
  if (__builtin_sub_overflow(a, b, &result))
    return b > 0 ? std::numeric_limits<int64_t>::min()
                 : std::numeric_limits<int64_t>::max();
  return result;
}

inline int64_t saturatingMul(int64_t a, int64_t b) {
  int64_t result;
  if (__builtin_mul_overflow(a, b, &result))
    return (a < 0) == (b < 0) ? std::numeric_limits<int64_t>::max()
                              : std::numeric_limits<int64_t>::min();
  return result;
}

inline void addSaturating(int64_t &sum, int64_t value) {
  sum = saturatingAdd(sum, value);
}

inline void addSaturating(uint64_t &sum, uint64_t value) {
  if (__builtin_add_overflow(sum, value, &sum))
    sum = std::numeric_limits<uint64_t>::max();
}

} // namespace mlirprof::trace

#endif // MLIR_PROF_TRACE_TIME_H
