//===- Printable.cpp - Names in printable form ----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Report/Printable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Unicode.h"

using namespace mlirprof;
using namespace mlirprof::report;

/// The first character of `text`, which is valid UTF-8 and not empty.
static llvm::StringRef firstCharacter(llvm::StringRef text) {
  return text.take_front(llvm::getUTF8SequenceSize(
      text.bytes_begin(), text.bytes_begin() + text.size()));
}

std::string report::escapeMarkdown(llvm::StringRef text) {
  std::string result;
  for (char c : printable(text)) {
    if (llvm::StringRef("\\`*_{}[]<>()#+!|~&@").contains(c))
      result += '\\';
    result += c;
  }
  return result;
}

unsigned report::displayWidth(llvm::StringRef text) {
  if (llvm::all_of(text, llvm::isPrint))
    return unsigned(text.size());
  int width = llvm::sys::unicode::columnWidthUTF8(text);
  return width < 0 ? unsigned(text.size()) : unsigned(width);
}

std::string report::fitMiddle(llvm::StringRef text, unsigned width) {
  if (displayWidth(text) <= width)
    return text.str();
  llvm::SmallVector<llvm::StringRef> characters;
  for (llvm::StringRef rest = text; !rest.empty();) {
    characters.push_back(firstCharacter(rest));
    rest = rest.drop_front(characters.back().size());
  }
  // The ellipsis takes one column; the begin takes half of the others, the end
  // the rest.
  unsigned room = width ? width - 1 : 0;
  auto take = [](unsigned &room, auto &&range) {
    size_t taken = 0;
    for (llvm::StringRef character : range) {
      unsigned size = displayWidth(character);
      if (size > room)
        break;
      room -= size;
      ++taken;
    }
    return taken;
  };
  unsigned half = (room + 1) / 2;
  unsigned forHead = half;
  size_t head = take(forHead, characters);
  unsigned forTail = room - half + forHead;
  size_t tail =
      take(forTail, llvm::reverse(llvm::drop_begin(characters, head)));
  return llvm::join(llvm::ArrayRef(characters).take_front(head), "") +
         "\u2026" + llvm::join(llvm::ArrayRef(characters).take_back(tail), "");
}
