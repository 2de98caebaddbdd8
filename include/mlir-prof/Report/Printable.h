//===- Printable.h - Names as a terminal can show them ----------*- C++ -*-===//
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

/// The printable `text` as Markdown shows it: names come from models, and
/// nothing in them may be markup.
std::string escapeMarkdown(llvm::StringRef text);

/// Columns of a terminal that the printable `text` takes.
unsigned displayWidth(llvm::StringRef text);

/// The printable `text` with its middle replaced by an ellipsis where it is
/// wider than `width`: begin and end of a name tell it apart best.
std::string fitMiddle(llvm::StringRef text, unsigned width);

} // namespace mlirprof::report

#endif // MLIR_PROF_REPORT_PRINTABLE_H
