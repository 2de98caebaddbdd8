//===- RequestMix.h - Requests that represent observed calls ----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_OPTIMIZE_REQUESTMIX_H
#define MLIR_PROF_OPTIMIZE_REQUESTMIX_H

#include "mlir-prof/Optimize/Technique.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace mlirprof::optimize {

/// Values, and the number of requests with them.
struct MixedTuple {
  std::vector<int64_t> tuple;
  unsigned requests = 0;
};

/// Limits on the number of requests beyond kFewRequests.
struct MixLimits {
  /// Seconds of one run of the model; 0 if unknown.
  double modelSeconds = 0;
  /// Bytes of one request.
  double bytes = std::numeric_limits<double>::infinity();
  /// Largest number of requests; 0 for no further limit.
  unsigned requests = 0;
};

/// Chooses the values of requests: those with the most time of all calls, each
/// in proportion to its number of calls, but in at least one request. The
/// distribution of time over the requests then resembles that over the calls.
///
/// There are kFewRequests of them, or up to kMostRequests if a value is rarer
/// than that, as long as they take at most kMixSeconds and kMixBytes. Values
/// with less than a thousandth of the time are left out.
std::vector<MixedTuple> chooseMix(const ObservedValues &values,
                                  const MixLimits &limits);

inline constexpr unsigned kFewRequests = 16;
inline constexpr unsigned kMostRequests = 128;
inline constexpr double kMixSeconds = 0.1;
inline constexpr double kMixBytes = 64 << 20;

} // namespace mlirprof::optimize

#endif // MLIR_PROF_OPTIMIZE_REQUESTMIX_H
