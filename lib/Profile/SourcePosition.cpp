//===- SourcePosition.cpp - Places in a user's program --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Profile/SourcePosition.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using llvm::StringRef;

/// "21" or "21:5".
static bool parsePlace(StringRef text, SourcePosition &position) {
  auto [line, column] = text.split(':');
  bool hasColumn = line.size() != text.size();
  return !line.getAsInteger(10, position.line) &&
         (!hasColumn || !column.getAsInteger(10, position.column));
}

/// The part of `text` up to a parenthesis at `end`.
static bool parseFile(StringRef text, size_t end, SourcePosition &position) {
  size_t begin = text.take_front(end).rfind('(');
  if (begin == StringRef::npos || begin == 0 ||
      !parsePlace(text.slice(begin + 1, end), position))
    return false;
  position.file = text.take_front(begin).str();
  return true;
}

SourcePosition profile::parseFrame(StringRef text) {
  SourcePosition position;
  // For a function without a name, the colon may follow nevertheless.
  auto isText = [&] {
    std::string printed = printFrame(position);
    return printed == text ||
           (position.function.empty() && printed + ": " == text);
  };
  // Files and functions may contain any of these characters.
  for (size_t end = text.find("): "); end != StringRef::npos;
       end = text.find("): ", end + 1)) {
    position = {};
    if (!parseFile(text, end, position))
      continue;
    position.function = text.drop_front(end + 3).str();
    if (isText())
      return position;
  }
  position = {};
  if (text.ends_with(")") && parseFile(text, text.size() - 1, position) &&
      isText())
    return position;
  return {"", 0, 0, text.str()};
}

std::string profile::printFrame(const SourcePosition &position) {
  if (position.file.empty())
    return position.function;
  std::string text = position.file + "(" + std::to_string(position.line);
  if (position.column)
    text += ":" + std::to_string(position.column);
  text += ")";
  return position.function.empty() ? text : text + ": " + position.function;
}
