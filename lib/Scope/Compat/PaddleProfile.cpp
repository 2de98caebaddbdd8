//===- PaddleProfile.cpp - Profiles of Paddle's first generation ----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The fields were found in files that Paddle wrote:
//   Profile { Event events = 1, uint64 start_ns = 2, end_ns = 3 }
//   Event { string name = 1, uint64 start_ns = 2, end_ns = 3, int64 device = 5,
//           thread = 6, int32 kind = 8 (0: processor, 1: device) }
//
//===----------------------------------------------------------------------===//

#include "PaddleProfile.h"

using namespace mlirprof;
using namespace mlirprof::scope;

/// Names deeper than this are those of the innermost scopes alone, so that a
/// recursion does not make names of unlimited length.
static constexpr unsigned kMostDepth = 64;

static void writeVarint(uint64_t value, std::string &out) {
  for (; value >= 128; value >>= 7)
    out += char(value | 128);
  out += char(value);
}

static void writeNumber(unsigned field, uint64_t value, std::string &out) {
  writeVarint(field << 3, out);
  writeVarint(value, out);
}

static void writeBytes(unsigned field, const std::string &bytes,
                       std::string &out) {
  writeVarint(field << 3 | 2, out);
  writeVarint(bytes.size(), out);
  out += bytes;
}

static std::string getPath(const Recording &recording, uint32_t event) {
  std::string path;
  unsigned depth = 0;
  for (uint32_t at = event; at != kNoScope && depth++ != kMostDepth;
       at = recording.events[at].parent) {
    const std::string &name = recording.sites[recording.events[at].site].name;
    path = path.empty() ? name : name + "/" + path;
    // The parent of another thread is not around it in the file.
    if (recording.events[at].isLinked)
      break;
  }
  return path;
}

std::string scope::writePaddleProfile(const Recording &recording) {
  std::string out;
  uint64_t first = ~uint64_t(0), last = 0;
  auto toNs = [&](int64_t ps) {
    int64_t floor = ps >= 0 ? ps / 1000 : -((-ps + 999) / 1000);
    int64_t ns = recording.clock.anchorNs + floor;
    return uint64_t(ns > 0 ? ns : 0);
  };
  for (uint32_t index = 0; index != recording.events.size(); ++index) {
    const ScopeEvent &event = recording.events[index];
    if (event.end == EventEnd::Open)
      continue;
    uint64_t begin = toNs(event.beginPs), end = toNs(event.endPs);
    bool isDevice = recording.threads[event.thread].isDevice;
    std::string message;
    writeBytes(1, getPath(recording, index), message);
    writeNumber(2, begin, message);
    writeNumber(3, end, message);
    // -1 is the processor.
    writeNumber(5, isDevice ? 0 : ~uint64_t(0), message);
    writeNumber(6, recording.threads[event.thread].number, message);
    writeNumber(8, isDevice ? 1 : 0, message);
    writeBytes(1, message, out);
    first = begin < first ? begin : first;
    last = end > last ? end : last;
  }
  writeNumber(2, out.empty() ? 0 : first, out);
  writeNumber(3, last, out);
  return out;
}
