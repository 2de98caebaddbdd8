//===- RequestMix.h - Requests that stand for observed calls ----*- C++ -*-===//
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

/// Values, and how many requests have them.
struct MixedTuple {
  std::vector<int64_t> tuple;
  unsigned requests = 0;
};

/// Limits of the number of requests beyond the first few.
struct MixLimits {
  /// Seconds of one run of the model; 0: not known.
  double modelSeconds = 0;
  /// Bytes of one request.
  double bytes = std::numeric_limits<double>::infinity();
  /// At most so many requests; 0: no other limit.
  unsigned requests = 0;
};

/// Chooses the values of requests: those that took the most of the time of all
/// calls, each in as many requests as it was in calls, but at least in one. So
/// the requests together spend their time where the calls did.
///
/// There are kFewRequests of them, or more where a value is rarer than that
/// (up to kMostRequests), as far as these pass in kMixSeconds and fit into
/// kMixBytes. A value with less than a thousandth of the time is in none.
std::vector<MixedTuple> chooseMix(const ObservedValues &values,
                                  const MixLimits &limits);

inline constexpr unsigned kFewRequests = 16;
inline constexpr unsigned kMostRequests = 128;
inline constexpr double kMixSeconds = 0.1;
inline constexpr double kMixBytes = 64 << 20;

} // namespace mlirprof::optimize

#endif // MLIR_PROF_OPTIMIZE_REQUESTMIX_H
