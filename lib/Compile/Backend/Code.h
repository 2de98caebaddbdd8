//===- Code.h - Reading machine code ----------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_COMPILE_BACKEND_CODE_H
#define MLIR_PROF_LIB_COMPILE_BACKEND_CODE_H

#include "mlir-prof/Profile/Program.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace mlirprof::compile {

/// Sets functions, loops and instructions of `program` from `object`, whose
/// debug lines are (index of a node of the last level) + 1.
llvm::Error readCode(llvm::StringRef object, const llvm::TargetMachine &machine,
                     profile::Program &program);

} // namespace mlirprof::compile

#endif // MLIR_PROF_LIB_COMPILE_BACKEND_CODE_H
