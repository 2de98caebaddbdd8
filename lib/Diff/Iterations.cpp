//===- Iterations.cpp - Times of a run's iterations -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Iterations.h"
#include "Stalls.h"
#include "mlir-prof/Support/Statistics.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <numeric>

using namespace mlirprof;
using namespace mlirprof::diff;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

static constexpr size_t kParts = 32;
/// Fewer parts do not tell how a run drifts.
static constexpr size_t kFewParts = 4;

/// Durations of the listed iterations by parts of equal time.
static std::vector<std::vector<double>> cut(llvm::ArrayRef<Step> steps) {
  int64_t begin = INT64_MAX, end = INT64_MIN;
  for (const Step &step : steps) {
    begin = std::min(begin, step.beginPs);
    end = std::max(end, saturatingAdd(step.beginPs, step.durationPs));
  }
  std::vector<std::vector<double>> parts(kParts);
  double length = std::max(1.0, double(end) - double(begin));
  for (const Step &step : steps) {
    double place = (double(step.beginPs) - double(begin)) / length * kParts;
    parts[std::min(kParts - 1, size_t(std::max(0.0, place)))].push_back(
        double(step.durationPs));
  }
  llvm::erase_if(parts, [](const auto &part) { return part.empty(); });
  return parts;
}

/// The quantile part / 4 of `times`.
static WallTime summarize(llvm::ArrayRef<double> times, unsigned part) {
  WallTime result;
  result.timePs = getQuantile(times, part, 4);
  if (result.timePs > 0)
    result.scatter = estimateSpreadByQuartiles(times) / result.timePs;
  return result;
}

/// Without an order, the uncertainty of the mean is unknown, since each
/// iteration may be like all others; their own scatter exceeds it.
static RunTimes summarize(const Summary &iterations) {
  RunTimes result;
  double count = double(iterations.count);
  result.median.timePs = double(iterations.sum) / count;
  long double sum = iterations.sum;
  long double squares = (long double)iterations.sumSquares -
                        sum * sum / (long double)iterations.count;
  result.hasScatter = iterations.count >= kFewParts && !iterations.saturated;
  if (result.hasScatter && result.median.timePs > 0)
    result.median.scatter =
        std::sqrt(double(std::max(squares, 0.0L)) / (count - 1)) /
        result.median.timePs;
  result.meanScatter = result.median.scatter;
  return result;
}

/// Moments of the listed iterations, without stalls.
static Moments getCalmMoments(llvm::ArrayRef<Step> steps) {
  std::vector<double> times;
  for (const Step &step : steps)
    times.push_back(double(step.durationPs));
  // As in findStalls.
  double limit = 4 * getQuantile(times, 9, 10);
  llvm::erase_if(times, [&](double time) { return time >= limit; });
  Moments result;
  if (times.empty())
    return result;
  auto count = double(times.size());
  result.count = count;
  result.mean = std::accumulate(times.begin(), times.end(), 0.0) / count;
  for (double time : times)
    result.variance += (time - result.mean) * (time - result.mean) /
                       std::max(1.0, count - 1) / count;
  return result;
}

/// Over all iterations if they were summed up, else over the listed ones.
static Quickest findQuickest(const Run &run) {
  Summary times = run.iterations;
  if (times.count == 0)
    for (const Step &step : run.steps)
      times.add(step.durationPs);
  return getQuickest(times, getCalmMoments(run.steps));
}

RunTimes diff::getRunTimes(const Run &run) {
  if (run.steps.empty())
    return summarize(run.iterations);
  std::vector<double> medians, quartiles, means;
  for (const std::vector<double> &part : cut(run.steps)) {
    medians.push_back(getMedian(part));
    quartiles.push_back(getQuantile(part, 1, 4));
    means.push_back(std::accumulate(part.begin(), part.end(), 0.0) /
                    double(part.size()));
  }
  RunTimes result;
  result.hasOrder = true;
  result.hasScatter = medians.size() >= kFewParts;
  result.median = summarize(medians, 2);
  result.quartile = summarize(quartiles, 1);
  result.meanScatter = summarize(means, 2).scatter;
  Quickest quickest = findQuickest(run);
  result.quickest.timePs = quickest.value;
  if (quickest.value > 0) {
    result.quickest.scatter = quickest.deviation / quickest.value;
    // Runs differ in it by less than their parts do, and by a share of the
    // remaining disturbances.
    result.quartile.scatter =
        std::hypot(result.quartile.scatter / 2,
                   (result.quartile.timePs / quickest.value - 1) / 32);
  }
  return result;
}
