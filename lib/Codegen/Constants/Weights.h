//===- Weights.h - Constant tensors seen through transposes -----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_CODEGEN_CONSTANTS_WEIGHTS_H
#define MLIR_PROF_LIB_CODEGEN_CONSTANTS_WEIGHTS_H

#include "../Nest/Plan.h"
#include "mlir-prof/Codegen/ConstantScope.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Value.h"

#include <functional>
#include <optional>

namespace mlirprof::codegen {

/// A constant tensor, seen through transposes.
struct Weights {
  llvm::ArrayRef<char> bytes;
  /// In elements, for each dimension of the tensor as seen.
  llvm::SmallVector<int64_t> strides;
  /// The op that creates the constant.
  mlir::Operation *constant = nullptr;
};

/// Whether all elements of `value`, a number or a tensor, are known to be 0 or
/// -0.0.
bool isZero(mlir::Value value);

/// Follows ops that only permute dimensions from `value` up to a constant. None
/// if `value` is not a tensor, if there is no constant with stored bytes (a
/// splat does not have them), or if its elements are not whole bytes.
std::optional<Weights> findWeights(mlir::Value value);

/// A constant of `type`, whose elements are whole bytes; `store` writes them to
/// the given memory, which is zeroed. `name` appears in printed IR.
mlir::DenseResourceElementsAttr
makeConstant(mlir::RankedTensorType type, llvm::StringRef name,
             llvm::function_ref<void(char *)> store);

/// The same, but the constants' scope may store the elements later, in the
/// order of these calls. `store` may read constants of the model, and those
/// that this has made.
mlir::DenseResourceElementsAttr
makeConstantLater(mlir::RankedTensorType type, llvm::StringRef name,
                  std::function<void(char *)> store);

/// The resource that is the value of `constant`; null if it is something else.
mlir::DenseResourceElementsAttr getResource(mlir::Value constant);

/// Tells the constants' scope that a pass decides by the values of `constant`,
/// which is one.
void noteRead(mlir::Value constant);

/// The scope's constants, whose bytes the caller reads now, get their values.
void awaitValues(mlir::MLIRContext *context);

/// Erases the ops in the functions of `module` that do not have any effect.
void eraseDeadOps(mlir::RewriterBase &rewriter, mlir::ModuleOp module);

/// Calls `visit` with each index of a box of `sizes`, the last dimension
/// fastest.
void forEachIndex(llvm::ArrayRef<int64_t> sizes,
                  llvm::function_ref<void(llvm::ArrayRef<int64_t>)> visit);

/// A constant of `type`, of rank 1 at least, with the elements of `weights` at
/// the positions that `map` gives for each index. The map is linear in the
/// index and stays within the bounds of `weights`.
mlir::DenseResourceElementsAttr copyWeights(const Weights &weights,
                                            mlir::RankedTensorType type,
                                            mlir::AffineMap map);

/// The number of columns that the register kernel of `op` handles at once
/// (Contraction.cpp), of weights along `vectorDim`: they are packed into panels
/// of as many.
int64_t getWeightPanel(mlir::linalg::LinalgOp op, const NestFacts &facts,
                       unsigned vectorDim, const TargetModel &target);

} // namespace mlirprof::codegen

#endif // MLIR_PROF_LIB_CODEGEN_CONSTANTS_WEIGHTS_H
