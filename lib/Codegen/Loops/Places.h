//===- Places.h - Elements that the body of an op reads ---------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_LOOPS_PLACES_H
#define MLIR_PROF_LIB_CODEGEN_LOOPS_PLACES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SmallBitVector.h"

#include <optional>

namespace mlirprof::codegen {

/// Whether all results of `map` are linear in its loops.
bool isLinear(mlir::AffineMap map);

/// `index`, in the body of `op`, as a linear expression of its loops; null if
/// it is anything other than a sum of loops and constants.
mlir::AffineExpr findPlace(mlir::Value index, mlir::linalg::GenericOp op);

/// Whether `place`, a linear expression, stays in [0, size) in loops of
/// `sizes`, and covers this range if it is a loop by itself.
bool fits(mlir::AffineExpr place, llvm::ArrayRef<int64_t> sizes, int64_t size);

/// The number of elements of `shape`; none if that is not known, or more than
/// `most`.
std::optional<int64_t> countElements(llvm::ArrayRef<int64_t> shape,
                                     int64_t most);

/// The loops of `op` on which `value`, in its body, depends.
llvm::SmallBitVector findLoops(mlir::linalg::GenericOp op, mlir::Value value);

/// For each dimension of the tensor that `extract`, in the body of a structured
/// op, reads from outside of it: the sum of the loops on which its index
/// depends. Null for an extract elsewhere.
mlir::AffineMap findReadLoops(mlir::tensor::ExtractOp extract);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_LOOPS_PLACES_H
