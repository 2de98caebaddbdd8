//===- Student.cpp - Student's distribution -------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Support/Statistics.h"

#include <algorithm>
#include <cmath>

using namespace mlirprof;

/// The continued fraction of the incomplete beta function, by Lentz's method;
/// converges fast for x < (a + 1) / (a + b + 2).
static double betaFraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300;
  constexpr double kEnough = 1e-15;
  auto guard = [](double value) {
    return std::fabs(value) < kTiny ? kTiny : value;
  };
  double c = 1, d = 1 / guard(1 - (a + b) * x / (a + 1)), result = d;
  // The number of terms grows with the root of the larger parameter.
  int terms = 200 + int(std::min(1e5, 10 * std::sqrt(std::max(a, b))));
  for (int m = 1; m != terms; ++m) {
    double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / guard(1 + even * d);
    c = guard(1 + even / c);
    result *= d * c;
    double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / guard(1 + odd * d);
    c = guard(1 + odd / c);
    double step = d * c;
    result *= step;
    if (std::fabs(step - 1) < kEnough)
      break;
  }
  return result;
}

/// The regularized incomplete beta function.
static double incompleteBeta(double a, double b, double x) {
  if (x <= 0)
    return 0;
  if (x >= 1)
    return 1;
  double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                          a * std::log(x) + b * std::log1p(-x));
  if (x < (a + 1) / (a + b + 2))
    return front * betaFraction(a, b, x) / a;
  return 1 - front * betaFraction(b, a, 1 - x) / b;
}

double mlirprof::getStudentTail(double t, double freedom) {
  t = std::fabs(t);
  if (!std::isfinite(t))
    return 0;
  // Beyond this it is the normal distribution to all significant digits.
  if (freedom > 1e6)
    return std::erfc(t / std::sqrt(2.0));
  return std::clamp(
      incompleteBeta(freedom / 2, 0.5, freedom / (freedom + t * t)), 0.0, 1.0);
}

double mlirprof::getStudentQuantile(double tail, double freedom) {
  double low = 0, high = 1;
  while (getStudentTail(high, freedom) > tail && high < 1e300)
    high *= 2;
  for (int i = 0; i != 200 && high - low > 1e-12 * high; ++i) {
    double middle = low + (high - low) / 2;
    (getStudentTail(middle, freedom) > tail ? low : high) = middle;
  }
  return high;
}
