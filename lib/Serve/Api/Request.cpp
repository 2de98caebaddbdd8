//===- Request.cpp - Parts of requests ------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Api.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlirprof;
using namespace mlirprof::serve;

llvm::StringRef Request::get(llvm::StringRef name) const {
  for (const auto &[key, value] : parameters)
    if (key == name)
      return value;
  return "";
}

bool Request::has(llvm::StringRef name) const {
  for (const auto &[key, value] : parameters)
    if (key == name)
      return true;
  return false;
}

std::vector<std::string> Request::getAll(llvm::StringRef name) const {
  std::vector<std::string> values;
  for (const auto &[key, value] : parameters)
    if (key == name)
      values.push_back(value);
  return values;
}

int64_t Request::getInteger(llvm::StringRef name, int64_t absent) const {
  int64_t value = absent;
  if (has(name))
    get(name).getAsInteger(10, value);
  return value;
}

std::optional<std::string> serve::decodeUrl(llvm::StringRef text,
                                            bool isQuery) {
  std::string decoded;
  for (size_t i = 0; i != text.size(); ++i) {
    char c = text[i];
    if (c == '%') {
      if (i + 2 >= text.size() || !llvm::isHexDigit(text[i + 1]) ||
          !llvm::isHexDigit(text[i + 2]))
        return std::nullopt;
      c = char(llvm::hexFromNibbles(text[i + 1], text[i + 2]));
      i += 2;
    } else if (c == '+' && isQuery) {
      c = ' ';
    }
    if (c == 0)
      return std::nullopt;
    decoded += c;
  }
  return decoded;
}

std::optional<Fields> serve::parseQuery(llvm::StringRef query) {
  Fields fields;
  llvm::SmallVector<llvm::StringRef> parts;
  query.split(parts, '&', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef part : parts) {
    auto [name, value] = part.split('=');
    auto key = decodeUrl(name, true), text = decodeUrl(value, true);
    if (!key || !text)
      return std::nullopt;
    fields.emplace_back(std::move(*key), std::move(*text));
  }
  return fields;
}

/// Whether arrays and objects of JSON are nested deeper than `most` levels.
/// Brackets in strings do not count.
static bool isDeeperThan(llvm::StringRef json, int most) {
  int depth = 0;
  bool isInString = false, isEscaped = false;
  for (char c : json) {
    if (isEscaped) {
      isEscaped = false;
    } else if (isInString) {
      isEscaped = c == '\\';
      isInString = c != '"';
    } else {
      isInString = c == '"';
      depth += (c == '{' || c == '[') - (c == '}' || c == ']');
      if (depth > most)
        return true;
    }
  }
  return false;
}

llvm::Expected<llvm::json::Object> serve::parseBody(const Request &request) {
  // The parser calls itself for each level.
  constexpr int kMostDepth = 32;
  if (isDeeperThan(request.body, kMostDepth))
    return requestError(400, "bad-body", "the body is nested too deeply");
  auto value = llvm::json::parse(request.body);
  if (!value)
    return requestError(400, "bad-body",
                        "the body is not JSON: " +
                            llvm::toString(value.takeError()));
  if (!value->getAsObject())
    return requestError(400, "bad-body", "the body is not an object of JSON");
  return std::move(*value->getAsObject());
}
