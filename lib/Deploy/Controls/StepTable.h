//===- StepTable.h - The steps of a model with devices ----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_DEPLOY_CONTROLS_STEPTABLE_H
#define MLIR_PROF_LIB_DEPLOY_CONTROLS_STEPTABLE_H

#include "mlir-prof/Deploy/Deploy.h"

namespace mlirprof::deploy {

/// The steps, which are dispatches, copies, transfers and waits, as a table of
/// C for prof_steps_run.
std::string writeStepTable(const DeployedModel &model);

} // namespace mlirprof::deploy

#endif // MLIR_PROF_LIB_DEPLOY_CONTROLS_STEPTABLE_H
