//===- Containers.h - All containers ----------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_DEPLOY_CONTAINERS_CONTAINERS_H
#define MLIR_PROF_LIB_DEPLOY_CONTAINERS_CONTAINERS_H

#include "mlir-prof/Deploy/Deploy.h"

namespace mlirprof::deploy::container {
#define MLIRPROF_CONTAINER(NAME) Container NAME();
#include "Containers.def"
} // namespace mlirprof::deploy::container

#endif // MLIR_PROF_LIB_DEPLOY_CONTAINERS_CONTAINERS_H
