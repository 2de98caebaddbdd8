//===- Text.h - Strings of JSON ---------------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_JSON_TEXT_H
#define MLIR_PROF_LIB_IMPORT_JSON_TEXT_H

#include "llvm/ADT/StringRef.h"

#include <simdjson.h>
#include <string>

namespace mlirprof::json {

/// The token that `value` begins with: a string with its quotes, a number, a
/// word; of an object or array only the bracket. Does not consume it.
inline llvm::StringRef getToken(simdjson::ondemand::value &value) {
  std::string_view token = value.raw_json_token();
  size_t size = token.size();
  while (size != 0 && uint8_t(token[size - 1]) <= ' ')
    --size;
  return llvm::StringRef(token.data(), size);
}

/// The text of a token without its quotes; escapes stay as they are.
inline llvm::StringRef stripQuotes(llvm::StringRef token) {
  if (token.size() >= 2 && token.front() == '"' && token.back() == '"')
    return token.drop_front().drop_back();
  return token;
}

/// The string that the text between two quotes stands for. Escapes that mean
/// nothing stay as they are; half of a surrogate pair becomes U+FFFD.
std::string unescape(llvm::StringRef text);

/// Reads an integer, perhaps within quotes.
template <typename T>
bool getInteger(llvm::StringRef token, T &value) {
  return !stripQuotes(token).getAsInteger(10, value);
}

} // namespace mlirprof::json

#endif // MLIR_PROF_LIB_IMPORT_JSON_TEXT_H
