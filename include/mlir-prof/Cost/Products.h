//===- Products.h - Products of matrices in a module ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_COST_PRODUCTS_H
#define MLIR_PROF_COST_PRODUCTS_H

#include "mlir-prof/Profile/MatrixProduct.h"
#include "mlir/IR/Operation.h"

#include <vector>

namespace mlirprof::cost {

/// The ops of linalg and tosa in `root` that multiply two matrices or a matrix
/// and a vector, in pre-order, and convolutions of no more places than filters.
/// Batched products are left out, as each product has its own matrices on both
/// sides.
std::vector<profile::MatrixProduct> collectProducts(mlir::Operation *root);

} // namespace mlirprof::cost

#endif // MLIR_PROF_COST_PRODUCTS_H
