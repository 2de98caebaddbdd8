//===- Decimal.cpp - Times from decimal text ------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decimal.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compiler.h"

using namespace mlirprof::importer;
using namespace mlirprof::importer::json;

/// A larger time value is invalid, whatever its unit.
static constexpr int kMaxDigits = 34;

/// The common form: at most 19 digits, possibly with a decimal point, without
/// an exponent.
static bool parseShort(llvm::StringRef text, int digitsToPs, WidePs &ps) {
  if (text.size() > 20)
    return false;
  uint64_t value = 0;
  int decimals = -1;
  for (char c : text) {
    if (LLVM_LIKELY(llvm::isDigit(c))) {
      value = value * 10 + uint64_t(c - '0');
      decimals += decimals >= 0;
    } else if (c == '.' && decimals < 0) {
      decimals = 0;
    } else {
      return false;
    }
  }
  static constexpr uint64_t kPowers[] = {
      1,           10,           100,          1000,      10000,
      100000,      1000000,      10000000,     100000000, 1000000000,
      10000000000, 100000000000, 1000000000000};
  int shift = digitsToPs - (decimals < 0 ? 0 : decimals);
  if (text.size() == 20 && decimals < 0)
    return false;
  if (text.empty() || shift < 0 || decimals == 0 || text.front() == '.')
    return false;
  ps = WidePs(value) * kPowers[shift];
  return true;
}

bool mlirprof::importer::json::parseDecimalTime(llvm::StringRef text,
                                                DecimalUnit unit, WidePs &ps) {
  if (LLVM_LIKELY(parseShort(text, int(unit), ps)))
    return true;
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"')
    text = text.drop_front().drop_back();
  text = text.trim(" \t\r\n");
  bool isNegative = text.consume_front("-");
  if (!isNegative)
    text.consume_front("+");
  auto [mantissa, exponentText] = text.split(text.contains('e') ? 'e' : 'E');
  int exponent = 0;
  if (mantissa.size() != text.size()) {
    exponentText.consume_front("+");
    if (exponentText.getAsInteger(10, exponent) || exponent > 40 ||
        exponent < -400)
      return false;
  }
  auto [whole, fraction] = mantissa.split('.');
  if (whole.empty() && fraction.empty())
    return false;
  int shift = int(unit) + exponent;
  WidePs value = 0;
  int digits = 0;
  // The value is the first whole.size() + shift digits of both parts.
  int64_t wanted = int64_t(whole.size()) + shift;
  size_t available = whole.size() + fraction.size();
  bool roundsUp = false;
  for (size_t i = 0; i < available; ++i) {
    char c = i < whole.size() ? whole[i] : fraction[i - whole.size()];
    if (!llvm::isDigit(c))
      return false;
    // Doubles printed in full deviate slightly from the time that they
    // represent.
    if (int64_t(i) == wanted)
      roundsUp = c >= '5';
    if (int64_t(i) >= wanted)
      continue;
    digits += digits != 0 || c != '0';
    if (digits > kMaxDigits)
      return false;
    value = value * 10 + (c - '0');
  }
  for (int64_t i = int64_t(available); i < wanted && value != 0; ++i) {
    if (++digits > kMaxDigits)
      return false;
    value *= 10;
  }
  value += roundsUp;
  ps = isNegative ? -value : value;
  return true;
}
