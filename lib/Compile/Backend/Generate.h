//===- Generate.h - LLVM's code generator on code of a model ----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_COMPILE_BACKEND_GENERATE_H
#define MLIR_PROF_LIB_COMPILE_BACKEND_GENERATE_H

#include "mlir-prof/Compile/Backend.h"

namespace llvm {
class Function;
class Module;
class TargetMachine;
class raw_pwrite_stream;
} // namespace llvm

namespace mlirprof::compile {

/// Whether `function` runs each instruction at most once, and does little but
/// pass on addresses and sizes to calls.
bool isListOfCalls(const llvm::Function &function);

/// Whether `module` consists of lists of calls for which optimization takes
/// longer than it saves.
bool isLongList(llvm::Module &module);

/// Writes an object with the code of `module`. Returns false if `machine` does
/// not have objects.
bool generateCode(llvm::Module &module, llvm::TargetMachine &machine,
                  const BackendOptions &options, llvm::raw_pwrite_stream &os);

} // namespace mlirprof::compile

#endif // MLIR_PROF_LIB_COMPILE_BACKEND_GENERATE_H
