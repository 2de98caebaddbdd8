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

/// A rectangle of a lane in one layer: an event alone, or a bar.
struct Item {
  TimelineBlock block;
  /// The event, or kNone for a bar of several.
  uint32_t id;
};

} // namespace

namespace mlirprof::serve {

class TimelineWriter {
public:
  explicit TimelineWriter(const Profile &profile) : profile(profile) {}

  void addEvents();
  void write(llvm::raw_ostream &os);
  bool isEmpty() const { return laneOf.empty(); }

private:
  void chooseLanes(const Run &run);
  void addLaunches(const Run &run, uint32_t firstId);
  void addLanes();
  void addLane(uint32_t lane, llvm::ArrayRef<uint32_t> ids);
  void joinItems(int64_t resolution, unsigned layer);
  void retire(const Item &item, unsigned layer);
  void placeEvents();
  TimelineEvent getEvent(uint32_t id) const;
  void writeEvents(llvm::raw_ostream &os) const;

  const Profile &profile;
  std::vector<TimelineTrack> tracks;
  std::vector<TimelineBlock> blocks;
  std::vector<uint64_t> eventEnds, blockEnds;
  /// By id of events: lane, layer, place in the file, and, as far as one of
  /// them was launched, what launched it.
  std::vector<uint32_t> laneOf, places, launches;
  std::vector<uint8_t> layerOf;
  /// The ids of events in the order of the file.
  std::vector<uint32_t> order;
  /// The first id of each run, and its events.
  std::vector<std::pair<uint32_t, const EventColumns *>> runs;
  /// The rectangles of the lane in the layer that is being built.
  std::vector<Item> items;
  uint32_t lanes = 0;
};

} // namespace mlirprof::serve

/// The coarsest layer in which an event is wide enough to be visible.
static unsigned getLayer(int64_t duration) {
  // That of layer n is 2^(2n + 4).
  int bits = duration > 0 ? int(llvm::Log2_64(uint64_t(duration))) : 0;
  return unsigned(std::clamp((bits - 4) / 2, 0, int(Timeline::kLayers) - 1));
}

