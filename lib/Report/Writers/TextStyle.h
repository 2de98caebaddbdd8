//===- TextStyle.h - Bars and colors of text reports ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_REPORT_WRITERS_TEXTSTYLE_H
#define MLIR_PROF_LIB_REPORT_WRITERS_TEXTSTYLE_H

#include "mlir-prof/Report/Writer.h"

namespace mlirprof::report {

enum class Style : uint8_t { Plain, Heading, Hot, Warm };

/// Writes `text` in `style` if color is on.
void writeStyled(llvm::StringRef text, Style style, Color color,
                 llvm::raw_ostream &os);

/// `part` of `whole` as a bar of kBarWidth characters, in eighths of
/// characters; any part above 0 shows at least one eighth. Blank if `whole` is
/// not positive.
std::string makeBar(int64_t part, int64_t whole);
inline constexpr unsigned kBarWidth = 8;

/// Hot from a tenth of the whole, warm from a hundredth.
Style getHeatStyle(int64_t part, int64_t whole);

/// The lines above the rows: for recordings by mlir-prof, the number of
/// iterations and their duration.
void writeHeader(const Report &report, const WriteOptions &options,
                 llvm::raw_ostream &os);

/// The lines below the rows: the number of rows, coverage, reasons for time
/// without an owner, losses.
void writeFooter(const Report &report, const WriteOptions &options,
                 llvm::raw_ostream &os);

} // namespace mlirprof::report

#endif // MLIR_PROF_LIB_REPORT_WRITERS_TEXTSTYLE_H
