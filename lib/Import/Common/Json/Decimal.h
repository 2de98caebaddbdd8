//===- Decimal.h - Times from decimal text ----------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_COMMON_JSON_DECIMAL_H
#define MLIR_PROF_LIB_IMPORT_COMMON_JSON_DECIMAL_H

#include "llvm/ADT/StringRef.h"

namespace mlirprof::importer::json {

/// A time before its origin is subtracted: microseconds since the epoch do not
/// fit into 64 bits of picoseconds.
using WidePs = __int128;

/// Times further apart than this, a month, do not belong to one recording.
inline constexpr WidePs kMostPs = WidePs(2592000) * 1000000000000;

/// Rounds down to whole nanoseconds, the unit of anchors.
template <typename T>
T floorToNs(T ps) {
  return ps - ((ps % 1000) + 1000) % 1000;
}

/// Units of a decimal number, as the number of decimal digits down to ps.
enum class DecimalUnit : int {
  Seconds = 12,
  Milliseconds = 9,
  Microseconds = 6,
  Nanoseconds = 3,
  Picoseconds = 0,
};

/// Reads a decimal number as JSON writes it ("4390513075332.830", "-1", "1e3"),
/// possibly within quotes, as picoseconds, without conversion to a double.
/// Fractions of a picosecond are rounded. False if it is not a number, or its
/// value has more than 34 digits of picoseconds.
bool parseDecimalTime(llvm::StringRef text, DecimalUnit unit, WidePs &ps);

} // namespace mlirprof::importer::json

#endif // MLIR_PROF_LIB_IMPORT_COMMON_JSON_DECIMAL_H
