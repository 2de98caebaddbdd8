//===- Quantiles.cpp - Medians, other quantiles and spreads ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Support/Statistics.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

using namespace mlirprof;

static double interpolate(double low, double high, size_t part, size_t parts) {
  return low + (high - low) * (double(part) / double(parts));
}

static int64_t interpolate(int64_t low, int64_t high, size_t part,
                           size_t parts) {
  __int128 distance = __int128(high) - low;
  return int64_t(low + distance * __int128(part) / __int128(parts));
}

template <typename T>
static T find(llvm::ArrayRef<T> values, unsigned part, unsigned parts) {
  assert(parts != 0 && part <= parts && "no quantile");
  if (values.empty())
    return 0;
  std::vector<T> order(values.begin(), values.end());
  size_t scaled = (order.size() - 1) * part;
  size_t place = scaled / parts, rest = scaled % parts;
  auto at = order.begin() + ptrdiff_t(place);
  std::nth_element(order.begin(), at, order.end());
  if (rest == 0)
    return *at;
  return interpolate(*at, *std::min_element(at + 1, order.end()), rest, parts);
}

double mlirprof::getQuantile(llvm::ArrayRef<double> values, unsigned part,
                             unsigned parts) {
  return find(values, part, parts);
}

int64_t mlirprof::getQuantile(llvm::ArrayRef<int64_t> values, unsigned part,
                              unsigned parts) {
  return find(values, part, parts);
}

int64_t mlirprof::getLowerMedian(llvm::ArrayRef<int64_t> values) {
  if (values.empty())
    return 0;
  std::vector<int64_t> order(values.begin(), values.end());
  auto middle = order.begin() + ptrdiff_t((order.size() - 1) / 2);
  std::nth_element(order.begin(), middle, order.end());
  return *middle;
}

double mlirprof::estimateSpreadByQuartiles(llvm::ArrayRef<double> values) {
  // Quartiles of a normal distribution are this many standard deviations apart.
  constexpr double kQuartiles = 1.349;
  return (getQuantile(values, 3, 4) - getQuantile(values, 1, 4)) / kQuartiles;
}

double mlirprof::estimateSpread(llvm::ArrayRef<double> values) {
  // A normal distribution has half of its values within 1 / 1.4826 standard
  // deviations of its median.
  constexpr double kDistances = 1.4826;
  double center = getMedian(values);
  std::vector<double> distances;
  for (double value : values)
    distances.push_back(std::fabs(value - center));
  return kDistances * getMedian(distances);
}