void TimelineWriter::chooseLanes(const Run &run) {
  size_t firstTrack = tracks.size(), first = laneOf.size();
  std::vector<LaneChooser> choosers(run.tracks.size());
  const EventColumns &kept = run.kept;
  runs.push_back({uint32_t(first), &kept});
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

TimelineEvent TimelineWriter::getEvent(uint32_t id) const {
  auto run = std::prev(llvm::partition_point(
      runs, [&](const auto &each) { return each.first <= id; }));
  const EventColumns &kept = *run->second;
  size_t i = id - run->first;
  return {kept.beginPs[i], kept.durationPs[i], kept.name[i], kept.op[i], id,
          laneOf[id]};
}

/// An item that the next layer joins with others, or does not exist for, is
/// stored in this one.
void TimelineWriter::retire(const Item &item, unsigned layer) {
  if (item.id == kNone)
    blocks.push_back(item.block);
  else
    layerOf[item.id] = uint8_t(layer);
}

/// Turns the items of the layer before into those of `layer`: neighbors closer
/// than the resolution become one bar. No bar lies around a wide event, which
/// keeps its neighbors apart.
void TimelineWriter::joinItems(int64_t resolution, unsigned layer) {
  size_t count = 0;
  bool isNew = false;
  for (const Item &item : items) {
    if (count == 0 ||
        item.block.beginPs - items[count - 1].block.endPs >= resolution) {
      items[count++] = item;
      isNew = false;
      continue;
    }
    Item &last = items[count - 1];
    if (!isNew)
      retire(last, layer - 1);
    retire(item, layer - 1);
    last.id = kNone;
    last.block.firstLayer = layer;
    last.block.endPs = std::max(last.block.endPs, item.block.endPs);
    last.block.count += item.block.count;
    isNew = true;
  }
  items.resize(count);
}

/// Builds the layers of a lane from its events in order of begin. Each starts
/// with the rectangles of the layer before, and adds the events that have
/// become too narrow: rectangles closer than its resolution are also closer
/// than that of the next one.
void TimelineWriter::addLane(uint32_t lane, llvm::ArrayRef<uint32_t> ids) {
  // By the coarsest layer in which they are wide.
  std::vector<uint32_t> wide[Timeline::kLayers];
  for (uint32_t id : ids)
    wide[getLayer(getEvent(id).durationPs)].push_back(id);
  auto isBefore = [](const Item &a, const Item &b) {
    return a.block.beginPs < b.block.beginPs;
  };
  items.clear();
  for (unsigned layer = 0; layer != Timeline::kLayers; ++layer) {
    size_t before = items.size();
    for (uint32_t id : wide[layer]) {
      TimelineEvent event = getEvent(id);
      int64_t end = saturatingAdd(event.beginPs, event.durationPs);
      items.push_back({{event.beginPs, end, 1, 0}, id});
    }
    if (before != 0 && !wide[layer].empty())
      std::inplace_merge(items.begin(), items.begin() + before, items.end(),
                         isBefore);
    if (layer + 1 != Timeline::kLayers)
      joinItems(Timeline::getResolution(layer + 1), layer + 1);
    else
      for (const Item &item : items)
        retire(item, layer);
    blockEnds.push_back(blocks.size());
  }
}

/// Adds all lanes in order.
void TimelineWriter::addLanes() {
  std::vector<uint64_t> ends(lanes + 1, 0);
  for (uint32_t lane : laneOf)
    ++ends[lane + 1];
  for (uint32_t lane = 0; lane != lanes; ++lane)
    ends[lane + 1] += ends[lane];
  std::vector<uint64_t> next(ends.begin(), ends.end() - 1);
  std::vector<uint32_t> ids(laneOf.size());
  for (auto [id, lane] : llvm::enumerate(laneOf))
    ids[next[lane]++] = uint32_t(id);
  layerOf.resize(laneOf.size());
  for (uint32_t lane = 0; lane != lanes; ++lane)
    addLane(lane,
            llvm::ArrayRef(ids).slice(ends[lane], ends[lane + 1] - ends[lane]));
}

/// Places the events in the order of lane, layer and begin, which is that of
/// the recording.
void TimelineWriter::placeEvents() {
  auto part = [&](uint32_t id) {
    return size_t(laneOf[id]) * Timeline::kLayers + layerOf[id];
  };
  eventEnds.assign(size_t(lanes) * Timeline::kLayers, 0);
  auto events = uint32_t(laneOf.size());
  for (uint32_t id = 0; id != events; ++id)
    ++eventEnds[part(id)];
  uint64_t sum = 0;
  for (uint64_t &end : eventEnds)
    end = sum += end;
  std::vector<uint64_t> next(eventEnds.size());
  std::copy(eventEnds.begin(), eventEnds.end() - 1, next.begin() + 1);
  places.resize(events);
  order.resize(events);
  for (uint32_t id = 0; id != events; ++id) {
    places[id] = uint32_t(next[part(id)]++);
    order[places[id]] = id;
  }
}

void TimelineWriter::addEvents() {
  for (const Run &run : profile.runs)
    chooseLanes(run);
  if (laneOf.empty())
    return;
  if (!launches.empty())
    launches.resize(laneOf.size(), kNone);
  addLanes();
  placeEvents();
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

/// Makes the events as they are written: there may be many.
void TimelineWriter::writeEvents(llvm::raw_ostream &os) const {
  constexpr size_t kAtOnce = 2048;
  std::vector<TimelineEvent> events;
  for (size_t first = 0; first < order.size(); first += kAtOnce) {
    events.clear();
    for (uint32_t id : llvm::ArrayRef(order).slice(first).take_front(kAtOnce))
      events.push_back(getEvent(id));
    writeSection(os, llvm::ArrayRef(events));
  }
}

void TimelineWriter::write(llvm::raw_ostream &os) {
  Timeline::Header header = {};
  memcpy(header.magic, "MLPROFTL", 8);
  header.version = Timeline::kVersion;
  header.lanes = lanes;
  header.tracks = uint32_t(tracks.size());
  header.texts = uint32_t(profile.strings.size());
  header.events = order.size();
  header.launches = launches.size();
  header.beginPs = INT64_MAX;
  header.endPs = INT64_MIN;
  for (const auto &[first, kept] : runs)
    for (auto [begin, duration] : llvm::zip(kept->beginPs, kept->durationPs)) {
      header.beginPs = std::min(header.beginPs, begin);
      header.endPs = std::max(header.endPs, saturatingAdd(begin, duration));
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
  header.eventsAt = skip(order.size() * sizeof(TimelineEvent));
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
  writeEvents(os);
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
  return writeOutput(path, [&](llvm::raw_ostream &os) {
    writer.write(os);
    return llvm::Error::success();
  });
}
