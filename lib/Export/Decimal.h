//===- Decimal.h - Times in other units -------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_EXPORT_DECIMAL_H
#define MLIR_PROF_LIB_EXPORT_DECIMAL_H

#include "llvm/Support/raw_ostream.h"

#include <cstdint>

namespace mlirprof::exporter {

/// Writes `value` / 10^`digits` exactly, without a trailing fraction of zeros:
/// picoseconds with 3 digits are nanoseconds, with 6 microseconds.
void writeDecimal(llvm::raw_ostream &os, int64_t value, unsigned digits);

/// `text` as a JSON string with its quotes; invalid UTF-8 becomes U+FFFD.
std::string quoteJson(llvm::StringRef text);

/// Rounds down, also below 0, which preserves the order of begins and ends.
inline int64_t floorDivide(int64_t value, int64_t by) {
  return value / by - (value % by < 0);
}

} // namespace mlirprof::exporter

#endif // MLIR_PROF_LIB_EXPORT_DECIMAL_H
