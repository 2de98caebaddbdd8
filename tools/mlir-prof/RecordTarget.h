//===- RecordTarget.h - Recording a model on another machine ----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TOOLS_RECORDTARGET_H
#define MLIR_PROF_TOOLS_RECORDTARGET_H

#include "llvm/Option/ArgList.h"
#include "llvm/Support/Error.h"

namespace mlirprof {

/// mlir-prof record with --target: counts instructions in an emulator.
llvm::Error recordTarget(const llvm::opt::InputArgList &arguments);

} // namespace mlirprof

#endif // MLIR_PROF_TOOLS_RECORDTARGET_H
