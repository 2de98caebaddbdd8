//===- CrashPlace.cpp - Where MLIR's parser crashes -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CrashPlace.h"
#include "llvm/ADT/StringExtras.h"

#include <chrono>

using namespace mlirprof;
using namespace mlirprof::module;
using llvm::StringRef;

static bool isNamePart(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.';
}

/// Whether an op's name may follow `before`: at the begin of a line or of a
/// block, after an equals sign, or in quotes there.
static bool canBeginOp(StringRef before) {
  before = before.rtrim("\" \t");
  return before.empty() || StringRef("\n\r={}:").contains(before.back());
}

/// The name of the last op that begins in `text`, or "": a word with a dot.
static StringRef findLastOp(StringRef text) {
  size_t end = text.size();
  while (end != 0) {
    while (end != 0 && !isNamePart(text[end - 1]))
      --end;
    size_t begin = end;
    while (begin != 0 && isNamePart(text[begin - 1]))
      --begin;
    StringRef word = text.slice(begin, end);
    if (word.contains('.') && llvm::isAlpha(word.front()) &&
        canBeginOp(text.take_front(begin)))
      return word;
    end = begin;
  }
  return "";
}

CrashPlace module::findCrashPlace(StringRef text,
                                  llvm::function_ref<bool(StringRef)> crashes) {
  using Clock = std::chrono::steady_clock;
  constexpr auto kPatience = std::chrono::seconds(10);
  Clock::time_point start = Clock::now();
  size_t works = 0, fails = text.size();
  // Otherwise another part than the parser crashes, or it does so at random.
  if (!crashes(text))
    return {};
  while (fails - works > 1) {
    if (Clock::now() - start > kPatience)
      return {};
    size_t middle = works + (fails - works) / 2;
    (crashes(text.take_front(middle)) ? fails : works) = middle;
  }
  StringRef read = text.take_front(fails);
  size_t line = read.count('\n') + 1;
  size_t column = read.size() - (read.rfind('\n') + 1);
  return {":" + std::to_string(line) + ":" + std::to_string(column),
          findLastOp(read).str()};
}
