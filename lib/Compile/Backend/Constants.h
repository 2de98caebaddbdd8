//===- Constants.h - Constants outside of the object ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_COMPILE_BACKEND_CONSTANTS_H
#define MLIR_PROF_LIB_COMPILE_BACKEND_CONSTANTS_H

#include "mlir-prof/Compile/Compiler.h"

namespace mlirprof::compile {

/// Turns constants of `module` (LLVM dialect) of at least `minimum` bytes into
/// declarations, and moves them to `model`: LLVM would copy gigabytes of
/// weights into the object, and use several times as much memory.
void cutConstants(mlir::ModuleOp module, uint64_t minimum,
                  CompiledModel &model);

/// Does so with all constants, and names each by its bytes, "PREFIX_constant_"
/// and a hash: those of the same bytes become one. The symbols are hidden, for
/// objects that are linked together.
void shareConstants(mlir::ModuleOp module, llvm::StringRef prefix,
                    CompiledModel &model);

/// A copy of the `size` bytes of a constant's value, elements or a number, as
/// laid out in memory; none if they cannot be obtained that way.
std::optional<std::vector<char>> readConstant(mlir::Attribute value,
                                              uint64_t size);

} // namespace mlirprof::compile

#endif // MLIR_PROF_LIB_COMPILE_BACKEND_CONSTANTS_H
