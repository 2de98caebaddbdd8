//===- Scan.h - Finding the ends of JSON values -----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_COMMON_JSON_SCAN_H
#define MLIR_PROF_LIB_IMPORT_COMMON_JSON_SCAN_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace mlirprof::importer::json {

inline bool isSpace(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

inline const char *skipSpace(const char *at, const char *end) {
  while (at != end && isSpace(*at))
    ++at;
  return at;
}

/// The position after the string whose opening quote is at `at`, or null if it
/// does not end.
const char *skipString(const char *at, const char *end);

/// The position after the value that begins at `at`, or null if it does not
/// end. Examines only strings, braces and brackets.
const char *skipValue(const char *at, const char *end);

/// Why a piece of an array ends.
enum class CutReason : uint8_t {
  /// It has the requested length; elements follow.
  Length,
  /// At the bracket that closes the array.
  ArrayEnd,
  /// The input ends within the array.
  InputEnd,
  /// A string contains a control character: quotes are misplaced, so everything
  /// from the piece's begin on is unreliable.
  Suspicious,
};

struct Cut {
  /// The position after a complete element, or at the closing bracket; for
  /// Suspicious, where the problem was found.
  const char *end;
  CutReason reason;
};

/// Cuts a piece of complete elements, of at least `length` bytes, from the
/// array elements that begin at `begin`. Gives up, as Suspicious, on an element
/// that makes the piece longer than `limit`.
Cut cutElements(const char *begin, const char *end, size_t length,
                size_t limit);

} // namespace mlirprof::importer::json

#endif // MLIR_PROF_LIB_IMPORT_COMMON_JSON_SCAN_H
