//===- Suggestions.h - Names that were nearly written ----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TOOLS_MLIR_PROF_SUGGESTIONS_H
#define MLIR_PROF_TOOLS_MLIR_PROF_SUGGESTIONS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace mlirprof {

/// The UsageError for a verb that does not exist.
llvm::Error unknownVerb(llvm::StringRef name);
/// The UsageError for an argument that `verb` does not take.
llvm::Error unknownOption(llvm::StringRef verb, llvm::StringRef text);

} // namespace mlirprof

#endif // MLIR_PROF_TOOLS_MLIR_PROF_SUGGESTIONS_H
