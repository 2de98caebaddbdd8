//===- ProfBytecode.h - Bytecode of the prof dialect ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_DIALECT_PROF_PROFBYTECODE_H
#define MLIR_PROF_LIB_DIALECT_PROF_PROFBYTECODE_H

#include "mlir-prof/Dialect/Prof/Prof.h"

namespace mlirprof::prof {

/// Adds the dialect's encoding of its attributes. Without it MLIR would write
/// them as text, at several times the size.
void addBytecodeInterface(ProfDialect &dialect);

} // namespace mlirprof::prof

#endif // MLIR_PROF_LIB_DIALECT_PROF_PROFBYTECODE_H
