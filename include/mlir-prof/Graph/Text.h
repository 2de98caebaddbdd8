//===- Text.h - Text in pictures and markup ---------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_GRAPH_TEXT_H
#define MLIR_PROF_GRAPH_TEXT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <string>

namespace mlirprof::graph {

enum class FontWeight : uint8_t { Regular, Bold };

/// Width of UTF-8 `text` in a sans-serif font of `size` pixels: at least its
/// width in Helvetica, Arial, and DejaVu Sans, which replaces them and is
/// wider.
double textWidth(llvm::StringRef text, double size,
                 FontWeight weight = FontWeight::Regular);

/// `text`, with its middle replaced by an ellipsis if it is wider than `width`.
std::string fitText(llvm::StringRef text, double size, double width,
                    FontWeight weight = FontWeight::Regular);

/// A share in percent with one digit: "27.6 %", "<0.1 %".
std::string shortShare(int64_t part, int64_t whole);

/// Writes `text` as the content of an XML element or attribute. Characters that
/// XML does not allow (control characters, broken UTF-8) become U+FFFD.
void writeXml(llvm::raw_ostream &os, llvm::StringRef text);

} // namespace mlirprof::graph

#endif // MLIR_PROF_GRAPH_TEXT_H
