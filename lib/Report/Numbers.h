//===- Numbers.h - Arithmetic that cannot overflow --------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_REPORT_NUMBERS_H
#define MLIR_PROF_LIB_REPORT_NUMBERS_H

#include <cstdint>
#include <limits>

namespace mlirprof::report {

/// Profiles are input: sums of hostile numbers stop at the ends of the range.
inline void addSaturating(int64_t &sum, int64_t value) {
  if (__builtin_add_overflow(sum, value, &sum))
    sum = value < 0 ? std::numeric_limits<int64_t>::min()
                    : std::numeric_limits<int64_t>::max();
}
inline void addSaturating(uint64_t &sum, uint64_t value) {
  if (__builtin_add_overflow(sum, value, &sum))
    sum = std::numeric_limits<uint64_t>::max();
}

} // namespace mlirprof::report

#endif // MLIR_PROF_LIB_REPORT_NUMBERS_H
