//===- Decimal.cpp - Times in other units ---------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decimal.h"
#include "mlir-prof/Report/JsonText.h"

using namespace mlirprof;
using namespace mlirprof::exporter;
using namespace mlirprof::report;

void exporter::writeDecimal(llvm::raw_ostream &os, int64_t value,
                            unsigned digits) {
  uint64_t magnitude = value < 0 ? 0 - uint64_t(value) : uint64_t(value);
  uint64_t unit = 1;
  for (unsigned i = 0; i < digits; ++i)
    unit *= 10;
  if (value < 0)
    os << '-';
  os << magnitude / unit;
  uint64_t fraction = magnitude % unit;
  if (fraction == 0)
    return;
  os << '.';
  for (unit /= 10; fraction != 0; fraction %= unit, unit /= 10) {
    os << char('0' + fraction / unit);
    if (unit == 1)
      break;
  }
}

std::string exporter::quoteJson(llvm::StringRef text) {
  std::string quoted;
  llvm::raw_string_ostream os(quoted);
  os << llvm::json::Value(toJsonText(text));
  return quoted;
}
