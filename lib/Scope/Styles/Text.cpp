//===- Text.cpp - Cells and numbers of styles -----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Text.h"
#include "mlir-prof/Trace/Time.h"

#include <algorithm>
#include <charconv>
#include <cmath>

using namespace mlirprof;
using namespace mlirprof::scope;

/// Whether a character is a control, changes the direction, breaks lines, is
/// not visible, or has a meaning of its own in each font.
static bool isControl(uint32_t code) {
  static constexpr std::pair<uint32_t, uint32_t> kRanges[] = {
      {0, 0x1f},        {0x7f, 0x9f},       {0x600, 0x605},
      {0x61c, 0x61c},   {0x6dd, 0x6dd},     {0x70f, 0x70f},
      {0x180e, 0x180e}, {0x200b, 0x200f},   {0x2028, 0x202e},
      {0x2060, 0x206f}, {0xe000, 0xf8ff},   {0xfeff, 0xfeff},
      {0xfff9, 0xfffb}, {0x1d173, 0x1d17a}, {0xe0000, 0x10ffff},
  };
  for (auto [first, last] : kRanges)
    if (code >= first && code <= last)
      return true;
  return false;
}

/// The length of the character at the begin of `text`, or 0 if that is not
/// valid UTF-8.
static size_t getCharacter(std::string_view text, uint32_t &code) {
  auto get = [&](size_t index) { return uint32_t(uint8_t(text[index])); };
  code = get(0);
  if (code < 0x80)
    return 1;
  size_t size = code >= 0xf0 ? 4 : code >= 0xe0 ? 3 : 2;
  if (code < 0xc2 || code > 0xf4 || size > text.size())
    return 0;
  uint32_t value = code & (0x7f >> size);
  for (size_t index = 1; index != size; ++index) {
    if ((get(index) & 0xc0) != 0x80)
      return 0;
    value = value << 6 | (get(index) & 0x3f);
  }
  bool isShort = (size == 3 && value < 0x800) || (size == 4 && value < 0x10000);
  bool isSurrogate = value >= 0xd800 && value < 0xe000;
  if (isShort || isSurrogate || value > 0x10ffff)
    return 0;
  code = value;
  return size;
}

/// The first character of `name`, which it takes away: as it is, as "\u{202e}",
/// or a replacement for a byte that is not part of one. So does printable() of
/// library Support, which needs LLVM.
static std::string takeCharacter(std::string_view &name) {
  uint32_t code = 0;
  size_t size = getCharacter(name, code);
  std::string_view character = name.substr(0, std::max<size_t>(size, 1));
  name.remove_prefix(character.size());
  if (!size)
    return "\xef\xbf\xbd";
  if (!isControl(code))
    return std::string(character);
  char digits[8];
  auto end = std::to_chars(digits, digits + sizeof digits, code, 16).ptr;
  return "\\u{" + std::string(digits, end) + "}";
}

std::string scope::makeCell(std::string_view name, size_t columns) {
  std::string cell;
  std::vector<size_t> ends;
  size_t used = 0;
  while (!name.empty() && used <= columns) {
    std::string character = takeCharacter(name);
    cell += character;
    used += style::countColumns(character);
    ends.push_back(cell.size());
  }
  if (used <= columns)
    return cell;
  size_t room = columns > 3 ? columns - 3 : 0;
  while (!ends.empty() && style::countColumns(std::string_view(cell).substr(
                              0, ends.back())) > room)
    ends.pop_back();
  cell.resize(ends.empty() ? 0 : ends.back());
  return cell + std::string(std::min<size_t>(columns, 3), '.');
}

size_t style::countColumns(std::string_view text) {
  return std::count_if(text.begin(), text.end(), [](char byte) {
    return (uint8_t(byte) & 0xc0) != 0x80;
  });
}

static std::string makePadding(std::string_view text, size_t columns) {
  size_t used = style::countColumns(text);
  return std::string(columns > used ? columns - used : 0, ' ');
}

std::string style::padRight(std::string_view text, size_t columns) {
  return std::string(text) + makePadding(text, columns);
}

std::string style::padLeft(std::string_view text, size_t columns) {
  return makePadding(text, columns) + std::string(text);
}

std::string style::makeTitle(std::string_view text, size_t columns) {
  size_t used = countColumns(text);
  size_t dashes = columns > used ? columns - used : 0;
  return std::string(dashes / 2, '-') + std::string(text) +
         std::string(dashes - dashes / 2, '-');
}

static std::string format(double value, std::chars_format format, int digits) {
  // The largest double has 309 digits before the point.
  char buffer[400];
  if (!std::isfinite(value))
    value = 0;
  auto end = std::to_chars(buffer, buffer + sizeof buffer, value, format,
                           std::min(digits, 20));
  return std::string(buffer, end.ptr);
}

std::string style::formatFixed(double value, int digits) {
  return format(value, std::chars_format::fixed, digits);
}

std::string style::formatGeneral(double value) {
  return format(value, std::chars_format::general, 6);
}

double style::getUnitPs(std::string_view unit) {
  if (unit == "s")
    return 1e12;
  if (unit == "ms")
    return 1e9;
  if (unit == "us")
    return 1e6;
  if (unit == "ns")
    return 1e3;
  return 60e12;
}

/// The sum of self times of statistics, or that of the busiest thread.
static int64_t sumStatistics(const Recording &recording, bool ofOneThread) {
  TableOptions options;
  options.mergesThreads = false;
  std::vector<int64_t> selfOfThread(recording.threads.size());
  int64_t sum = 0, most = 0;
  for (const TableRow &row : makeStatisticsTable(recording, options)) {
    int64_t &self = selfOfThread[row.thread];
    trace::addSaturating(self, row.selfPs);
    trace::addSaturating(sum, row.selfPs);
    most = std::max(most, self);
  }
  return ofOneThread ? most : sum;
}

static int64_t findSpanPs(const Recording &recording) {
  if (recording.events.empty())
    return sumStatistics(recording, /*ofOneThread=*/false);
  int64_t begin = std::numeric_limits<int64_t>::max();
  int64_t end = std::numeric_limits<int64_t>::min();
  for (const ScopeEvent &event : recording.events) {
    begin = std::min(begin, event.beginPs);
    end = std::max(end, event.endPs);
  }
  int64_t span = trace::saturatingSub(end, begin);
  // Scopes that are not in a sample may have begun before it.
  return hasBetterStatistics(recording)
             ? std::max(span, sumStatistics(recording, /*ofOneThread=*/true))
             : span;
}

int64_t style::getSpanPs(const Recordings &recordings) {
  int64_t sum = 0;
  for (const Recording *recording : recordings)
    trace::addSaturating(sum, findSpanPs(*recording));
  return sum;
}

bool style::hasDevices(const Recordings &recordings) {
  for (const Recording *recording : recordings)
    for (const ScopeEvent &event : recording->events)
      if (recording->threads[event.thread].isDevice)
        return true;
  return false;
}
