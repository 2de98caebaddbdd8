//===- Words.cpp - The words of an identifier -----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Words.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlirprof;
using namespace mlirprof::advise;

/// Whether a word begins at `i`, whose neighbors are letters or digits.
static bool isBoundary(llvm::StringRef name, size_t i) {
  auto isUpper = [&](size_t at) {
    return at < name.size() && name[at] >= 'A' && name[at] <= 'Z';
  };
  auto isLower = [&](size_t at) {
    return at < name.size() && name[at] >= 'a' && name[at] <= 'z';
  };
  return isUpper(i) && (!isUpper(i - 1) || isLower(i + 1));
}

llvm::SmallVector<std::string> advise::splitWords(llvm::StringRef name) {
  llvm::SmallVector<std::string> words;
  std::string word;
  auto close = [&] {
    if (!word.empty())
      words.push_back(std::move(word));
    word.clear();
  };
  for (size_t i = 0; i < name.size(); ++i) {
    if (!llvm::isAlnum(name[i])) {
      close();
      continue;
    }
    if (!word.empty() && isBoundary(name, i))
      close();
    word += llvm::toLower(name[i]);
  }
  close();
  return words;
}

bool advise::hasWord(llvm::StringRef name,
                     llvm::ArrayRef<llvm::StringLiteral> words) {
  return llvm::any_of(splitWords(name), [&](const std::string &word) {
    return llvm::is_contained(words, llvm::StringRef(word));
  });
}

bool advise::isWaiting(llvm::StringRef name) {
  static constexpr llvm::StringLiteral kWords[] = {
      "wait", "waiting", "await", "block", "sleep",
      "idle", "park",    "join",  "poll",  "synchronize"};
  return hasWord(name, kWords);
}
