//===- Algorithms.h - Ways to compute an op ---------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_CODEGEN_ALGORITHMS_H
#define MLIR_PROF_CODEGEN_ALGORITHMS_H

#include "mlir-prof/Codegen/Target.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace mlirprof::codegen {

/// The algorithms that the compiler has for `op`, by their names in
/// choice::kAlgorithm, the rules' default first. Algorithms whose error would
/// exceed the limit of `target` are left out. Empty if `op` is not a
/// convolution.
llvm::SmallVector<llvm::StringRef> getAlgorithms(mlir::Operation *op,
                                                 const TargetModel &target);

/// Whether a convolution can be computed as a matrix product
/// (ConvolutionProducts.cpp).
bool canBeProduct(mlir::Operation *op);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_CODEGEN_ALGORITHMS_H
