//===- TimelineWriter.cpp - Building the layers of a timeline -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Timeline.h"
#include "mlir-prof/Support/File.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::serve;
using namespace mlirprof::trace;

namespace {

/// Places the events of a track in lanes: each in the first that is free at its
/// begin, so that nested events lie below the events around them.
class LaneChooser {
public:
  uint32_t choose(int64_t begin, int64_t end) {
    if (ends[1] > begin)
      grow();
    size_t node = 1;
    while (node < ends.size() / 2)
      node = ends[2 * node] <= begin ? 2 * node : 2 * node + 1;
    auto lane = uint32_t(node - ends.size() / 2);
    count = std::max(count, lane + 1);
    // An event without a duration takes its place as well.
    ends[node] = std::max(end, saturatingAdd(begin, 1));
    while (node /= 2)
      ends[node] = std::min(ends[2 * node], ends[2 * node + 1]);
    return lane;
  }
  uint32_t size() const { return count; }

private:
  /// Doubles the lanes.
  void grow() {
    std::vector<int64_t> larger(2 * ends.size(), INT64_MIN);
    for (size_t level = 1; level < ends.size(); level *= 2)
      std::copy_n(&ends[level], level, &larger[2 * level]);
    ends = std::move(larger);
  }

  /// The end of the last event of each lane in the second half, and of each two
  /// nodes the earlier one before: the children of i are 2i and 2i + 1.
  std::vector<int64_t> ends = {INT64_MIN, INT64_MIN};
  uint32_t count = 0;
};

} // namespace

namespace mlirprof::serve {

class TimelineWriter {
public:
  explicit TimelineWriter(const Profile &profile) : profile(profile) {}

  void addEvents();
  void addBlocks();
  void write(llvm::raw_ostream &os);
  bool isEmpty() const { return events.empty(); }

private:
  void chooseLanes(const Run &run);
  void addLaunches(const Run &run, uint32_t firstId);
  void countEvents();
  void placeEvents();
  void addLane(uint32_t lane);
  llvm::ArrayRef<TimelineEvent> getEvents(size_t end) const {
    uint64_t begin = end ? eventEnds[end - 1] : 0;
    return llvm::ArrayRef(events).slice(begin, eventEnds[end] - begin);
  }

  const Profile &profile;
  std::vector<TimelineTrack> tracks;
  std::vector<TimelineEvent> events;
  std::vector<TimelineBlock> blocks;
  std::vector<uint64_t> eventEnds, blockEnds;
  /// By id of events: lane, place in `events`, and, as far as one of them was
  /// launched, what launched it.
  std::vector<uint32_t> laneOf, places, launches;
  uint32_t lanes = 0;
};

} // namespace mlirprof::serve

/// The coarsest layer in which an event is visible.
static unsigned getLayer(int64_t duration) {
  // That of layer n is 2^(2n + 4).
  int bits = duration > 0 ? int(llvm::Log2_64(uint64_t(duration))) : 0;
  return unsigned(std::clamp((bits - 4) / 2, 0, int(Timeline::kLayers) - 1));
}

void TimelineWriter::chooseLanes(const Run &run) {
  size_t firstTrack = tracks.size(), first = laneOf.size();
  std::vector<LaneChooser> choosers(run.tracks.size());
  const EventColumns &kept = run.kept;
  for (size_t i = 0; i != kept.size(); ++i)
    laneOf.push_back(choosers[kept.track[i]].choose(
        kept.beginPs[i], saturatingAdd(kept.beginPs[i], kept.durationPs[i])));
  for (auto [track, chooser] : llvm::zip(run.tracks, choosers)) {
    tracks.push_back(
        {track.plane,
         track.displayName.empty() ? track.name : track.displayName,
         track.events, chooser.size(), lanes});
    lanes += chooser.size();
  }
  for (size_t i = 0; i != kept.size(); ++i)
    laneOf[first + i] += tracks[firstTrack + kept.track[i]].firstLane;
  addLaunches(run, uint32_t(first));
}

void TimelineWriter::addLaunches(const Run &run, uint32_t firstId) {
  if (run.kept.launch.empty())
    return;
  launches.resize(firstId, kNone);
  for (uint32_t launch : run.kept.launch)
    launches.push_back(launch == kNone ? kNone : firstId + launch);
}

/// Sets `eventEnds`.
void TimelineWriter::countEvents() {
  eventEnds.assign(size_t(lanes) * Timeline::kLayers, 0);
  size_t id = 0;
  for (const Run &run : profile.runs)
    for (int64_t duration : run.kept.durationPs)
      ++eventEnds[size_t(laneOf[id++]) * Timeline::kLayers +
                  getLayer(duration)];
  uint64_t sum = 0;
  for (uint64_t &end : eventEnds)
    end = sum += end;
}

/// Adds the events in the order of lane, layer and begin, which is that of the
/// recording.
void TimelineWriter::placeEvents() {
  events.resize(laneOf.size());
  places.resize(laneOf.size());
  std::vector<uint64_t> next(eventEnds.size());
  std::copy(eventEnds.begin(), eventEnds.end() - 1, next.begin() + 1);
  uint32_t id = 0;
  for (const Run &run : profile.runs) {
    const EventColumns &kept = run.kept;
    for (size_t i = 0; i != kept.size(); ++i, ++id) {
      size_t part =
          size_t(laneOf[id]) * Timeline::kLayers + getLayer(kept.durationPs[i]);
      places[id] = uint32_t(next[part]++);
      events[places[id]] = {
          kept.beginPs[i], kept.durationPs[i], kept.name[i], kept.op[i], id,
          laneOf[id]};
    }
  }
}

