//===- OpNames.cpp - Names in HLO metadata --------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpNames.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::match;
using llvm::StringRef;

/// Position of the '(' that matches the ')' at the end of `name`.
static size_t findOpening(StringRef name) {
  size_t depth = 0;
  for (size_t i = name.size(); i-- > 0;) {
    if (name[i] == ')')
      ++depth;
    else if (name[i] == '(' && --depth == 0)
      return i;
  }
  return StringRef::npos;
}

/// Splits `text` at each ':' outside of parentheses.
static llvm::SmallVector<StringRef> splitAtColons(StringRef text) {
  llvm::SmallVector<StringRef> parts;
  size_t begin = 0, depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(')
      ++depth;
    else if (text[i] == ')')
      --depth;
    else if (text[i] == ':' && depth == 0) {
      parts.push_back(text.slice(begin, i));
      begin = i + 1;
    }
  }
  parts.push_back(text.drop_front(begin));
  return parts;
}

llvm::SmallVector<std::string, 1> match::expandOpName(llvm::StringRef opName) {
  llvm::SmallVector<std::string, 1> result;
  auto add = [&](std::string name) {
    if (!name.empty() && !llvm::is_contained(result, name))
      result.push_back(std::move(name));
  };
  llvm::SmallVector<StringRef> alternatives;
  opName.split(alternatives, ';');
  for (StringRef name : alternatives) {
    size_t opening = name.ends_with(")") ? findOpening(name) : StringRef::npos;
    StringRef prefix = name.take_front(opening);
    llvm::SmallVector<StringRef> parts;
    if (opening != StringRef::npos && (prefix.empty() || prefix.ends_with("/")))
      parts = splitAtColons(name.drop_front(opening + 1).drop_back());
    if (parts.size() < 2)
      add(name.str());
    else
      for (StringRef part : parts)
        add((prefix + part).str());
  }
  return result;
}
