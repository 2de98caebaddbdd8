//===- Printable.h - Names in printable form --------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_REPORT_PRINTABLE_H
#define MLIR_PROF_REPORT_PRINTABLE_H

#include "mlir-prof/Support/Printable.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace mlirprof::report {

/// Escapes the printable `text` for Markdown: names come from models, and must
/// not act as markup.
std::string escapeMarkdown(llvm::StringRef text);

/// The number of terminal columns that the printable `text` occupies.
unsigned displayWidth(llvm::StringRef text);

/// The printable `text`, with its middle replaced by an ellipsis if it is wider
/// than `width`: the begin and the end of a name distinguish it best.
std::string fitMiddle(llvm::StringRef text, unsigned width);

} // namespace mlirprof::report

#endif // MLIR_PROF_REPORT_PRINTABLE_H
