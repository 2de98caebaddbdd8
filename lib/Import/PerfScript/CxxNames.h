//===- CxxNames.h - Printed forms of C++ functions --------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_PERFSCRIPT_CXXNAMES_H
#define MLIR_PROF_LIB_IMPORT_PERFSCRIPT_CXXNAMES_H

#include "mlir-prof/Support/MemoryBudget.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace mlirprof::importer::perfscript {

/// Adds to `found` the printed forms of the function that the linker calls
/// `name`: with the types of its arguments, and without, in which parts that an
/// optimizer made of it look alike. Adds none if it is not a C++ name. False,
/// with none added, for a name that is too long, or whose text may become too
/// long: longer than 64 KiB, or than what is left of `budget`, which is charged
/// for it.
bool addCxxSpellings(llvm::StringRef name, MemoryBudget &budget,
                     llvm::SmallVectorImpl<std::string> &found);

} // namespace mlirprof::importer::perfscript

#endif // MLIR_PROF_LIB_IMPORT_PERFSCRIPT_CXXNAMES_H
