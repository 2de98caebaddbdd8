//===- Units.cpp - Reading and formatting times ---------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Support/Units.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cmath>

using namespace mlirprof;

static constexpr TimeUnit kUnits[] = {{"s", 1000000000000},
                                      {"ms", 1000000000},
                                      {"us", 1000000},
                                      {"ns", 1000},
                                      {"ps", 1}};

/// |value| without the overflow of INT64_MIN.
static uint64_t magnitude(int64_t value) {
  return value < 0 ? uint64_t(0) - uint64_t(value) : uint64_t(value);
}

TimeUnit mlirprof::chooseTimeUnit(int64_t ps) {
  for (const TimeUnit &unit : kUnits)
    if (magnitude(ps) >= uint64_t(unit.ps))
      return unit;
  return kUnits[4];
}

/// `value` / `scale` in decimal; `scale` is a power of ten.
static std::string fixedPoint(bool negative, uint64_t value, uint64_t scale) {
  std::string whole = llvm::utostr(value / scale);
  std::string fraction = llvm::utostr(scale + value % scale).substr(1);
  return (negative ? "-" : "") + whole + "." + fraction;
}

std::string mlirprof::formatTimeIn(int64_t ps, TimeUnit unit) {
  if (unit.ps == 1)
    return llvm::itostr(ps);
  uint64_t step = uint64_t(unit.ps) / 1000;
  uint64_t value = magnitude(ps);
  uint64_t thousandths = value / step + (value % step >= (step + 1) / 2);
  return fixedPoint(ps < 0 && thousandths, thousandths, 1000);
}

std::string mlirprof::formatTime(int64_t ps) {
  TimeUnit unit = chooseTimeUnit(ps);
  return formatTimeIn(ps, unit) + " " + unit.name.str();
}

std::string mlirprof::shortTime(int64_t ps) {
  static constexpr struct {
    llvm::StringLiteral name;
    double ps;
  } kUnits[] = {{"s", 1e12}, {"ms", 1e9}, {"µs", 1e6}, {"ns", 1e3}};
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const auto &unit : kUnits) {
    double value = double(ps) / unit.ps;
    double size = std::fabs(value);
    // 999.6 ns is 1.00 µs with three digits.
    if (size < 0.9995)
      continue;
    os << llvm::format("%.*f ",
                       size < 9.995   ? 2
                       : size < 99.95 ? 1
                                      : 0,
                       value)
       << unit.name;
    return text;
  }
  os << ps << " ps";
  return text;
}

std::string mlirprof::formatPercent(int64_t part, int64_t whole) {
  if (whole <= 0)
    return "";
  __int128 thousandths =
      ((__int128)magnitude(part) * 2000 + whole) / ((__int128)whole * 2);
  uint64_t shown = uint64_t(std::min<__int128>(thousandths, UINT64_MAX));
  return fixedPoint(part < 0 && shown, shown, 10) + " %";
}

std::string mlirprof::formatCount(uint64_t count, llvm::StringRef noun) {
  return std::to_string(count) + " " + noun.str() + (count == 1 ? "" : "s");
}

/// Removes the unit at the end of `text` and returns it; ps if there is none.
static TimeUnit takeUnit(llvm::StringRef &text) {
  for (llvm::StringRef micro : {"\u00b5s", "\u03bcs"})
    if (text.consume_back(micro))
      return kUnits[2];
  // "s" is a suffix of all the others.
  for (const TimeUnit &unit : llvm::reverse(kUnits))
    if (text.consume_back(unit.name))
      return unit;
  return kUnits[4];
}

llvm::Expected<int64_t> mlirprof::parseTime(llvm::StringRef text) {
  auto fail = [&](const llvm::Twine &what) {
    return inputError("'" + text + "'", what,
                      "Write a time as a number of ps, ns, us, ms or s, like "
                      "1500, 20us or 1.5ms.");
  };
  llvm::StringRef rest = text.trim();
  TimeUnit unit = takeUnit(rest);
  rest = rest.rtrim();
  bool negative = rest.consume_front("-");
  auto [whole, fraction] = rest.split('.');
  if (whole.empty() || !llvm::all_of(whole, llvm::isDigit) ||
      !llvm::all_of(fraction, llvm::isDigit) ||
      (fraction.empty() && rest.contains('.')))
    return fail("is not a time");

  __int128 ps = 0;
  constexpr __int128 kLimit = __int128(1) << 64;
  for (char digit : whole)
    if ((ps = ps * 10 + (digit - '0')) > kLimit)
      return fail("is too large");
  ps *= unit.ps;
  int64_t place = unit.ps;
  for (char digit : fraction) {
    if (place == 1 && digit != '0')
      return fail("has fractions of a picosecond");
    place = place == 1 ? 1 : place / 10;
    ps += __int128(place) * (digit - '0');
  }
  ps = negative ? -ps : ps;
  if (ps > INT64_MAX || ps < INT64_MIN)
    return fail("is too large");
  return int64_t(ps);
}
