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

#include <queue>

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
    while (!busy.empty() && busy.top().first <= begin) {
      free.push(busy.top().second);
      busy.pop();
    }
    uint32_t lane = count;
    if (free.empty()) {
      ++count;
    } else {
      lane = free.top();
      free.pop();
    }
    // An event without a duration takes its place as well.
    busy.push({std::max(end, begin + 1), lane});
    return lane;
  }
  uint32_t size() const { return count; }

private:
  template <typename T>
  using Smallest = std::priority_queue<T, std::vector<T>, std::greater<T>>;
  Smallest<std::pair<int64_t, uint32_t>> busy;
  Smallest<uint32_t> free;
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
  void addRun(const Run &run);
  void addLaunches(const Run &run, uint32_t firstId);
  void addLane(llvm::ArrayRef<TimelineEvent> lane);

  const Profile &profile;
  std::vector<TimelineTrack> tracks;
  std::vector<TimelineEvent> events;
  std::vector<TimelineBlock> blocks;
  std::vector<uint64_t> eventEnds, blockEnds;
  /// By id of events, as far as one of them was launched.
  std::vector<uint32_t> launches;
  uint32_t lanes = 0;
  uint32_t nextId = 0;
};

} // namespace mlirprof::serve

static unsigned getLayer(int64_t duration) {
  unsigned layer = 0;
  while (layer + 1 < Timeline::kLayers &&
         Timeline::getResolution(layer + 1) <= duration)
    ++layer;
  return layer;
}

void TimelineWriter::addRun(const Run &run) {
  size_t firstTrack = tracks.size();
  std::vector<LaneChooser> choosers(run.tracks.size());
  size_t first = events.size();
  const EventColumns &kept = run.kept;
  for (size_t i = 0; i != kept.size(); ++i) {
    int64_t begin = kept.beginPs[i], duration = kept.durationPs[i];
    uint32_t track = kept.track[i];
    TimelineEvent event{begin, duration, kept.name[i], kept.op[i], nextId++, 0};
    // Until the lanes are counted: the track, and the lane in it.
    event.lane = choosers[track].choose(begin, saturatingAdd(begin, duration));
    events.push_back(event);
  }
  for (auto [track, chooser] : llvm::zip(run.tracks, choosers)) {
    tracks.push_back(
        {track.plane,
         track.displayName.empty() ? track.name : track.displayName,
         track.events, chooser.size(), lanes});
    lanes += chooser.size();
  }
  addLaunches(run, uint32_t(first));
  for (size_t i = 0; i != kept.size(); ++i)
    events[first + i].lane += tracks[firstTrack + kept.track[i]].firstLane;
}

void TimelineWriter::addLaunches(const Run &run, uint32_t firstId) {
  if (run.kept.launch.empty())
    return;
  launches.resize(firstId, kNone);
  for (uint32_t launch : run.kept.launch)
    launches.push_back(launch == kNone ? kNone : firstId + launch);
}

void TimelineWriter::addEvents() {
  for (const Run &run : profile.runs)
    addRun(run);
  if (!launches.empty())
    launches.resize(events.size(), kNone);
}

/// Adds the bars of all layers for one lane, whose events are in order.
void TimelineWriter::addLane(llvm::ArrayRef<TimelineEvent> lane) {
  for (unsigned layer = 0; layer != Timeline::kLayers; ++layer) {
    int64_t resolution = Timeline::getResolution(layer);
    size_t first = blocks.size();
    for (const TimelineEvent &event : lane) {
      if (event.durationPs >= resolution)
        continue;
      int64_t end = saturatingAdd(event.beginPs, event.durationPs);
      if (blocks.size() != first &&
          event.beginPs - blocks.back().endPs < resolution) {
        blocks.back().endPs = std::max(blocks.back().endPs, end);
        ++blocks.back().count;
      } else {
        blocks.push_back({event.beginPs, end, 1});
      }
    }
    blockEnds.push_back(blocks.size());
  }
}

void TimelineWriter::addBlocks() {
  llvm::sort(events, [](const TimelineEvent &a, const TimelineEvent &b) {
    return std::tie(a.lane, a.beginPs, a.id) <
           std::tie(b.lane, b.beginPs, b.id);
  });
  auto layerOf = [](const TimelineEvent &event) {
    return getLayer(event.durationPs);
  };
  size_t begin = 0;
  for (uint32_t lane = 0; lane != lanes; ++lane) {
    size_t end = begin;
    while (end != events.size() && events[end].lane == lane)
      ++end;
    addLane(llvm::ArrayRef(events).slice(begin, end - begin));
    std::stable_sort(events.begin() + begin, events.begin() + end,
                     [&](const TimelineEvent &a, const TimelineEvent &b) {
                       return layerOf(a) < layerOf(b);
                     });
    for (unsigned layer = 0; layer != Timeline::kLayers; ++layer) {
      while (begin != end && layerOf(events[begin]) == layer)
        ++begin;
      eventEnds.push_back(begin);
    }
  }
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
  std::vector<uint32_t> places(events.size());
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
  for (auto [i, event] : llvm::enumerate(events)) {
    places[event.id] = uint32_t(i);
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
