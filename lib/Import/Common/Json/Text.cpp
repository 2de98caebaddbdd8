//===- Text.cpp - Strings of JSON -----------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Text.h"
#include "llvm/Support/ConvertUTF.h"

using namespace mlirprof::importer;
using namespace mlirprof::importer::json;

/// The value of the four digits after "\u", or -1.
static int getUnit(llvm::StringRef text, size_t at) {
  unsigned unit = 0;
  if (at + 6 > text.size() || text[at] != '\\' || text[at + 1] != 'u' ||
      text.substr(at + 2, 4).getAsInteger(16, unit))
    return -1;
  return int(unit);
}

static void append(uint32_t codePoint, std::string &out) {
  char bytes[UNI_MAX_UTF8_BYTES_PER_CODE_POINT];
  char *next = bytes;
  if (!llvm::ConvertCodePointToUTF8(codePoint, next)) {
    out += "\xef\xbf\xbd";
    return;
  }
  out.append(bytes, size_t(next - bytes));
}

/// Appends the character encoded by the escape at `at`; returns the escape's
/// length.
static size_t appendEscape(llvm::StringRef text, size_t at, std::string &out) {
  constexpr llvm::StringLiteral kLetters = "bfnrt", kMeanings = "\b\f\n\r\t";
  char letter = at + 1 < text.size() ? text[at + 1] : '\0';
  size_t known = letter ? kLetters.find(letter) : llvm::StringRef::npos;
  if (known != llvm::StringRef::npos ||
      (letter && llvm::StringRef("\"\\/").contains(letter))) {
    out += known != llvm::StringRef::npos ? kMeanings[known] : letter;
    return 2;
  }
  int unit = getUnit(text, at);
  if (unit < 0) {
    out += '\\';
    return 1;
  }
  int second = unit >> 10 == 0x36 ? getUnit(text, at + 6) : -1;
  if (second >= 0 && second >> 10 == 0x37) {
    append(0x10000 + (uint32_t(unit & 0x3ff) << 10) + uint32_t(second & 0x3ff),
           out);
    return 12;
  }
  append(uint32_t(unit), out);
  return 6;
}

std::string mlirprof::importer::json::unescape(llvm::StringRef text) {
  std::string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    if (text[at] != '\\') {
      out += text[at++];
      continue;
    }
    at += appendEscape(text, at, out);
  }
  return out;
}
