//===- ShowTimeline.cpp - GET /profiles/{id}/timeline ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Routes.h"
#include "mlir-prof/Report/JsonText.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <optional>
#include <set>

using namespace mlirprof;
using namespace mlirprof::report;
using namespace mlirprof::serve;
using namespace mlirprof::trace;

llvm::Expected<std::shared_ptr<const Timeline>>
serve::openTimeline(Api &api, const Request &request) {
  auto profile = findProfile(api, request);
  if (!profile)
    return profile.takeError();
  auto timeline = api.sessions.getTimeline(*profile);
  if (timeline && !*timeline)
    return requestError(404, "no-events",
                        "the profile does not have single events",
                        "Upload the recording itself, or import it with "
                        "--keep-events.");
  return timeline;
}

namespace {

struct Window {
  int64_t beginPs;
  int64_t endPs;
  /// The time of a pixel.
  int64_t pixelPs;
};

/// A rectangle: an event, or several that are closer than a pixel.
struct Bar {
  int64_t beginPs;
  int64_t durationPs;
  uint32_t name = kNone;
  uint32_t op = kNone;
  uint32_t id = kNone;
  uint64_t merged = 1;
};

/// Collects the rectangles of a lane in a window.
class LaneReader {
public:
  LaneReader(const Timeline &timeline, Window window)
      : timeline(timeline), window(window) {
    while (layer + 1 < Timeline::kLayers &&
           Timeline::getResolution(layer + 1) <= window.pixelPs)
      ++layer;
  }

  std::vector<Bar> read(uint32_t lane);

private:
  template <typename T, typename End, typename Add>
  void visit(llvm::ArrayRef<T> sorted, End end, Add add) const {
    // Those of a lane do not overlap, so that their ends are in order, too.
    const T *first =
        std::partition_point(sorted.begin(), sorted.end(), [&](const T &each) {
          return end(each) < window.beginPs;
        });
    for (; first != sorted.end() && first->beginPs < window.endPs; ++first)
      add(*first);
  }

  const Timeline &timeline;
  Window window;
  /// The coarsest whose resolution is at most a pixel.
  unsigned layer = 0;
};

} // namespace

std::vector<Bar> LaneReader::read(uint32_t lane) {
  std::vector<Bar> found;
  auto addEvent = [&](const TimelineEvent &event) {
    found.push_back(
        {event.beginPs, event.durationPs, event.name, event.op, event.id});
  };
  auto endOfEvent = [](const TimelineEvent &event) {
    return saturatingAdd(event.beginPs, event.durationPs);
  };
  auto addBlock = [&](const TimelineBlock &block) {
    if (block.firstLayer <= layer)
      found.push_back({block.beginPs, block.endPs - block.beginPs, kNone, kNone,
                       kNone, block.count});
  };
  auto endOfBlock = [](const TimelineBlock &block) { return block.endPs; };
  for (unsigned i = layer; i != Timeline::kLayers; ++i) {
    visit(timeline.getEvents(lane, i), endOfEvent, addEvent);
    visit(timeline.getBlocks(lane, i), endOfBlock, addBlock);
  }
  llvm::sort(found, [](const Bar &a, const Bar &b) {
    return std::tie(a.beginPs, a.id) < std::tie(b.beginPs, b.id);
  });
  // Layers are coarser than pixels: what is still narrower joins its neighbor.
  std::vector<Bar> bars;
  for (const Bar &bar : found) {
    int64_t end = saturatingAdd(bar.beginPs, bar.durationPs);
    if (!bars.empty() && bar.durationPs < window.pixelPs &&
        bars.back().durationPs < window.pixelPs &&
        bar.beginPs - bars.back().beginPs < window.pixelPs) {
      Bar &last = bars.back();
      last.durationPs = std::max(last.durationPs, end - last.beginPs);
      last.merged += bar.merged;
      last.name = last.op = last.id = kNone;
    } else {
      bars.push_back(bar);
    }
  }
  return bars;
}

static void writeTracks(llvm::json::OStream &json, const Timeline &timeline) {
  json.attributeArray("tracks", [&] {
    for (const auto &[i, track] : llvm::enumerate(timeline.getTracks()))
      json.object([&, i = i, &track = track] {
        json.attribute("id", i);
        writeText(json, "process", track.process);
        writeText(json, "name", track.name);
        json.attribute("depth", track.depth);
        writeInteger(json, "count", int64_t(track.events));
      });
  });
}

namespace {
/// The names of a window, each once.
class Names {
public:
  int64_t add(uint32_t name) {
    if (name == kNone)
      return -1;
    auto [it, isNew] = places.try_emplace(name, names.size());
    if (isNew)
      names.push_back(name);
    return int64_t(it->second);
  }
  void write(llvm::json::OStream &json, const Timeline &timeline) const {
    json.attributeArray("names", [&] {
      for (uint32_t name : names)
        json.value(toJsonText(timeline.getText(name)));
    });
  }

private:
  llvm::DenseMap<uint32_t, size_t> places;
  std::vector<uint32_t> names;
};
} // namespace

template <typename Get>
static void writeColumn(llvm::json::OStream &json, llvm::StringRef name,
                        llvm::ArrayRef<Bar> bars, Get get) {
  json.attributeBegin(name);
  // json::OStream takes several times as long for each number.
  json.rawValue([&](llvm::raw_ostream &os) {
    constexpr int64_t kLargest = int64_t(1) << 53;
    char before = '[';
    for (const Bar &bar : bars) {
      int64_t value = get(bar);
      os << before;
      if (value > kLargest)
        os << '"' << value << '"';
      else
        os << value;
      before = ',';
    }
    os << (bars.empty() ? "[]" : "]");
  });
  json.attributeEnd();
}

