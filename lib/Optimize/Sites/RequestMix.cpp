//===- RequestMix.cpp - Requests that stand for observed calls ------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Optimize/RequestMix.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::optimize;
using namespace mlirprof::profile;

/// Values with less of the time are left out.
static constexpr double kLeastShare = 1e-3;

static std::vector<ValueCount> chooseEntries(const ObservedValues &values,
                                             unsigned most) {
  std::vector<ValueCount> entries;
  for (auto [index, entry] : llvm::enumerate(values.entries))
    if (entries.empty() ||
        (entries.size() < most && values.getShare(index) >= kLeastShare))
      entries.push_back(entry);
  return entries;
}

static double countCalls(llvm::ArrayRef<ValueCount> entries) {
  double calls = 0;
  for (const ValueCount &entry : entries)
    calls += double(entry.count);
  return calls;
}

static unsigned countRequests(llvm::ArrayRef<ValueCount> entries,
                              const MixLimits &limits) {
  // A value that should be in less than this part of a request is in a whole
  // one.
  constexpr double kLeastPart = 0.75;
  double calls = countCalls(entries), rarest = calls;
  for (const ValueCount &entry : entries)
    rarest = std::min(rarest, double(entry.count));
  unsigned count = kFewRequests;
  while (count < kMostRequests && rarest * count < kLeastPart * calls &&
         2 * count * limits.modelSeconds <= kMixSeconds &&
         2 * count * limits.bytes <= kMixBytes)
    count *= 2;
  return limits.requests ? std::min(count, limits.requests) : count;
}

std::vector<MixedTuple> optimize::chooseMix(const ObservedValues &values,
                                            const MixLimits &limits) {
  unsigned most =
      limits.requests ? std::min(kFewRequests, limits.requests) : kFewRequests;
  std::vector<ValueCount> entries = chooseEntries(values, most);
  unsigned slots = countRequests(entries, limits);
  double calls = countCalls(entries);
  std::vector<MixedTuple> mix;
  for (const ValueCount &entry : entries)
    mix.push_back({entry.tuple, 1});
  for (size_t used = mix.size(); used < slots && calls > 0; ++used) {
    // The one that is furthest behind.
    size_t next = 0;
    double behind = 0;
    for (size_t i = 0; i != mix.size(); ++i) {
      double wanted = double(entries[i].count) / calls * slots;
      if (wanted - mix[i].requests > behind) {
        behind = wanted - mix[i].requests;
        next = i;
      }
    }
    if (behind <= 0)
      break;
    ++mix[next].requests;
  }
  return mix;
}
