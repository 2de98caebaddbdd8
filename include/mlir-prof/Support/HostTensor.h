//===- HostTensor.h - Arrays of models --------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SUPPORT_HOSTTENSOR_H
#define MLIR_PROF_SUPPORT_HOSTTENSOR_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mlirprof {

/// A dense array in row-major order, or a scalar (rank 0).
struct HostTensor {
  /// As in ValueSignature::elementType.
  std::string elementType;
  unsigned bytesPerElement = 4;
  std::vector<int64_t> shape;
  std::vector<char> bytes;

  /// Number of elements; 1 for scalars.
  uint64_t size() const {
    uint64_t count = 1;
    for (int64_t dimension : shape)
      count *= uint64_t(dimension);
    return count;
  }
};

/// "2x?x": the sizes as in a type, before its elements; ? for a size below 0.
std::string describeSizes(llvm::ArrayRef<int64_t> shape);

/// The arguments of one call of a model.
using Arguments = std::vector<HostTensor>;

} // namespace mlirprof

#endif // MLIR_PROF_SUPPORT_HOSTTENSOR_H
