//===- MatchBuilder.cpp - From names and candidates to a match ------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatchBuilder.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::match;

namespace {

/// Maximum length of names quoted in a reason, in bytes.
constexpr size_t kMaxQuoted = 80;

std::string describeMissing(llvm::ArrayRef<std::string> names) {
  std::string text;
  for (const std::string &name : names) {
    if (!text.empty())
      text += ';';
    text += name;
    if (text.size() > kMaxQuoted)
      break;
  }
  if (text.size() > kMaxQuoted) {
    size_t cut = kMaxQuoted;
    // Does not cut within a character of several bytes.
    while (cut > 0 && (text[cut] & 0xC0) == 0x80)
      --cut;
    text.resize(cut);
    text += "...";
  }
  return "the module does not have an op named " + text;
}

MatchClass classify(size_t ops, size_t names, size_t missing) {
  if (ops == 0)
    return MatchClass::Unmatched;
  if (missing != 0)
    return MatchClass::Partial;
  if (ops == 1)
    return MatchClass::Unique;
  return names == 1 ? MatchClass::Ambiguous : MatchClass::Fused;
}

} // namespace

void MatchBuilder::addOps(llvm::StringRef name, llvm::ArrayRef<uint32_t> ops,
                          MatchTier tier) {
  std::vector<uint32_t> &known = found[name.str()];
  known.insert(known.end(), ops.begin(), ops.end());
  if (!ops.empty())
    worst = std::max(worst, tier);
}

Match MatchBuilder::build(llvm::StringRef reason) const {
  Match match;
  for (const auto &[name, ops] : found) {
    match.names.push_back(name);
    if (ops.empty())
      match.unmatched.push_back(name);
    match.ops.insert(match.ops.end(), ops.begin(), ops.end());
  }
  llvm::sort(match.ops);
  match.ops.erase(std::unique(match.ops.begin(), match.ops.end()),
                  match.ops.end());
  match.tier = worst;
  match.matchClass =
      classify(match.ops.size(), match.names.size(), match.unmatched.size());
  if (match.names.empty())
    match.reason = reason.str();
  else if (!match.unmatched.empty())
    match.reason = describeMissing(match.unmatched);
  return match;
}
