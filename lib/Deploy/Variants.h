//===- Variants.h - Code for several processors -----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_DEPLOY_VARIANTS_H
#define MLIR_PROF_LIB_DEPLOY_VARIANTS_H

#include "mlir-prof/Deploy/Deploy.h"

namespace mlirprof::deploy {

/// The function that runs the variant `name` of the model `model`.
std::string getVariantSymbol(llvm::StringRef model, llvm::StringRef name);

/// Keeps the constants of one of several codes, `constants`, in `model` unless
/// they are there.
void addSharedConstants(llvm::ArrayRef<compile::ExternalConstant> constants,
                        DeployedModel &model);

/// Adds the object of the constants that a model keeps.
llvm::Error addConstantObject(DeployedModel &model);

/// Adds the code that chooses a variant for a processor to a model that has the
/// code of all.
llvm::Error addVariantChoice(DeployedModel &model);

} // namespace mlirprof::deploy

#endif // MLIR_PROF_LIB_DEPLOY_VARIANTS_H
