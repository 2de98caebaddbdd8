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

using namespace mlirprof;
using namespace mlirprof::graph;
using graph::FontWeight;

static constexpr llvm::StringLiteral kReplacement = "\xEF\xBF\xBD";
static constexpr llvm::StringLiteral kEllipsis = "\xE2\x80\xA6";

/// Advance widths of U+0020 to U+007E in thousandths of the font size: for each
/// character the larger of Helvetica's and DejaVu Sans', which browsers use if
/// neither Helvetica nor Arial is available.
static constexpr uint16_t kAdvance[] = {
    318, 401, 460, 838, 637,  951, 780, 275, 391, 391, 500, 838, 318, 361,
    318, 337, 637, 637, 637,  637, 637, 637, 637, 637, 637, 637, 337, 337,
    838, 838, 838, 556, 1015, 685, 687, 722, 771, 667, 611, 778, 752, 295,
    500, 667, 558, 863, 749,  788, 667, 788, 722, 667, 611, 732, 685, 989,
    686, 667, 686, 391, 337,  391, 838, 556, 500, 613, 635, 550, 635, 616,
    353, 635, 634, 278, 278,  580, 278, 975, 634, 612, 635, 635, 412, 521,
    393, 634, 592, 818, 592,  592, 525, 637, 337, 637, 838};
static constexpr uint16_t kBoldAdvance[] = {
    349, 457, 521, 838, 696,  1002, 873, 307,  458, 458, 523, 838, 380, 416,
    380, 366, 696, 696, 696,  696,  696, 696,  696, 696, 696, 696, 400, 400,
    838, 838, 838, 611, 1000, 774,  763, 734,  831, 684, 684, 821, 837, 373,
    556, 775, 638, 996, 837,  851,  733, 851,  771, 721, 683, 813, 774, 1104,
    771, 725, 726, 458, 366,  458,  838, 556,  500, 675, 716, 593, 716, 679,
    436, 716, 712, 343, 343,  666,  343, 1042, 712, 688, 716, 716, 494, 596,
    479, 712, 652, 924, 646,  652,  583, 712,  366, 712, 838};
static_assert(std::size(kAdvance) == 0x7F - 0x20);
static_assert(std::size(kBoldAdvance) == 0x7F - 0x20);

namespace {

/// One character of a text; `isValid` is false for a byte that is not UTF-8.
struct Character {
  llvm::StringRef bytes;
  uint32_t code = 0;
  bool isValid = false;
};

} // namespace

/// Removes the first character from `text`, which is not empty, and returns it.
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

static double advanceOf(const Character &character, FontWeight weight) {
  constexpr uint32_t kMiddleDot = 0xB7;
  uint32_t code = character.code;
  if (!character.isValid)
    return 1;
  if (code >= 0x20 && code < 0x7F)
    return (weight == FontWeight::Bold ? kBoldAdvance : kAdvance)[code - 0x20] /
           1000.0;
  if (code == kMiddleDot)
    return 0.38;
  // Control characters are drawn as U+FFFD; East Asian characters fill the em
  // square.
  return code < 0x20 || code >= 0x1100 ? 1 : 0.85;
}

double graph::textWidth(llvm::StringRef text, double size, FontWeight weight) {
  double width = 0;
  while (!text.empty())
    width += advanceOf(takeCharacter(text), weight);
  return width * size;
}

std::string graph::fitText(llvm::StringRef text, double size, double width,
                           FontWeight weight) {
  // Wider than any box, whatever the characters.
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
  // Names differ at both ends: keep two thirds of the text from the head and
  // the rest from the tail.
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

std::string graph::shortShare(int64_t part, int64_t whole) {
  double percent = whole > 0 ? 100.0 * double(part) / double(whole) : 0;
  if (percent > 0 && percent < 0.05)
    return "<0.1 %";
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.1f %%", percent);
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
