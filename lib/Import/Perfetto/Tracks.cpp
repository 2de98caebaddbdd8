//===- Tracks.cpp - Tracks and their descriptions -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tracks.h"
#include "../Common/FastWire.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::perfetto;
using namespace mlirprof::trace;

/// Descriptions may refer to each other as parents.
static constexpr unsigned kMostSteps = 64;

void CounterValues::add(double value) {
  ++count;
  smallest = std::min(smallest, value);
  largest = std::max(largest, value);
  last = value;
}

uint32_t Tracks::getIndex(uint64_t uuid) {
  uint32_t &index = byUuid[uuid];
  if (index == kNone) {
    index = uint32_t(list.size());
    list.emplace_back();
    list.back().uuid = uuid;
  }
  return index;
}

uint32_t Tracks::getThread(int64_t process, int64_t thread) {
  auto [it, isNew] =
      byThread.try_emplace({process, thread}, uint32_t(list.size()));
  if (isNew) {
    TrackDescription &track = list.emplace_back();
    track.isDescribed = track.hasThread = true;
    track.process = process;
    track.thread = thread;
  }
  return it->second;
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

namespace {

struct Process {
  int64_t id = 0;
  std::string name;
};

struct Thread {
  int64_t process = 0;
  int64_t id = 0;
  std::string name;
  int64_t referenceUs = 0;
};

} // namespace

static Process readProcess(llvm::StringRef message) {
  Process process;
  std::string command;
  const char *at = message.begin();
  while (at != message.end()) {
    uint64_t tag = readVarint(at, message.end());
    if (tag == 0x08)
      process.id = int64_t(readVarint(at, message.end()));
    else if (tag == (6 << 3 | 2))
      process.name = readBytes(at, message.end()).str();
    else if (tag == 0x12 && command.empty())
      command = readBytes(at, message.end()).str();
    else
      skipField(tag, at, message.end());
  }
  if (process.name.empty())
    process.name = std::move(command);
  return process;
}

static Thread readThread(llvm::StringRef message) {
  Thread thread;
  const char *at = message.begin();
  while (at != message.end()) {
    uint64_t tag = readVarint(at, message.end());
    if (tag == 0x08)
      thread.process = int64_t(readVarint(at, message.end()));
    else if (tag == 0x10)
      thread.id = int64_t(readVarint(at, message.end()));
    else if (tag == (5 << 3 | 2))
      thread.name = readBytes(at, message.end()).str();
    else if (tag == (6 << 3))
      thread.referenceUs = int64_t(readVarint(at, message.end()));
    else
      skipField(tag, at, message.end());
  }
  return thread;
}

/// The units with numbers in CounterDescriptor.
static llvm::StringRef getUnitName(uint64_t unit) {
  static constexpr llvm::StringLiteral names[] = {"", "ns", "count", "bytes"};
  return unit < std::size(names) ? names[unit] : "";
}

static void readCounter(llvm::StringRef message, TrackDescription &track) {
  const char *at = message.begin();
  while (at != message.end()) {
    uint64_t tag = readVarint(at, message.end());
    if (tag == (3 << 3))
      track.unit = getUnitName(readVarint(at, message.end())).str();
    else if (tag == (4 << 3))
      track.unitMultiplier = double(int64_t(readVarint(at, message.end())));
    else if (tag == (5 << 3))
      track.isIncremental = readVarint(at, message.end()) != 0;
    else if (tag == (6 << 3 | 2))
      track.unit = readBytes(at, message.end()).str();
    else
      skipField(tag, at, message.end());
  }
}

/// The number of the track may be anywhere in its description.
static uint64_t readUuid(llvm::StringRef message) {
  uint64_t uuid = 0;
  const char *at = message.begin();
  while (at != message.end()) {
    uint64_t tag = readVarint(at, message.end());
    if (tag == 0x08)
      uuid = readVarint(at, message.end());
    else
      skipField(tag, at, message.end());
  }
  return uuid;
}

void Tracks::describe(llvm::StringRef message) {
  TrackDescription &track = list[getIndex(readUuid(message))];
  track.isDescribed = true;
  const char *at = message.begin();
  while (at != message.end()) {
    uint64_t tag = readVarint(at, message.end());
    switch (tag) {
    case 2 << 3 | 2:
    case 10 << 3 | 2:
    case 13 << 3 | 2:
      track.name = readBytes(at, message.end()).str();
      break;
    case 5 << 3:
      track.parent = readVarint(at, message.end());
      track.hasParent = true;
      break;
    case 3 << 3 | 2: {
      Process process = readProcess(readBytes(at, message.end()));
      track.hasProcess = true;
      track.process = process.id;
      track.processName = std::move(process.name);
      if (!track.processName.empty())
        processNames[track.process] = track.processName;
      break;
    }
    case 4 << 3 | 2: {
      Thread thread = readThread(readBytes(at, message.end()));
      track.hasThread = true;
      track.process = thread.process;
      track.thread = thread.id;
      track.threadName = std::move(thread.name);
      break;
    }
    case 8 << 3 | 2:
      readCounter(readBytes(at, message.end()), track);
      break;
    default:
      skipField(tag, at, message.end());
    }
  }
}

void Tracks::describeProcess(llvm::StringRef message) {
  Process process = readProcess(message);
  if (!process.name.empty())
    processNames[process.id] = std::move(process.name);
}

uint32_t Tracks::describeThread(llvm::StringRef message, int64_t &referenceUs) {
  Thread thread = readThread(message);
  uint32_t index = getThread(thread.process, thread.id);
  if (!thread.name.empty())
    list[index].threadName = std::move(thread.name);
  referenceUs = thread.referenceUs;
  return index;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

const TrackDescription *Tracks::findOwner(uint32_t index, bool isThread) const {
  for (unsigned step = 0; step != kMostSteps && index != kNone; ++step) {
    const TrackDescription &track = list[index];
    if (isThread ? track.hasThread : track.hasThread || track.hasProcess)
      return &track;
    index = track.hasParent ? byUuid.find(track.parent) : kNone;
  }
  return nullptr;
}

std::string Tracks::getPlane(uint32_t index) const {
  const TrackDescription *owner = findOwner(index, /*isThread=*/false);
  if (!owner)
    return "";
  auto name = processNames.find(owner->process);
  if (name != processNames.end())
    return name->second;
  return "process " + std::to_string(owner->process);
}

Track Tracks::makeTrack(uint32_t index) {
  const TrackDescription &description = list[index];
  const TrackDescription *owner = findOwner(index, /*isThread=*/true);
  Track track;
  track.plane = getPlane(index);
  track.line = linesOfPlane[track.plane]++;
  track.id = owner ? owner->thread : int64_t(description.uuid);
  track.name = description.name;
  if (track.name.empty() && owner)
    track.name = owner->threadName.empty()
                     ? "thread " + std::to_string(owner->thread)
                     : owner->threadName;
  if (track.name.empty())
    track.name = "track " + std::to_string(description.uuid);
  return track;
}
