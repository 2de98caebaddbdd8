//===- Regions.h - Memory protection of deployed models ---------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_DEPLOY_REGIONS_H
#define MLIR_PROF_LIB_DEPLOY_REGIONS_H

#include "mlir-prof/Deploy/Deploy.h"

namespace mlirprof::deploy {

/// Sets the regions of `model`, whose objects are complete.
llvm::Error setRegions(DeployedModel &model);

/// Declares them for C; empty if there are none.
std::string declareRegions(const DeployedModel &model);

} // namespace mlirprof::deploy

#endif // MLIR_PROF_LIB_DEPLOY_REGIONS_H
