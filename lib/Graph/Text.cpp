//===- Text.cpp - Text in pictures and markup -----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Graph/Text.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Format.h"

#include <cmath>

using namespace mlirprof;

static constexpr llvm::StringLiteral kReplacement = "\xEF\xBF\xBD";
static constexpr llvm::StringLiteral kEllipsis = "\xE2\x80\xA6";

/// Advance widths of U+0020 to U+007E in thousandths of the font's size.
static constexpr uint16_t kAdvance[] = {
    278, 278, 355, 556, 556,  889, 667, 222, 333, 333, 389, 584, 278, 333,
    278, 278, 556, 556, 556,  556, 556, 556, 556, 556, 556, 556, 278, 278,
    584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278,
    500, 667, 556, 833, 722,  778, 667, 778, 722, 667, 611, 722, 667, 944,
    667, 667, 611, 278, 278,  278, 469, 556, 222, 556, 556, 500, 556, 556,
    278, 556, 556, 222, 222,  500, 222, 833, 556, 556, 556, 556, 333, 500,
    278, 556, 500, 722, 500,  500, 500, 334, 260, 334, 584};
static_assert(std::size(kAdvance) == 0x7F - 0x20);

namespace {

/// One character of a text; `isValid` is false for a byte that is not UTF-8.
struct Character {
  llvm::StringRef bytes;
  uint32_t code = 0;
  bool isValid = false;
};

} // namespace

/// Takes the first character off `text`, which is not empty.
static Character takeCharacter(llvm::StringRef &text) {
  const auto *source = reinterpret_cast<const llvm::UTF8 *>(text.data());
  unsigned size = llvm::getNumBytesForUTF8(*source);
  Character character;
  character.isValid =
      size <= text.size() && llvm::isLegalUTF8Sequence(source, source + size);
  if (!character.isValid)
    size = 1;
  character.bytes = text.take_front(size);
  if (character.isValid) {
    const llvm::UTF8 *begin = source;
    llvm::UTF32 code = 0;
    llvm::UTF32 *target = &code;
    llvm::ConvertUTF8toUTF32(&begin, source + size, &target, target + 1,
                             llvm::strictConversion);
    character.code = code;
  }
  text = text.drop_front(size);
  return character;
}

static double advanceOf(const Character &character) {
  uint32_t code = character.code;
  if (!character.isValid)
    return 1;
  if (code >= 0x20 && code < 0x7F)
    return kAdvance[code - 0x20] / 1000.0;
  // Control characters are drawn as U+FFFD, East Asian ones fill the square.
  return code < 0x20 || code >= 0x1100 ? 1 : 0.65;
}

double graph::textWidth(llvm::StringRef text, double size, FontWeight weight) {
  double width = 0;
  while (!text.empty())
    width += advanceOf(takeCharacter(text));
  return width * size * (weight == FontWeight::Bold ? 1.08 : 1);
}

std::string graph::fitText(llvm::StringRef text, double size, double width,
                           FontWeight weight) {
  // Longer than any box is wide, whatever the characters.
  constexpr size_t kLooked = 4096;
  bool isCut = text.size() > kLooked;
  if (!isCut && textWidth(text, size, weight) <= width)
    return text.str();
  width -= textWidth(kEllipsis, size, weight);
  llvm::SmallVector<Character> characters;
  llvm::StringRef rest = text.take_front(kLooked);
  while (!rest.empty())
    characters.push_back(takeCharacter(rest));
  auto widthOf = [&](const Character &character) {
    return textWidth(character.bytes, size, weight);
  };
  // Names differ at both ends: keep two thirds of the head and the tail.
  size_t head = 0, tail = characters.size();
  double used = 0;
  while (head < tail && used + widthOf(characters[head]) <= width * 2 / 3)
    used += widthOf(characters[head++]);
  while (!isCut && tail > head && used + widthOf(characters[tail - 1]) <= width)
    used += widthOf(characters[--tail]);
  std::string result;
  for (size_t i = 0; i < head; ++i)
    result += characters[i].bytes;
  result += kEllipsis;
  for (size_t i = tail; !isCut && i < characters.size(); ++i)
    result += characters[i].bytes;
  return result;
}

std::string graph::shortTime(int64_t ps) {
  static constexpr struct {
    llvm::StringLiteral name;
    double ps;
  } kUnits[] = {{"s", 1e12}, {"ms", 1e9}, {"µs", 1e6}, {"ns", 1e3}};
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const auto &unit : kUnits) {
    double value = double(ps) / unit.ps;
    double size = std::fabs(value);
    // 999.6 ns is 1.00 µs with three digits.
    if (size < 0.9995)
      continue;
    os << llvm::format("%.*f ",
                       size < 9.995   ? 2
                       : size < 99.95 ? 1
                                      : 0,
                       value)
       << unit.name;
    return text;
  }
  os << ps << " ps";
  return text;
}

void graph::writeXml(llvm::raw_ostream &os, llvm::StringRef text) {
  while (!text.empty()) {
    Character character = takeCharacter(text);
    uint32_t code = character.code;
    if (!character.isValid || (code < 0x20 && code != '\n' && code != '\t') ||
        (code >= 0x7F && code < 0xA0) || code == 0xFFFE || code == 0xFFFF)
      os << kReplacement;
    else if (code == '&')
      os << "&amp;";
    else if (code == '<')
      os << "&lt;";
    else if (code == '>')
      os << "&gt;";
    else if (code == '"')
      os << "&quot;";
    else if (code == '\'')
      os << "&#39;";
    else
      os << character.bytes;
  }
}
