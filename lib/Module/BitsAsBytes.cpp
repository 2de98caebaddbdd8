//===- BitsAsBytes.cpp - Constants of i1 by other versions of MLIR --------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BitsAsBytes.h"
#include "llvm/ADT/StringExtras.h"

#include <optional>

using namespace mlirprof;
using llvm::StringRef;

/// The number of elements of the shaped type of i1 with which `text` begins,
/// such as "tensor<4x8xi1>".
static std::optional<uint64_t> countElements(StringRef text) {
  if (!text.consume_front("tensor<") && !text.consume_front("vector<"))
    return std::nullopt;
  uint64_t count = 1;
  while (!text.consume_front("i1>")) {
    uint64_t size = 0;
    if (text.consumeInteger(10, size) || !text.consume_front("x") ||
        __builtin_mul_overflow(count, size, &count))
      return std::nullopt;
  }
  return count;
}

/// Whether `digits` are bytes of 0 and 1.
static bool areFlags(StringRef digits) {
  for (size_t at = 0; at + 1 < digits.size(); at += 2)
    if (digits[at] != '0' || (digits[at + 1] != '0' && digits[at + 1] != '1'))
      return false;
  return digits.size() % 2 == 0;
}

/// The bits of these flags as digits, the first one lowest.
static std::string pack(StringRef digits) {
  std::string packed;
  for (size_t at = 0; at < digits.size(); at += 16) {
    unsigned byte = 0;
    for (size_t bit = 0; bit != 8 && at + 2 * bit < digits.size(); ++bit)
      byte |= unsigned(digits[at + 2 * bit + 1] == '1') << bit;
    packed += llvm::hexdigit(byte >> 4);
    packed += llvm::hexdigit(byte & 15);
  }
  return packed;
}

std::string module::packBits(StringRef text) {
  std::string changed;
  size_t end = 0;
  // Most of a text may be digits: between quotes, nothing else is looked for.
  for (size_t begin = text.find('"'); begin != StringRef::npos; begin = end) {
    end = text.find('"', begin + 1);
    StringRef digits = text.slice(begin + 1, end), rest = text.substr(end);
    if (!text.take_front(begin).ends_with("dense<") ||
        !digits.consume_front("0x") || !rest.consume_front("\"> : "))
      continue;
    std::optional<uint64_t> count = countElements(rest);
    // One element is a byte in both forms, and one byte is for all elements.
    if (!count || *count < 2 || digits.size() / 2 != *count ||
        !areFlags(digits))
      continue;
    if (changed.empty())
      changed = text.str();
    std::string packed = pack(digits) + "\"";
    packed.resize(digits.size() + 1, ' ');
    changed.replace(end - digits.size(), packed.size(), packed);
  }
  return changed;
}
