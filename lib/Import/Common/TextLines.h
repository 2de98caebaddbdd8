//===- TextLines.h - Lines of a text ----------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_COMMON_TEXTLINES_H
#define MLIR_PROF_LIB_IMPORT_COMMON_TEXTLINES_H

#include "llvm/ADT/StringRef.h"

namespace mlirprof::importer {

/// Removes one line from `text` and returns it without its line end, of Unix or
/// of Windows.
inline llvm::StringRef takeLine(llvm::StringRef &text) {
  auto [line, rest] = text.split('\n');
  text = rest;
  line.consume_back("\r");
  return line;
}

} // namespace mlirprof::importer

#endif // MLIR_PROF_LIB_IMPORT_COMMON_TEXTLINES_H
