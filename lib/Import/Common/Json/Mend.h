//===- Mend.h - Mending almost valid JSON -----------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_COMMON_JSON_MEND_H
#define MLIR_PROF_LIB_IMPORT_COMMON_JSON_MEND_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace mlirprof::importer::json {

/// Number of mended errors, by kind.
struct Mended {
  /// Quotes within strings that should have been escaped.
  uint64_t quotes = 0;
  /// Control characters in strings, and backslashes without a valid escape.
  uint64_t characters = 0;
  /// Bytes that are not UTF-8; replaced by U+FFFD.
  uint64_t bytes = 0;

  bool operator==(const Mended &other) const {
    return quotes == other.quotes && characters == other.characters &&
           bytes == other.bytes;
  }
};

/// Longer strings are assumed to be unterminated.
inline constexpr ptrdiff_t kMaxString = ptrdiff_t(16) << 20;

/// The position and reason of a failure of mendObject.
struct MendStop {
  /// How far the object was scanned.
  const char *reached = nullptr;
  /// A string in it is longer than kMaxString.
  bool hasLongString = false;
};

/// Copies the object at `at` to `out` as valid JSON. Returns the position after
/// it, or null, with `out` undefined, if it is cut off or cannot be understood;
/// `stop` then states where and why.
///
/// A quote ends a string only if JSON can continue after it: a key before a
/// colon; a value before a bracket, the end of its object, or a comma with the
/// next value or key. Any other quote is treated as part of the string. In
/// practice, unescaped names almost never contain text of such a form.
const char *mendObject(const char *at, const char *end, std::string &out,
                       Mended &mended, MendStop &stop);

/// The next position from `at` on where an element of an array may begin: an
/// opening brace after a comma, followed by a key. `end` if there is none.
const char *findElement(const char *at, const char *end);

} // namespace mlirprof::importer::json

#endif // MLIR_PROF_LIB_IMPORT_COMMON_JSON_MEND_H
