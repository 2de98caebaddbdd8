//===- Runtime.h - The runtime of programs for targets ----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_DEPLOY_BOARDS_RUNTIME_H
#define MLIR_PROF_LIB_DEPLOY_BOARDS_RUNTIME_H

#include "mlir-prof/Codegen/Target.h"
#include "llvm/Support/Error.h"

namespace mlirprof::deploy {

/// An object with the runtime of instrumented code for `target`, without an
/// operating system's help: its measurements, counters and consoles
/// (mlir-prof/Runtime/prof_target.h). Each function has a section of its own.
/// It needs the functions of memory. A usage error for an architecture that
/// does not have it.
llvm::Expected<std::string> makeRuntime(const codegen::TargetModel &target);

} // namespace mlirprof::deploy

#endif // MLIR_PROF_LIB_DEPLOY_BOARDS_RUNTIME_H
