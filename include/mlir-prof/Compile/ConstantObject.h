//===- ConstantObject.h - An object with its constants ----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_COMPILE_CONSTANTOBJECT_H
#define MLIR_PROF_COMPILE_CONSTANTOBJECT_H

#include "mlir-prof/Compile/Compiler.h"

namespace mlirprof::compile {

/// The read-only section of constants that addConstants adds.
inline constexpr llvm::StringLiteral kConstantSection = ".rodata.mlirprof";

/// The object of `model` together with its constants, so that it does not need
/// anything but libraries. Constants of a page or more begin at a page.
llvm::Expected<std::string> addConstants(const CompiledModel &model);

/// An object with the constants of `model` alone, for the machine of its code.
llvm::Expected<std::string> writeConstants(const CompiledModel &model);

} // namespace mlirprof::compile

#endif // MLIR_PROF_COMPILE_CONSTANTOBJECT_H
