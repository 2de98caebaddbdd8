//===- FakeStopwatch.h - Simulated measurements -----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_UNITTESTS_OPTIMIZE_FAKESTOPWATCH_H
#define MLIR_PROF_UNITTESTS_OPTIMIZE_FAKESTOPWATCH_H

#include "../Optimize/NoiseSource.h"
#include "mlir-prof/Tuning/Comparison.h"

#include <vector>

using namespace mlirprof::tuning;

namespace mlirprof::test {

/// It has its own clock, and noise from a seed.
class FakeStopwatch : public Stopwatch {
public:
  FakeStopwatch(uint64_t seed, double gain, const Noise &noise)
      : noise(seed, noise), gain(gain) {}

  llvm::Expected<double> measure(Variant variant) override {
    order.push_back(variant);
    double seconds = 0.01 * noise.next();
    if (variant == Variant::Candidate)
      seconds *= 1 - gain;
    time += seconds;
    return seconds;
  }
  double now() override { return time; }

  std::vector<Variant> order;

private:
  NoiseSource noise;
  double gain;
  double time = 100;
};

} // namespace mlirprof::test

#endif // MLIR_PROF_UNITTESTS_OPTIMIZE_FAKESTOPWATCH_H