void TimelineWriter::addEvents() {
  for (const Run &run : profile.runs)
    chooseLanes(run);
  if (laneOf.empty())
    return;
  if (!launches.empty())
    launches.resize(laneOf.size(), kNone);
  countEvents();
  placeEvents();
}

/// Adds the bars of all layers for one lane. Those of a layer consist of the
/// bars and the events of the layer before: what is closer than its resolution
/// is also closer than that of the next one, and no bar lies around an event.
void TimelineWriter::addLane(uint32_t lane) {
  size_t before = blocks.size();
  blockEnds.push_back(before);
  for (unsigned layer = 1; layer != Timeline::kLayers; ++layer) {
    int64_t resolution = Timeline::getResolution(layer);
    size_t first = blocks.size();
    auto add = [&](const TimelineBlock &next) {
      if (blocks.size() != first &&
          next.beginPs - blocks.back().endPs < resolution) {
        blocks.back().endPs = std::max(blocks.back().endPs, next.endPs);
        blocks.back().count += next.count;
      } else {
        blocks.push_back(next);
      }
    };
    size_t bar = before;
    for (const TimelineEvent &event :
         getEvents(size_t(lane) * Timeline::kLayers + layer - 1)) {
      for (; bar != first && blocks[bar].beginPs <= event.beginPs; ++bar)
        add(TimelineBlock(blocks[bar]));
      add({event.beginPs, saturatingAdd(event.beginPs, event.durationPs), 1});
    }
    for (; bar != first; ++bar)
      add(TimelineBlock(blocks[bar]));
    before = first;
    blockEnds.push_back(blocks.size());
  }
}

void TimelineWriter::addBlocks() {
  for (uint32_t lane = 0; lane != lanes; ++lane)
    addLane(lane);
}

template <typename T>
static void writeSection(llvm::raw_ostream &os, llvm::ArrayRef<T> values) {
  size_t bytes = values.size() * sizeof(T);
  os.write(reinterpret_cast<const char *>(values.data()), bytes);
  os.write_zeros(unsigned((8 - bytes % 8) % 8));
}

static void addText(std::string &to, llvm::StringRef text) {
  uint32_t size = uint32_t(text.size());
  to.append(reinterpret_cast<const char *>(&size), sizeof(size));
  to += text;
}

void TimelineWriter::write(llvm::raw_ostream &os) {
  Timeline::Header header = {};
  memcpy(header.magic, "MLPROFTL", 8);
  header.version = Timeline::kVersion;
  header.lanes = lanes;
  header.tracks = uint32_t(tracks.size());
  header.texts = uint32_t(profile.strings.size());
  header.events = events.size();
  header.launches = launches.size();
  header.beginPs = INT64_MAX;
  header.endPs = INT64_MIN;
  for (const TimelineEvent &event : events) {
    header.beginPs = std::min(header.beginPs, event.beginPs);
    header.endPs =
        std::max(header.endPs, saturatingAdd(event.beginPs, event.durationPs));
  }
  std::string texts, trackTexts;
  std::vector<uint64_t> textEnds;
  for (const std::string &text : profile.strings) {
    texts += text;
    textEnds.push_back(texts.size());
  }
  for (const TimelineTrack &track : tracks) {
    addText(trackTexts, track.process);
    addText(trackTexts, track.name);
    trackTexts.append(reinterpret_cast<const char *>(&track.events), 8);
    trackTexts.append(reinterpret_cast<const char *>(&track.depth), 4);
  }
  // The header comes first and holds the offsets, which follow from the sizes.
  uint64_t at = sizeof(header);
  auto skip = [&](uint64_t bytes) {
    uint64_t begin = at;
    at += bytes + (8 - bytes % 8) % 8;
    return begin;
  };
  header.eventsAt = skip(events.size() * sizeof(TimelineEvent));
  header.blocksAt = skip(blocks.size() * sizeof(TimelineBlock));
  header.eventEndsAt = skip(eventEnds.size() * 8);
  header.blockEndsAt = skip(blockEnds.size() * 8);
  header.placesAt = skip(places.size() * 4);
  header.launchesAt = skip(launches.size() * 4);
  header.textEndsAt = skip(textEnds.size() * 8);
  header.textsAt = skip(texts.size());
  header.tracksAt = skip(trackTexts.size());
  header.end = at;
  writeSection(os, llvm::ArrayRef(&header, 1));
  writeSection(os, llvm::ArrayRef(events));
  writeSection(os, llvm::ArrayRef(blocks));
  writeSection(os, llvm::ArrayRef(eventEnds));
  writeSection(os, llvm::ArrayRef(blockEnds));
  writeSection(os, llvm::ArrayRef(places));
  writeSection(os, llvm::ArrayRef(launches));
  writeSection(os, llvm::ArrayRef(textEnds));
  writeSection(os, llvm::ArrayRef(texts.data(), texts.size()));
  writeSection(os, llvm::ArrayRef(trackTexts.data(), trackTexts.size()));
}

llvm::Error serve::writeTimeline(const Profile &profile, llvm::StringRef path) {
  TimelineWriter writer(profile);
  writer.addEvents();
  if (writer.isEmpty())
    return llvm::Error::success();
  writer.addBlocks();
  return writeOutput(path, [&](llvm::raw_ostream &os) {
    writer.write(os);
    return llvm::Error::success();
  });
}
