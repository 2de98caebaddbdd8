//===- Mend.cpp - Mending almost valid JSON -------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mend.h"
#include "Scan.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"

using namespace mlirprof::importer;
using namespace mlirprof::importer::json;

namespace {

/// Events are not nested deeper than this.
constexpr size_t kMaxDepth = 256;

class Mender {
public:
  Mender(const char *end, std::string &out, Mended &mended)
      : end(end), out(out), mended(mended) {}

  const char *mend(const char *at);
  const MendStop &getStop() const { return stop; }

private:
  const char *mendString(const char *at);
  /// Copies one character of a string; returns the position after it.
  const char *copyCharacter(const char *at);
  const char *copyEscape(const char *at);
  bool endsString(const char *quote) const;
  bool endsValue(const char *next) const;
  bool isKey(const char *at) const;

  const char *end;
  std::string &out;
  Mended &mended;
  /// '{' or '[' for each open object or array.
  llvm::SmallVector<char, 16> open;
  MendStop stop;
  bool isAtKey = false;
};

/// Whether there is a key with its colon at `at`: a short one, without quotes
/// in it.
bool Mender::isKey(const char *at) const {
  if (at == end || *at != '"')
    return false;
  for (const char *c = at + 1; c < end && c - at < 64; ++c) {
    if (*c == '"') {
      c = skipSpace(c + 1, end);
      return c != end && *c == ':';
    }
    if (uint8_t(*c) < 0x20 || *c == '\\')
      return false;
  }
  return false;
}

/// Whether the text from `next` on can follow a value in the current context.
bool Mender::endsValue(const char *next) const {
  if (next == end)
    return false;
  if (open.back() == '[')
    return *next == ',' || *next == ']';
  if (*next == ',')
    return isKey(skipSpace(next + 1, end));
  if (*next != '}')
    return false;
  // After the brace an outer object or the array continues.
  next = skipSpace(next + 1, end);
  return next == end || *next == ',' || *next == '}' || *next == ']';
}

bool Mender::endsString(const char *quote) const {
  const char *next = skipSpace(quote + 1, end);
  if (isAtKey)
    return next != end && *next == ':';
  return endsValue(next);
}

const char *Mender::copyEscape(const char *at) {
  constexpr llvm::StringLiteral kSimple = "\"\\/bfnrt";
  char next = at + 1 < end ? at[1] : '\0';
  bool isUnicode = next == 'u' && end - at > 6 && llvm::isHexDigit(at[2]) &&
                   llvm::isHexDigit(at[3]) && llvm::isHexDigit(at[4]) &&
                   llvm::isHexDigit(at[5]);
  if (isUnicode || (next && kSimple.contains(next))) {
    size_t length = isUnicode ? 6 : 2;
    out.append(at, length);
    return at + length;
  }
  out += "\\\\";
  ++mended.characters;
  return at + 1;
}

const char *Mender::copyCharacter(const char *at) {
  if (*at == '\\')
    return copyEscape(at);
  uint8_t byte = uint8_t(*at);
  if (byte < 0x20) {
    out += "\\u00";
    out += llvm::hexdigit(byte >> 4);
    out += llvm::hexdigit(byte & 15);
    ++mended.characters;
    return at + 1;
  }
  unsigned length = llvm::getNumBytesForUTF8(byte);
  const auto *sequence = reinterpret_cast<const llvm::UTF8 *>(at);
  if (byte < 0x80) {
    out += *at;
  } else if (end - at >= ptrdiff_t(length) &&
             llvm::isLegalUTF8Sequence(sequence, sequence + length)) {
    out.append(at, length);
    return at + length;
  } else {
    out += "\xef\xbf\xbd";
    ++mended.bytes;
  }
  return at + 1;
}

const char *Mender::mendString(const char *at) {
  const char *begin = at;
  out += *at++;
  while (at < end && at - begin < kMaxString) {
    if (*at != '"') {
      at = copyCharacter(at);
      continue;
    }
    if (endsString(at)) {
      out += '"';
      return at + 1;
    }
    out += "\\\"";
    ++mended.quotes;
    ++at;
  }
  stop.reached = at;
  stop.hasLongString = at - begin >= kMaxString;
  return nullptr;
}

const char *Mender::mend(const char *at) {
  while (at && at < end) {
    stop.reached = at;
    char c = *at;
    if (c == '"') {
      at = mendString(at);
      isAtKey = false;
      continue;
    }
    out += c;
    ++at;
    if (c == '{' || c == '[') {
      if (open.size() == kMaxDepth)
        return nullptr;
      open.push_back(c);
      isAtKey = c == '{';
    } else if (c == '}' || c == ']') {
      if (open.empty() || open.back() != (c == '}' ? '{' : '['))
        return nullptr;
      open.pop_back();
      if (open.empty())
        return at;
      isAtKey = false;
    } else if (c == ',') {
      isAtKey = open.back() == '{';
    }
  }
  return nullptr;
}

} // namespace

const char *mlirprof::importer::json::mendObject(const char *at,
                                                 const char *end,
                                                 std::string &out,
                                                 Mended &mended,
                                                 MendStop &stop) {
  stop = {at, false};
  if (at == end || *at != '{')
    return nullptr;
  out.clear();
  Mender mender(end, out, mended);
  const char *behind = mender.mend(at);
  stop = mender.getStop();
  return behind;
}

const char *mlirprof::importer::json::findElement(const char *at,
                                                  const char *end) {
  for (; at < end; ++at) {
    if (*at != '}')
      continue;
    const char *next = skipSpace(at + 1, end);
    if (next == end || *next != ',')
      continue;
    next = skipSpace(next + 1, end);
    if (next == end || *next != '{')
      continue;
    const char *key = skipSpace(next + 1, end);
    if (key != end && (*key == '"' || *key == '}'))
      return next;
  }
  return end;
}
