//===- Printable.h - Names in printable form --------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_SUPPORT_PRINTABLE_H
#define MLIR_PROF_SUPPORT_PRINTABLE_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace mlirprof {

/// `text` as valid UTF-8 without anything that would control a terminal:
/// characters that are not printable become "\u{1b}".
std::string printable(llvm::StringRef text);

/// The same for messages, line by line. Lines after the first are indented, so
/// that a line break in a name does not look like another message.
std::string printableLines(llvm::StringRef text);

} // namespace mlirprof

#endif // MLIR_PROF_SUPPORT_PRINTABLE_H
