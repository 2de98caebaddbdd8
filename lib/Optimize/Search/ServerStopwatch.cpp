//===- ServerStopwatch.cpp - Times of models that are served --------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Optimize/ServerStopwatch.h"
#include "mlir-prof/Record/ModelServer.h"
#include "mlir-prof/Support/Error.h"

#include <algorithm>
#include <cmath>

using namespace mlirprof;
using namespace mlirprof::optimize;
using namespace mlirprof::record;
using namespace mlirprof::tuning;

/// Seconds of one round of all requests, measured over about `seconds`.
static llvm::Expected<double> measureRound(ModelServer &server,
                                           double seconds) {
  constexpr double kMostGrowth = 16, kShortest = 1e-9;
  constexpr uint64_t kMostRounds = uint64_t(1) << 32;
  uint64_t requests = server.getRequestCount();
  // The first run takes longer: threads begin, pages come.
  llvm::Expected<double> first = server.run(requests);
  if (!first || *first > 4 * seconds)
    return first;
  for (uint64_t rounds = 1;;) {
    llvm::Expected<double> time = server.run(rounds * requests);
    if (!time)
      return time;
    if (*time >= seconds / 2 || rounds >= kMostRounds)
      return std::max(*time, kShortest) / double(rounds);
    double growth = seconds / std::max(*time, kShortest);
    rounds = uint64_t(double(rounds) * std::clamp(growth, 2.0, kMostGrowth));
  }
}

llvm::Expected<ServerStopwatch> ServerStopwatch::create(ModelServer &incumbent,
                                                        ModelServer &candidate,
                                                        double seconds,
                                                        TimeSource clock) {
  constexpr double kMostSlower = 10, kMostRounds = double(uint64_t(1) << 32);
  if (incumbent.getRequestCount() != candidate.getRequestCount())
    return inputError("comparing", "the variants run different requests");
  llvm::Expected<double> a = measureRound(incumbent, seconds);
  if (!a)
    return a.takeError();
  llvm::Expected<double> b = measureRound(candidate, seconds);
  if (!b)
    return b.takeError();
  double rounds = std::min(seconds / std::min(*a, *b),
                           kMostSlower * seconds / std::max(*a, *b));
  rounds = std::clamp(std::round(rounds), 1.0, kMostRounds);
  uint64_t requests = incumbent.getRequestCount();
  uint64_t iterations = uint64_t(rounds) * requests;
  // Filling all caches takes some milliseconds.
  constexpr double kLong = 50e-3;
  bool isLong = std::min(*a, *b) / double(requests) > kLong;
  return ServerStopwatch(incumbent, candidate, iterations,
                         isLong ? 0 : (iterations + 4) / 5, std::move(clock));
}

llvm::Expected<double> ServerStopwatch::measure(Variant variant) {
  ModelServer &server = variant == Variant::Incumbent ? *incumbent : *candidate;
  llvm::Expected<double> seconds = server.run(iterations, warmUp);
  if (!seconds)
    return seconds;
  return *seconds / double(iterations);
}
