//===- RandomTensor.h - Arrays of random numbers ----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SUPPORT_RANDOMTENSOR_H
#define MLIR_PROF_SUPPORT_RANDOMTENSOR_H

#include "mlir-prof/Support/HostTensor.h"

#include <optional>
#include <utility>

namespace mlirprof {

/// Fills an array, whose bytes are allocated, with random numbers that depend
/// on the seed and the argument's position only (splitmix64), the same on every
/// machine. Floats are uniform in `range`, low included; by default in [-1, 1),
/// scaled by sqrt(3 / K) in arrays of rank 2 and more, K being the dimension
/// before the last, so that matrix products keep their magnitude. Integers are
/// 0 or 1 by default, which is an index into any table with two rows.
void fillRandom(HostTensor &tensor, size_t position, uint64_t seed = 0,
                std::optional<std::pair<double, double>> range = std::nullopt);

} // namespace mlirprof

#endif // MLIR_PROF_SUPPORT_RANDOMTENSOR_H
