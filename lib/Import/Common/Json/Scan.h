//===- Scan.h - Where JSON values end ---------------------------*- C++ -*-===//
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

/// Behind the string whose opening quote is at `at`, or null when it does not
/// end.
const char *skipString(const char *at, const char *end);

/// Behind the value that begins at `at`, or null when it does not end. Looks at
/// nothing but strings, braces and brackets.
const char *skipValue(const char *at, const char *end);

/// Why a piece of an array ends where it does.
enum class CutReason : uint8_t {
  /// It is as long as it was to be; elements follow.
  Length,
  /// At the bracket that closes the array.
  ArrayEnd,
  /// The input ends within the array.
  InputEnd,
  /// A string has a control character in it: quotes do not stand where they
  /// should, so nothing from the piece's begin on is certain.
  Suspicious,
};

struct Cut {
  /// Behind a whole element, or at the closing bracket; for Suspicious where
  /// that was noticed.
  const char *end;
  CutReason reason;
};

/// Cuts a piece of whole elements, of at least `length` bytes, off the array
/// elements that begin at `begin`. Gives up, as Suspicious, on an element that
/// makes the piece longer than `limit`.
Cut cutElements(const char *begin, const char *end, size_t length,
                size_t limit);

} // namespace mlirprof::importer::json

#endif // MLIR_PROF_LIB_IMPORT_COMMON_JSON_SCAN_H
