//===- HostFunctions.h - Functions that a library's host has ----*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_COMPILE_LIBRARY_HOSTFUNCTIONS_H
#define MLIR_PROF_LIB_COMPILE_LIBRARY_HOSTFUNCTIONS_H

#include "mlir-prof/Codegen/Target.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace mlirprof::compile {

/// An object that defines the functions of prof_model_host for a model's code.
llvm::Expected<std::string>
emitHostFunctions(const codegen::TargetModel &target);

/// Libraries that the loader opens with a model.
llvm::ArrayRef<llvm::StringRef> getNeededLibraries();

/// Whether `name` is a function of mathematics in the C library, for double or
/// float, that takes and returns numbers, and so reaches no memory.
bool isMathFunction(llvm::StringRef name);

/// Fails if `library`, a linked one, needs a function that neither its host has
/// nor is one of mathematics or copies memory.
llvm::Error checkNeededFunctions(llvm::StringRef library);

} // namespace mlirprof::compile

#endif // MLIR_PROF_LIB_COMPILE_LIBRARY_HOSTFUNCTIONS_H
