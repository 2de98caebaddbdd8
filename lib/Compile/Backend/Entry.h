//===- Entry.h - The entry function of a model ------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_COMPILE_BACKEND_ENTRY_H
#define MLIR_PROF_LIB_COMPILE_BACKEND_ENTRY_H

#include "mlir-prof/Compile/Compiler.h"
#include "llvm/IR/Module.h"

namespace mlirprof::compile {

/// Adds CompiledModel::entrySymbol, a function that takes an array of addresses
/// and calls the C interface of `entry`. Returns its name.
llvm::Expected<std::string> addEntry(llvm::Module &module,
                                     llvm::StringRef entry,
                                     const Signature &signature);

} // namespace mlirprof::compile

#endif // MLIR_PROF_LIB_COMPILE_BACKEND_ENTRY_H