namespace {
/// Adds what the page in one file cannot ask for later: what launched each
/// event, and the ops of the module behind its key.
class FileParts {
public:
  FileParts(const Timeline &timeline, const Session &session)
      : launches(timeline.getLaunches()), session(session) {}

  void writeLaunches(llvm::json::OStream &json, llvm::ArrayRef<Bar> bars) {
    for (const Bar &bar : bars)
      if (bar.op < session.profile.opKeys.size())
        keys.insert(bar.op);
    writeColumn(json, "launch", bars, [&](const Bar &bar) {
      bool isKnown = bar.id < launches.size() && launches[bar.id] != kNone;
      return isKnown ? int64_t(launches[bar.id]) : int64_t(-1);
    });
  }

  void writeKeys(llvm::json::OStream &json) const {
    json.attributeArray("keys", [&] {
      for (uint32_t key : keys)
        json.object([&] {
          json.attribute("index", key);
          writeText(json, "op", session.profile.opKeys[key].op);
          json.attributeArray("ops", [&] {
            if (session.ownership)
              for (uint32_t op : session.ownership->matches[key].ops)
                json.value(op);
          });
        });
    });
  }

private:
  llvm::ArrayRef<uint32_t> launches;
  const Session &session;
  /// Those of the events that were written.
  std::set<uint32_t> keys;
};
} // namespace

static void writeLane(llvm::json::OStream &json, uint32_t track, uint32_t depth,
                      llvm::ArrayRef<Bar> bars, Names &names,
                      std::optional<FileParts> &parts) {
  auto orNone = [](uint32_t value) {
    return value == kNone ? int64_t(-1) : int64_t(value);
  };
  json.object([&] {
    json.attribute("track", track);
    json.attribute("depth", depth);
    writeColumn(json, "begin", bars,
                [](const Bar &bar) { return bar.beginPs; });
    writeColumn(json, "duration", bars,
                [](const Bar &bar) { return bar.durationPs; });
    writeColumn(json, "name", bars,
                [&](const Bar &bar) { return names.add(bar.name); });
    writeColumn(json, "op", bars,
                [&](const Bar &bar) { return orNone(bar.op); });
    writeColumn(json, "id", bars,
                [&](const Bar &bar) { return orNone(bar.id); });
    writeColumn(json, "merged", bars,
                [](const Bar &bar) { return int64_t(bar.merged); });
    if (parts)
      parts->writeLaunches(json, bars);
  });
}

static llvm::Expected<Answer> run(Api &api, const Request &request) {
  constexpr size_t kMostBars = 200000;
  auto opened = openTimeline(api, request);
  if (!opened)
    return opened.takeError();
  const Timeline &timeline = **opened;
  Window window;
  window.beginPs = request.getInteger("begin_ps", timeline.getBeginPs());
  window.endPs =
      request.getInteger("end_ps", saturatingAdd(timeline.getEndPs(), 1));
  if (window.endPs <= window.beginPs)
    return requestError(400, "bad-parameter",
                        "the window ends before it begins");
  int64_t pixels = request.getInteger("pixels", 1000);
  window.pixelPs = std::max<int64_t>(
      1, int64_t((__int128(window.endPs) - window.beginPs) / pixels));
  LaneReader reader(timeline, window);
  Names names;
  std::optional<FileParts> parts;
  std::shared_ptr<OpenProfile> profile;
  if (request.isForFile) {
    auto found = openRequested(api, request);
    if (!found)
      return found.takeError();
    profile = *found;
    parts.emplace(timeline, profile->get());
  }
  size_t shown = 0;
  uint64_t leftOut = 0;
  return makeJson([&](llvm::json::OStream &json) {
    writeInteger(json, "begin_ps", timeline.getBeginPs());
    writeInteger(json, "end_ps", timeline.getEndPs());
    writeTracks(json, timeline);
    json.attributeArray("layers", [&] {
      for (uint32_t lane = 0; lane != timeline.countLanes(); ++lane) {
        uint32_t track = timeline.getTrackOf(lane);
        std::vector<Bar> bars = reader.read(lane);
        if (shown + bars.size() > kMostBars) {
          for (const Bar &bar : bars)
            leftOut += bar.merged;
          continue;
        }
        shown += bars.size();
        if (!bars.empty())
          writeLane(json, track, lane - timeline.getTracks()[track].firstLane,
                    bars, names, parts);
      }
    });
    if (parts)
      parts->writeKeys(json);
    names.write(json, timeline);
    writeInteger(json, "left_out", int64_t(leftOut));
  });
}

Route route::ShowTimeline() {
  return {
      "GET",
      "/profiles/{id}/timeline",
      "The events in a window. Events narrower than a pixel are merged with "
      "their neighbors, and counted in 'merged'; -1 is none.",
      {{"begin_ps", "Begin of the window.", ParameterType::Integer, INT64_MIN},
       {"end_ps", "End of the window.", ParameterType::Integer, INT64_MIN},
       {"pixels", "Width of the window (default 1000).", ParameterType::Integer,
        1, 16384}},
      run};
}
