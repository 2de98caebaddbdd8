//===- Timeline.cpp - Events in layers ------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Timeline.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/File.h"

using namespace mlirprof;
using namespace mlirprof::serve;

static llvm::Error broken(llvm::StringRef path) {
  return inputError(path, "is not a timeline, or is cut off",
                    "Delete it; it is built again from the profile.");
}

llvm::Expected<std::unique_ptr<Timeline>> Timeline::open(llvm::StringRef path) {
  auto buffer = openInput(path);
  if (!buffer)
    return buffer.takeError();
  auto timeline = std::make_unique<Timeline>();
  timeline->file = std::move(*buffer);
  if (llvm::Error error = timeline->check(path))
    return std::move(error);
  return timeline;
}

namespace {
/// Reads texts and numbers one after another.
struct Cursor {
  const char *at;
  const char *end;
  bool isGood = true;

  template <typename T>
  T number() {
    T value = 0;
    if (size_t(end - at) < sizeof(T))
      isGood = false;
    else
      memcpy(&value, at, sizeof(T)), at += sizeof(T);
    return value;
  }
  std::string text() {
    uint32_t size = number<uint32_t>();
    if (!isGood || size_t(end - at) < size) {
      isGood = false;
      return "";
    }
    at += size;
    return std::string(at - size, size);
  }
};
} // namespace

llvm::Error Timeline::check(llvm::StringRef path) {
  llvm::StringRef bytes = file->getBuffer();
  header = reinterpret_cast<const Header *>(bytes.data());
  if (bytes.size() < sizeof(Header) ||
      memcmp(header->magic, "MLPROFTL", 8) != 0 ||
      header->version != kVersion || header->end != bytes.size())
    return broken(path);
  auto section = [&](uint64_t at, uint64_t count, uint64_t size) {
    bool fits = at % 8 == 0 && at <= bytes.size() &&
                count <= (bytes.size() - at) / size;
    return fits ? bytes.data() + at : nullptr;
  };
  uint64_t ends = uint64_t(header->lanes) * kLayers;
  auto *eventBytes =
      section(header->eventsAt, header->events, sizeof(TimelineEvent));
  auto *endBytes = section(header->eventEndsAt, ends, 8);
  auto *blockEndBytes = section(header->blockEndsAt, ends, 8);
  auto *placeBytes = section(header->placesAt, header->events, 4);
  auto *textEndBytes = section(header->textEndsAt, header->texts, 8);
  auto *launchBytes = section(header->launchesAt, header->launches, 4);
  if (!eventBytes || !endBytes || !blockEndBytes || !placeBytes ||
      !launchBytes || !textEndBytes || ends == 0 ||
      (header->launches != 0 && header->launches != header->events))
    return broken(path);
  events = reinterpret_cast<const TimelineEvent *>(eventBytes);
  eventEnds = reinterpret_cast<const uint64_t *>(endBytes);
  blockEnds = reinterpret_cast<const uint64_t *>(blockEndBytes);
  places = reinterpret_cast<const uint32_t *>(placeBytes);
  launches = {reinterpret_cast<const uint32_t *>(launchBytes),
              size_t(header->launches)};
  textEnds = reinterpret_cast<const uint64_t *>(textEndBytes);
  blocks = reinterpret_cast<const TimelineBlock *>(
      section(header->blocksAt, blockEnds[ends - 1], sizeof(TimelineBlock)));
  uint64_t textBytes = header->texts ? textEnds[header->texts - 1] : 0;
  texts = section(header->textsAt, textBytes, 1);
  if (!blocks || !texts || header->tracksAt > bytes.size())
    return broken(path);
  Cursor cursor{bytes.data() + header->tracksAt, bytes.end()};
  for (uint32_t i = 0; i != header->tracks && cursor.isGood; ++i) {
    TimelineTrack track;
    track.process = cursor.text();
    track.name = cursor.text();
    track.events = cursor.number<uint64_t>();
    track.depth = cursor.number<uint32_t>();
    track.firstLane = uint32_t(trackOfLane.size());
    if (track.depth > header->lanes - trackOfLane.size())
      return broken(path);
    trackOfLane.insert(trackOfLane.end(), track.depth, i);
    tracks.push_back(std::move(track));
  }
  if (!cursor.isGood || trackOfLane.size() != header->lanes)
    return broken(path);
  return llvm::Error::success();
}

llvm::StringRef Timeline::getText(uint32_t name) const {
  if (name >= header->texts)
    return "";
  uint64_t begin = name ? textEnds[name - 1] : 0;
  return llvm::StringRef(texts + begin, textEnds[name] - begin);
}

/// The part of `all` that the ends bound.
template <typename T>
static llvm::ArrayRef<T> getPart(const T *all, const uint64_t *ends,
                                 uint64_t index) {
  uint64_t begin = index ? ends[index - 1] : 0;
  return {all + begin, all + std::max(begin, ends[index])};
}

llvm::ArrayRef<TimelineEvent> Timeline::getEvents(uint32_t lane,
                                                  unsigned layer) const {
  return getPart(events, eventEnds, uint64_t(lane) * kLayers + layer);
}

llvm::ArrayRef<TimelineBlock> Timeline::getBlocks(uint32_t lane,
                                                  unsigned layer) const {
  return getPart(blocks, blockEnds, uint64_t(lane) * kLayers + layer);
}

const TimelineEvent *Timeline::find(uint32_t id) const {
  return id < header->events ? &events[places[id]] : nullptr;
}
