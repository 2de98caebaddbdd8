//===- Text.h - Strings of JSON ---------------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_COMMON_JSON_TEXT_H
#define MLIR_PROF_LIB_IMPORT_COMMON_JSON_TEXT_H

#include "llvm/ADT/StringRef.h"

#include <cstring>
#include <simdjson.h>
#include <string>

namespace mlirprof::importer::json {

/// The first token of `value`: a string with its quotes, a number, a word; for
/// an object or array only the bracket. Does not consume it.
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

/// Sets `text` to the text of `value` in the file if it is an array.
inline simdjson::error_code getArrayText(simdjson::ondemand::value &value,
                                         llvm::StringRef &text) {
  simdjson::ondemand::array array;
  if (value.type().value_unsafe() != simdjson::ondemand::json_type::array)
    return simdjson::SUCCESS;
  std::string_view raw;
  if (auto error = value.get_array().get(array))
    return error;
  if (auto error = array.raw_json().get(raw))
    return error;
  text = raw;
  return simdjson::SUCCESS;
}

/// `text` without blanks and line ends, for comparing lists of numbers.
inline std::string dropSpace(llvm::StringRef text) {
  std::string dense;
  for (char c : text)
    if (uint8_t(c) > ' ')
      dense += c;
  return dense;
}

/// Decodes the text between two quotes. Invalid escapes are kept; half of a
/// surrogate pair becomes U+FFFD.
std::string unescape(llvm::StringRef text);

/// A key in the parser's buffer, which continues after it far enough for any
/// literal.
class RawKey {
public:
  explicit RawKey(simdjson::ondemand::raw_json_string key) : at(key.raw()) {}

  template <size_t N>
  bool operator==(const char (&literal)[N]) const {
    static_assert(N <= simdjson::SIMDJSON_PADDING);
    return std::memcmp(at, literal, N - 1) == 0 && at[N - 1] == '"';
  }
  char front() const { return *at; }
  /// Its text; escapes stay as they are.
  llvm::StringRef text() const {
    const char *end = at;
    while (*end != '"')
      end += *end == '\\' ? 2 : 1;
    return llvm::StringRef(at, size_t(end - at));
  }

private:
  const char *at;
};

/// Reads an integer, possibly within quotes.
template <typename T>
bool getInteger(llvm::StringRef token, T &value) {
  return !stripQuotes(token).getAsInteger(10, value);
}

} // namespace mlirprof::importer::json

#endif // MLIR_PROF_LIB_IMPORT_COMMON_JSON_TEXT_H
