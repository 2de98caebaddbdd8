//===- SavedObject.h - Objects with their program ---------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_RECORD_SAVEDOBJECT_H
#define MLIR_PROF_RECORD_SAVEDOBJECT_H

#include "mlir-prof/Compile/Compiler.h"
#include "llvm/Support/raw_ostream.h"

namespace mlirprof::record {

/// Writes the object of `model` with its constants, and, unless it lacks
/// identities, with its program in a separate section (kProgramSection), so
/// that samples of other profilers in its code find their ops. Symbols other
/// than the functions to call and the state are local.
llvm::Error writeObject(const compile::CompiledModel &model,
                        llvm::raw_ostream &os);

} // namespace mlirprof::record

#endif // MLIR_PROF_RECORD_SAVEDOBJECT_H
