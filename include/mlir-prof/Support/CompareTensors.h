//===- CompareTensors.h - Differences between arrays ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SUPPORT_COMPARETENSORS_H
#define MLIR_PROF_SUPPORT_COMPARETENSORS_H

#include "mlir-prof/Support/HostTensor.h"
#include "llvm/Support/Error.h"

#include <optional>

namespace mlirprof {

/// The differences between an array and its expected values.
struct TensorComparison {
  uint64_t elements = 0;
  /// Elements that differ by more than atol + rtol * |expected|.
  uint64_t different = 0;
  /// Elements that are not finite although the expected ones are.
  uint64_t notFinite = 0;
  double maxAbsolute = 0;
  /// maxAbsolute divided by the largest |expected|.
  double relativeToMax = 0;

  bool isEqual() const { return different == 0 && notFinite == 0; }
};

/// Compares two arrays of numbers. Element types may differ (a float64
/// reference); shapes must not. Complex numbers differ by their distance in the
/// plane, integers exactly; values that are not finite must be the same on both
/// sides.
llvm::Expected<TensorComparison> compareTensors(const HostTensor &actual,
                                                const HostTensor &expected,
                                                double rtol, double atol);

/// How far an element may be from the expected one.
struct Tolerance {
  /// As a part of the expected element.
  double relative = 0;
  double absolute = 0;
};

/// The tolerance that a user asked for; for what is negative, the default:
/// 1e-5, absolute of the largest expected element. 0 between integers.
Tolerance getTolerance(const HostTensor &actual, const HostTensor &expected,
                       double relative, double absolute);

/// Value of an element of any of the types that files may contain, as a double;
/// none if the type is not numeric. Complex numbers return their magnitude.
std::optional<double> getElement(const HostTensor &tensor, uint64_t index);

} // namespace mlirprof

#endif // MLIR_PROF_SUPPORT_COMPARETENSORS_H
