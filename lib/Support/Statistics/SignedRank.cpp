//===- SignedRank.cpp - Wilcoxon's signed-rank test -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Support/Statistics.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

using namespace mlirprof;

namespace {

/// A distance from the bound, and its side.
struct Distance {
  double size;
  bool isBelow;
  /// Twice the rank: ties share the mean of their ranks.
  unsigned doubledRank = 0;
};

} // namespace

static std::vector<Distance> rankDistances(llvm::ArrayRef<double> values,
                                           double bound) {
  std::vector<Distance> distances;
  for (double value : values)
    distances.push_back({std::fabs(value - bound), value < bound});
  llvm::sort(distances, [](const Distance &a, const Distance &b) {
    return a.size < b.size;
  });
  for (size_t first = 0; first != distances.size();) {
    size_t last = first;
    while (last != distances.size() &&
           distances[last].size == distances[first].size)
      ++last;
    // Ranks first + 1 to last.
    for (size_t i = first; i != last; ++i)
      distances[i].doubledRank = unsigned(first + 1 + last);
    first = last;
  }
  return distances;
}

double mlirprof::probabilityNotBelow(llvm::ArrayRef<double> values,
                                     double bound) {
  assert(values.size() <= kMaxSignedRankValues && "takes too long");
  std::vector<Distance> distances = rankDistances(values, bound);
  size_t above = 0;
  for (const Distance &distance : distances)
    above += distance.isBelow ? 0 : distance.doubledRank;
  // chance[s]: the probability that the values above have the doubled rank sum
  // s. A sum above the observed one never decreases again, so it is left out.
  std::vector<double> chance(above + 1, 0.0);
  chance[0] = 1;
  size_t reached = 0;
  for (const Distance &distance : distances) {
    size_t rank = distance.doubledRank;
    reached = std::min(above, reached + rank);
    for (size_t sum = reached + 1; sum-- > 0;)
      chance[sum] =
          0.5 * (chance[sum] + (sum >= rank ? chance[sum - rank] : 0.0));
  }
  double probability = 0;
  for (double part : chance)
    probability += part;
  return std::min(probability, 1.0);
}

double mlirprof::estimateCenter(llvm::ArrayRef<double> values) {
  assert(values.size() <= kMaxSignedRankValues && "takes too long");
  std::vector<double> means;
  for (size_t i = 0; i != values.size(); ++i)
    for (size_t j = i; j != values.size(); ++j)
      means.push_back((values[i] + values[j]) / 2);
  return getMedian(means);
}
