//===- FakeStopwatch.h - Measurements that were never made ------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_UNITTESTS_OPTIMIZE_FAKESTOPWATCH_H
#define MLIR_PROF_UNITTESTS_OPTIMIZE_FAKESTOPWATCH_H

#include "mlir-prof/Optimize/Comparison.h"

#include <cmath>
#include <vector>

namespace mlirprof::test {

/// What disturbs a measurement.
struct Noise {
  /// Standard deviation of the logarithm.
  double sigma = 0.02;
  /// The machine becomes slower by this part with each measurement.
  double drift = 0;
  /// Standard deviation of steps in the logarithm of the machine's speed, which
  /// stay.
  double walk = 0;
  /// How often a measurement takes up to three times as long.
  double outliers = 0;
};

/// A clock of its own and noise from a seed.
class FakeStopwatch : public Stopwatch {
public:
  FakeStopwatch(uint64_t seed, double gain, const Noise &noise)
      : state(seed * 2 + 1), gain(gain), noise(noise) {}

  llvm::Expected<double> measure(Variant variant) override {
    order.push_back(variant);
    speed += std::log1p(noise.drift) + noise.walk * normal();
    double seconds = 0.01 * std::exp(speed + noise.sigma * normal());
    if (variant == Variant::Candidate)
      seconds *= 1 - gain;
    if (uniform() < noise.outliers)
      seconds *= 1 + 2 * uniform();
    time += seconds;
    return seconds;
  }
  double now() override { return time; }

  std::vector<Variant> order;

private:
  /// The standard library's distributions differ from one to the other.
  double uniform() {
    state += 0x9e3779b97f4a7c15;
    uint64_t x = state;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return double((x ^ (x >> 31)) >> 11) * 0x1p-53;
  }
  double normal() {
    double radius = std::sqrt(-2 * std::log(1 - uniform()));
    return radius * std::cos(6.283185307179586 * uniform());
  }

  uint64_t state;
  double gain;
  Noise noise;
  double speed = 0;
  double time = 100;
};

} // namespace mlirprof::test

#endif // MLIR_PROF_UNITTESTS_OPTIMIZE_FAKESTOPWATCH_H
