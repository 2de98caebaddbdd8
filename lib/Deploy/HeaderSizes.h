//===- HeaderSizes.h - Sizes in the header of a model -----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_DEPLOY_HEADERSIZES_H
#define MLIR_PROF_LIB_DEPLOY_HEADERSIZES_H

#include "mlir-prof/Deploy/Deploy.h"

namespace mlirprof::deploy {

/// The numbers, alignments and bytes of the memory that a call of `model`
/// takes, as macros of C.
std::string defineSizes(const DeployedModel &model);

/// The function that tells the bytes of arrays by the sizes that a call
/// chooses.
std::string defineBytes(const DeployedModel &model);

/// The table of all memory of a call, for programs that manage memory of
/// devices.
std::string declareBuffers(const DeployedModel &model);

} // namespace mlirprof::deploy

#endif // MLIR_PROF_LIB_DEPLOY_HEADERSIZES_H
