//===- CrashPlace.h - Where the parser of MLIR crashes ----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_MODULE_CRASHPLACE_H
#define MLIR_PROF_LIB_MODULE_CRASHPLACE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace mlirprof::module {

/// A place in the text of a module on which MLIR's parser crashes.
struct CrashPlace {
  /// ":line:column" of the parser's position; "" if unknown.
  std::string place;
  /// The op that was parsed ("linalg.generic"), or "".
  std::string op;
};

/// Finds the shortest beginning of `text` for which `crashes` holds. A parser
/// reads from front to back, so a shorter one ends in an ordinary error. Gives
/// up after some seconds.
CrashPlace findCrashPlace(llvm::StringRef text,
                          llvm::function_ref<bool(llvm::StringRef)> crashes);

} // namespace mlirprof::module

#endif // MLIR_PROF_LIB_MODULE_CRASHPLACE_H
