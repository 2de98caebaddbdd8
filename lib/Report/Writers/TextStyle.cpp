//===- TextStyle.cpp - Bars and colors of text reports --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TextStyle.h"

using namespace mlirprof;
using namespace mlirprof::report;

void report::writeStyled(llvm::StringRef text, Style style, Color color,
                         llvm::raw_ostream &os) {
  if (style == Style::Plain || color == Color::Off) {
    os << text;
    return;
  }
  os << (style == Style::Heading ? "\x1b[1m"
         : style == Style::Hot   ? "\x1b[31m"
                                 : "\x1b[33m")
     << text << "\x1b[0m";
}

std::string report::makeBar(int64_t part, int64_t whole) {
  static constexpr llvm::StringLiteral kPartial[] = {
      "", "\u258f", "\u258e", "\u258d", "\u258c", "\u258b", "\u258a", "\u2589"};
  unsigned eighths = 0;
  if (whole > 0 && part > 0) {
    __int128 exact = (__int128(part) * kBarWidth * 16 / whole + 1) / 2;
    eighths = unsigned(std::clamp<__int128>(exact, 1, kBarWidth * 8));
  }
  std::string bar;
  for (unsigned i = 0; i < eighths / 8; ++i)
    bar += "\u2588";
  bar += kPartial[eighths % 8];
  bar.append(kBarWidth - (eighths + 7) / 8, ' ');
  return bar;
}

Style report::getHeatStyle(int64_t part, int64_t whole) {
  if (whole <= 0 || part <= 0)
    return Style::Plain;
  if (part >= whole / 10)
    return Style::Hot;
  return part >= whole / 100 ? Style::Warm : Style::Plain;
}
