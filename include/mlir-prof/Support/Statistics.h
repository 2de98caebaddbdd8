//===- Statistics.h - Medians and other quantiles ---------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SUPPORT_STATISTICS_H
#define MLIR_PROF_SUPPORT_STATISTICS_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>

namespace mlirprof {

/// The quantile part / parts (part <= parts) of `values`, which need no order,
/// with linear interpolation between the two values nearest to it: what NumPy
/// and Python's statistics ("inclusive") compute. Of integers it is rounded
/// toward the smaller value. 0 without values.
double getQuantile(llvm::ArrayRef<double> values, unsigned part,
                   unsigned parts);
int64_t getQuantile(llvm::ArrayRef<int64_t> values, unsigned part,
                    unsigned parts);

/// The value in the middle; of an even number, the mean of the two there.
inline double getMedian(llvm::ArrayRef<double> values) {
  return getQuantile(values, 1, 2);
}
inline int64_t getMedian(llvm::ArrayRef<int64_t> values) {
  return getQuantile(values, 1, 2);
}

} // namespace mlirprof

#endif // MLIR_PROF_SUPPORT_STATISTICS_H
