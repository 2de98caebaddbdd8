//===- TensorShape.h - Dimensions of tensors of any dialect -----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_COST_TENSORSHAPE_H
#define MLIR_PROF_COST_TENSORSHAPE_H

#include "mlir/IR/Types.h"

#include <cstdint>
#include <vector>

namespace mlirprof::cost {

/// Dimensions of a tensor type, -1 if unknown. Also works for types whose
/// dialect is not loaded, such as "vtensor<[2,?],f32>". Returns false if the
/// type is not a tensor.
bool getTensorShape(mlir::Type type, std::vector<int64_t> &shape);

} // namespace mlirprof::cost

#endif // MLIR_PROF_COST_TENSORSHAPE_H
