//===- Printable.cpp - Names in printable form ----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Support/Printable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Unicode.h"

#include <tuple>

using namespace mlirprof;

std::string mlirprof::printable(llvm::StringRef text) {
  if (llvm::all_of(text, llvm::isPrint))
    return text.str();
  std::string valid = llvm::json::fixUTF8(text);
  std::string result;
  for (llvm::StringRef rest = valid; !rest.empty();) {
    llvm::StringRef character = rest.take_front(
        llvm::getUTF8SequenceSize(rest.bytes_begin(), rest.bytes_end()));
    rest = rest.drop_front(character.size());
    const llvm::UTF8 *begin = character.bytes_begin();
    llvm::UTF32 code = 0;
    llvm::convertUTF8Sequence(&begin, character.bytes_end(), &code,
                              llvm::strictConversion);
    if (llvm::sys::unicode::isPrintable(int(code)))
      result += character;
    else
      result += "\\u{" + llvm::utohexstr(code, /*LowerCase=*/true) + "}";
  }
  return result;
}

std::string mlirprof::printableLines(llvm::StringRef text) {
  auto [first, rest] = text.split('\n');
  std::string result = printable(first);
  while (first.size() != text.size()) {
    text = rest;
    std::tie(first, rest) = text.split('\n');
    bool isIndented = first.empty() || first.front() == ' ';
    result += (isIndented ? "\n" : "\n  ") + printable(first);
  }
  return result;
}
