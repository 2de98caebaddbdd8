//===- NoiseSource.h - Disturbances of measurements -------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_UNITTESTS_OPTIMIZE_NOISESOURCE_H
#define MLIR_PROF_UNITTESTS_OPTIMIZE_NOISESOURCE_H

#include <cmath>
#include <cstdint>

namespace mlirprof::test {

/// The disturbances of a measurement.
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
  /// Standard deviation of the logarithm of a process's speed, which stays.
  double luck = 0;
};

/// Noise from a seed.
class NoiseSource {
public:
  NoiseSource(uint64_t seed, const Noise &noise)
      : state(seed * 2 + 1), noise(noise) {}

  /// How many times as long the next measurement takes.
  double next() {
    speed += std::log1p(noise.drift) + noise.walk * normal();
    double factor = std::exp(speed + noise.sigma * normal());
    return uniform() < noise.outliers ? factor * (1 + 2 * uniform()) : factor;
  }

  /// How many times as long all measurements of a new process take.
  double nextProcess() {
    return noise.luck == 0 ? 1 : std::exp(noise.luck * normal());
  }

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
  Noise noise;
  double speed = 0;
};

} // namespace mlirprof::test

#endif // MLIR_PROF_UNITTESTS_OPTIMIZE_NOISESOURCE_H
