//===- Controls.h - All controls --------------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_DEPLOY_CONTROLS_CONTROLS_H
#define MLIR_PROF_LIB_DEPLOY_CONTROLS_CONTROLS_H

#include "mlir-prof/Deploy/Deploy.h"

namespace mlirprof::deploy::control {
#define MLIRPROF_CONTROL(NAME) Control NAME();
#include "Controls.def"
} // namespace mlirprof::deploy::control

#endif // MLIR_PROF_LIB_DEPLOY_CONTROLS_CONTROLS_H
