//===- Instances.h - The dispatches of a model ------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_COMPILE_KERNELS_INSTANCES_H
#define MLIR_PROF_LIB_COMPILE_KERNELS_INSTANCES_H

#include "mlir-prof/Profile/Program.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlirprof::compile {

/// The dispatches of `module`, which share-dispatches has numbered and whose
/// ops have the identities of the level after that. Empty without identities.
std::vector<profile::ProgramInstance> readInstances(mlir::ModuleOp module);

/// Adds `instances` to `program`, the one of that module, and their origins to
/// the parents of the kernels' ops.
void setInstances(std::vector<profile::ProgramInstance> instances,
                  profile::Program &program);

/// Finds the calls of kernels in the code of `program`: a call whose op comes
/// from a dispatch.
void findCalls(profile::Program &program);

} // namespace mlirprof::compile

#endif // MLIR_PROF_LIB_COMPILE_KERNELS_INSTANCES_H
