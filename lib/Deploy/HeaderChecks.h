//===- HeaderChecks.h - The checks in the header of a model -----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_DEPLOY_HEADERCHECKS_H
#define MLIR_PROF_LIB_DEPLOY_HEADERCHECKS_H

#include "mlir-prof/Deploy/Deploy.h"

namespace mlirprof::deploy {

/// That of the arena and of the variables' memory, in bytes.
constexpr unsigned kArenaAlignment = 64;

/// The type of C for an element, and its alignment in bytes. Callers pass bytes
/// for one that C does not have.
struct ElementType {
  llvm::StringRef name = "void";
  unsigned alignment = 1;
};
ElementType getElementType(const compile::ValueSignature &value);

/// The bytes of an argument or a result.
uint64_t getBytes(const compile::ValueSignature &value);

/// The codes of the function that runs `model`, and their texts.
std::string writeCodes(const DeployedModel &model);

/// The checks of a call of `model`: of addresses, and of the sizes and
/// permissions that a program states.
std::string writeChecks(const DeployedModel &model);

} // namespace mlirprof::deploy

#endif // MLIR_PROF_LIB_DEPLOY_HEADERCHECKS_H
