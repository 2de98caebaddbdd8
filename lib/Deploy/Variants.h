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

/// Keeps the constants of a variant, `constants`, in `model` unless they are
/// there.
void addSharedConstants(llvm::ArrayRef<compile::ExternalConstant> constants,
                        DeployedModel &model);

/// Adds the constants of all variants, and the code that chooses one of them
/// for a processor, to a model that has their code.
llvm::Error addVariantChoice(DeployedModel &model);

} // namespace mlirprof::deploy

#endif // MLIR_PROF_LIB_DEPLOY_VARIANTS_H
