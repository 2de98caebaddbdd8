//===- CompilerIdentity.h - All that determines code ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_COMPILE_CACHE_COMPILERIDENTITY_H
#define MLIR_PROF_LIB_COMPILE_CACHE_COMPILERIDENTITY_H

#include "mlir-prof/Compile/Compiler.h"

namespace mlirprof::compile {

/// Names all that determines the code of a kernel besides the kernel: the
/// pipeline, the target, options of the rules, and the builds of this program,
/// MLIR and LLVM.
std::string describeOptions(const CompileOptions &options);

} // namespace mlirprof::compile

#endif // MLIR_PROF_LIB_COMPILE_CACHE_COMPILERIDENTITY_H
