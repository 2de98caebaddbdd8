//===- Shapes.h - Sizes that calls choose -----------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_DEPLOY_SHAPES_H
#define MLIR_PROF_LIB_DEPLOY_SHAPES_H

#include "mlir-prof/Deploy/Deploy.h"

namespace mlirprof::deploy {

/// A dimension of an argument: a size that is known, or the number of one that
/// a call chooses.
struct PlannedSize {
  int64_t size = 0;
  std::optional<size_t> number;
};

/// The sizes of a model's arguments.
struct ShapePlan {
  /// By argument, by dimension. Dimensions with the same range are one size.
  std::vector<std::vector<PlannedSize>> arguments;
  std::vector<SizeRange> sizes;
};

/// Gives each dimension of `signature` that is not known a size. First ones
/// without a shape are 1, which `onNote` is told. A usage error if a shape does
/// not fit.
llvm::Expected<ShapePlan>
planShapes(const compile::Signature &signature,
           llvm::ArrayRef<ArgumentShape> shapes,
           llvm::function_ref<void(llvm::StringRef)> onNote);

/// All choices of `ranges`, the last size counting fastest. A usage error if
/// there are too many to have code for each.
llvm::Expected<std::vector<std::vector<int64_t>>>
listSizes(llvm::ArrayRef<SizeRange> ranges);

/// Gives the arguments of the function `entry` of `module` (if empty, the one
/// that runs) the sizes that `sizes` chooses, and its results those that
/// follow.
llvm::Error setShapes(mlir::ModuleOp module, llvm::StringRef entry,
                      const ShapePlan &plan, llvm::ArrayRef<int64_t> sizes);

/// Adds the function that calls the code for the sizes of a call, to a model
/// that has all of it.
llvm::Error addSizeChoice(DeployedModel &model);

} // namespace mlirprof::deploy

#endif // MLIR_PROF_LIB_DEPLOY_SHAPES_H
