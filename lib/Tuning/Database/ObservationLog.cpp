//===- ObservationLog.cpp - All measurements of choices -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Tuning/ObservationLog.h"
#include "llvm/ADT/STLExtras.h"

#include <limits>
#include <map>

using namespace mlirprof;
using namespace mlirprof::tuning;

bool ObservationLog::insert(Observation observation) {
  return observations.insert(std::move(observation)).second;
}

size_t ObservationLog::countNew(const ObservationLog &other) const {
  return llvm::count_if(other.observations, [&](const Observation &entry) {
    return !observations.count(entry);
  });
}

std::vector<const Observation *>
ObservationLog::find(const DecisionKey &key) const {
  Observation first;
  first.key = key;
  first.whenMs = std::numeric_limits<int64_t>::min();
  std::vector<const Observation *> found;
  for (auto at = observations.lower_bound(first);
       at != observations.end() && at->key == key; ++at)
    found.push_back(&*at);
  return found;
}

const Observation *
ObservationLog::findNewest(const DecisionKey &key, const Choice &choice,
                           const MeasuredSizes &sizes) const {
  const Observation *newest = nullptr;
  for (const Observation *observation : find(key))
    if (observation->choice == choice && !isFar(observation->sizes, sizes))
      newest = observation;
  return newest;
}

uint64_t ObservationLog::dropOld(unsigned count) {
  // Newest first: the count of a choice runs over from its end.
  std::map<std::pair<DecisionKey, Choice>, unsigned> counts;
  uint64_t dropped = 0;
  for (auto at = observations.end(); at != observations.begin();) {
    --at;
    if (++counts[{at->key, at->choice}] <= count)
      continue;
    at = observations.erase(at);
    ++dropped;
  }
  return dropped;
}
