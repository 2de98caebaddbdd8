//===- Wire.cpp - File forms of a profile's parts -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Wire.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::profile::schema;

SummaryWire schema::toWire(const Summary &summary) {
  SummaryWire wire;
  wire.count = summary.count;
  wire.sum = summary.sum;
  wire.sumSquaresLow = uint64_t(summary.sumSquares);
  wire.sumSquaresHigh = uint64_t(summary.sumSquares >> 64);
  // The limits of an empty summary are not measurements; 0 is not written.
  wire.min = summary.count ? summary.min : 0;
  wire.max = summary.count ? summary.max : 0;
  wire.saturated = summary.saturated;
  wire.histogramFirst = summary.histogram.getFirst();
  wire.histogramCounts = summary.histogram.getCounts();
  return wire;
}

bool schema::fromWire(SummaryWire &&wire, Summary &summary) {
  summary = Summary();
  summary.count = wire.count;
  summary.sum = wire.sum;
  summary.sumSquares =
      (unsigned __int128)(wire.sumSquaresHigh) << 64 | wire.sumSquaresLow;
  // Without a count both must be absent, which checkValues verifies.
  if (wire.count || wire.min)
    summary.min = wire.min;
  if (wire.count || wire.max)
    summary.max = wire.max;
  summary.saturated = wire.saturated;
  return summary.histogram.set(wire.histogramFirst,
                               std::move(wire.histogramCounts));
}

static void addCode(const EventColumns &kept, size_t begin, size_t end,
                    EventBlock &block) {
  if (kept.beginCode.empty())
    return;
  block.beginCode.assign(&kept.beginCode[begin], kept.beginCode.data() + end);
  block.endCode.assign(&kept.endCode[begin], kept.endCode.data() + end);
  auto isUnknown = [](int64_t code) { return code == 0; };
  if (llvm::all_of(block.beginCode, isUnknown) &&
      llvm::all_of(block.endCode, isUnknown)) {
    block.beginCode.clear();
    block.endCode.clear();
  }
}

static void addLaunches(const EventColumns &kept, size_t begin, size_t end,
                        EventBlock &block) {
  bool hasAny = false;
  for (size_t i = begin; i != end && !kept.launch.empty(); ++i) {
    bool isLaunched = kept.launch[i] != trace::kNone;
    block.launchOffset.push_back(
        isLaunched ? int64_t(kept.launch[i]) - int64_t(i) : 0);
    hasAny |= isLaunched;
  }
  if (!hasAny)
    block.launchOffset.clear();
}

EventBlock schema::makeEventBlock(const Run &run, uint32_t runIndex,
                                  size_t begin) {
  const EventColumns &kept = run.kept;
  size_t end = std::min(kept.size(), begin + kEventsPerBlock);
  EventBlock block;
  block.run = runIndex;
  uint64_t last = 0;
  for (size_t i = begin; i != end; ++i) {
    block.track.push_back(kept.track[i]);
    block.name.push_back(kept.name[i]);
    // kNone wraps to 0.
    block.opPlusOne.push_back(kept.op[i] + 1);
    block.beginDeltaPs.push_back(int64_t(uint64_t(kept.beginPs[i]) - last));
    block.durationPs.push_back(kept.durationPs[i]);
    last = uint64_t(kept.beginPs[i]);
  }
  addCode(kept, begin, end, block);
  addLaunches(kept, begin, end, block);
  return block;
}

/// Length of the valid UTF-8 character at the beginning of `text`, else 0.
static size_t characterLength(llvm::StringRef text) {
  auto *begin = reinterpret_cast<const llvm::UTF8 *>(text.data());
  size_t length = llvm::getNumBytesForUTF8(*begin);
  return length <= text.size() &&
                 llvm::isLegalUTF8Sequence(begin, begin + length)
             ? length
             : 0;
}

/// U+10FE80 to U+10FEFF are F4 8F BA 80 to F4 8F BB BF.
static bool startsWithEscape(llvm::StringRef text) {
  return text.size() >= 4 && text.starts_with("\xF4\x8F") &&
         (uint8_t(text[2]) & 0xFE) == 0xBA && (uint8_t(text[3]) >> 6) == 2;
}

std::string schema::toUtf8(llvm::StringRef bytes) {
  if (llvm::isASCII(bytes))
    return bytes.str();
  std::string text;
  text.reserve(bytes.size());
  auto escape = [&](uint8_t byte) {
    text += "\xF4\x8F";
    text += char(0xBA | (byte >> 6 & 1));
    text += char(0x80 | (byte & 0x3F));
  };
  while (!bytes.empty()) {
    size_t length = characterLength(bytes);
    if (length == 0 || startsWithEscape(bytes)) {
      length = std::max<size_t>(length, 1);
      for (char c : bytes.take_front(length))
        escape(uint8_t(c));
    } else {
      text += bytes.take_front(length);
    }
    bytes = bytes.drop_front(length);
  }
  return text;
}

std::string schema::fromUtf8(llvm::StringRef text) {
  // Nearly all strings do not contain escapes.
  size_t found = text.find("\xF4\x8F");
  if (found == llvm::StringRef::npos)
    return text.str();
  std::string bytes = text.take_front(found).str();
  for (size_t i = found; i != text.size();) {
    if (!startsWithEscape(text.drop_front(i))) {
      bytes += text[i++];
      continue;
    }
    bytes += char(0x80 | (text[i + 2] & 1) << 6 | (text[i + 3] & 0x3F));
    i += 4;
  }
  return bytes;
}
