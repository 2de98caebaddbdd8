//===- Devices.cpp - Scopes of devices ------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A device's clock is piecewise linear between its readings. An event tells how
// many readings came before it was told, so that it is found on the right piece
// also where the clock was set back.
//
//===----------------------------------------------------------------------===//

#include "Extras.h"
#include "mlir-prof/Trace/Time.h"

#include <cmath>
#include <map>

using namespace mlirprof;
using namespace mlirprof::scope;
using trace::saturatingAdd;

/// Far from both ends, so that differences fit.
static constexpr int64_t kMostPs = std::numeric_limits<int64_t>::max() / 4;

static int64_t clampPs(double ps) {
  return ps >= double(kMostPs)    ? kMostPs
         : ps <= -double(kMostPs) ? -kMostPs
                                  : int64_t(std::llround(ps));
}

int64_t Device::getErrorPs(int64_t ps) const {
  if (errorsPs.empty())
    return readings.empty() ? 0 : readings.front().errorPs;
  auto isBefore = [](int64_t at, const Reading &reading) {
    return at < reading.hostPs;
  };
  size_t after =
      std::upper_bound(readings.begin(), readings.end(), ps, isBefore) -
      readings.begin();
  size_t piece = after == 0 ? 0 : after - 1;
  return errorsPs[std::min(piece, errorsPs.size() - 1)];
}

namespace {

using Reading = Device::Reading;

/// From `a` to `b` on a clock that may be set back.
static double getDistance(uint64_t a, uint64_t b) {
  return b >= a ? double(b - a) : -double(a - b);
}

/// Converts the times of one device.
class DeviceClock {
public:
  DeviceClock(const ThreadView &clock, Recording &out, Device &device);

  bool isKnown() const { return !device.readings.empty(); }
  /// The host's time of an event that was told after `before` readings.
  int64_t toPs(uint64_t at, uint64_t before) const;

private:
  void findSlopes(uint64_t ticksPerSecond);
  int64_t from(size_t reading, uint64_t at, double slope) const {
    return saturatingAdd(
        device.readings[reading].hostPs,
        clampPs(getDistance(device.readings[reading].device, at) * slope));
  }
  bool findInPiece(size_t piece, uint64_t at, int64_t &ps) const;

  Device &device;
  /// Readings that a ring has overwritten.
  uint64_t overwritten = 0;
  /// Picoseconds of a tick, by piece; of any piece.
  std::vector<double> slopes;
  double slope = 1000;
};

} // namespace

/// Calls `visit` with both halves of each pair of records that begins with
/// `kind`; returns the number of records that are not of one.
template <typename Visitor>
static uint64_t forEachPair(const ThreadView &thread, uint32_t kind,
                            Visitor visit) {
  uint64_t others = 0;
  prof_scope_record_words first = {};
  bool hasFirst = false;
  auto getKind = [](const prof_scope_record_words &of) {
    return uint32_t(of.first >> PROF_SCOPE_KIND_SHIFT);
  };
  for (const RecordsView &records : thread.records)
    records.forEach([&](const prof_scope_record_words &words) {
      if (hasFirst && getKind(words) == PROF_SCOPE_KIND_CONTINUATION)
        visit(first, words);
      else if (getKind(words) != kind)
        ++others;
      hasFirst = getKind(words) == kind;
      first = words;
    });
  return others;
}

DeviceClock::DeviceClock(const ThreadView &clock, Recording &out,
                         Device &device)
    : device(device) {
  uint64_t records = 0;
  for (const RecordsView &view : clock.records)
    records += view.getFirst();
  if (!clock.records.empty())
    records += clock.records.front().before;
  overwritten = (records + 1) / 2;
  forEachPair(clock, PROF_SCOPE_KIND_READING,
              [&](const auto &a, const auto &b) {
                uint64_t begin = b.first & PROF_SCOPE_TICKS_MASK;
                int64_t hostPs = out.clock.toPs(begin + a.second / 2);
                // A hostile file only.
                if (!device.readings.empty() &&
                    hostPs < device.readings.back().hostPs) {
                  out.losses.add("reading of a device's clock out of order");
                  return;
                }
                device.readings.push_back(
                    {hostPs, b.second, out.clock.toDurationPs(a.second / 2)});
              });
  findSlopes(clock.deviceTicksPerSecond);
}

/// The slopes of pieces, and by how much each may be wrong: where a clock is
/// set, one piece differs from both neighbors.
void DeviceClock::findSlopes(uint64_t ticksPerSecond) {
  const std::vector<Reading> &readings = device.readings;
  std::vector<double> sorted;
  for (size_t piece = 0; piece + 1 < readings.size(); ++piece) {
    double host = double(readings[piece + 1].hostPs - readings[piece].hostPs);
    double ticks =
        getDistance(readings[piece].device, readings[piece + 1].device);
    slopes.push_back(ticks > 0 && host > 0 ? host / ticks : 0);
    if (slopes.back() > 0)
      sorted.push_back(slopes.back());
  }
  if (!sorted.empty()) {
    auto middle = sorted.begin() + sorted.size() / 2;
    std::nth_element(sorted.begin(), middle, sorted.end());
    slope = *middle;
  } else if (ticksPerSecond) {
    slope = 1e12 / double(ticksPerSecond);
  }
  for (size_t piece = 0; piece != slopes.size(); ++piece) {
    double host = double(readings[piece + 1].hostPs - readings[piece].hostPs);
    double ticks =
        getDistance(readings[piece].device, readings[piece + 1].device);
    double apart = slopes.size() == 1 ? 0 : std::abs(host - ticks * slope);
    for (size_t near : {piece - 1, piece + 1})
      if (near < slopes.size() && slopes[near] > 0)
        apart = std::min(apart, std::abs(host - ticks * slopes[near]));
    device.errorsPs.push_back(saturatingAdd(
        clampPs(apart), readings[piece].errorPs + readings[piece + 1].errorPs));
  }
}

/// Whether a time lies between two readings, and where.
bool DeviceClock::findInPiece(size_t piece, uint64_t at, int64_t &ps) const {
  const Reading &a = device.readings[piece], &b = device.readings[piece + 1];
  if (slopes[piece] > 0) {
    ps = from(piece, at, slopes[piece]);
    return a.device <= at && at <= b.device;
  }
  // Set back: near the second reading, or after the first.
  ps = from(piece + 1, at, slope);
  if (at <= b.device && ps >= a.hostPs)
    return true;
  ps = from(piece, at, slope);
  return at >= a.device && ps <= b.hostPs;
}

int64_t DeviceClock::toPs(uint64_t at, uint64_t before) const {
  constexpr size_t kSteps = 64;
  size_t last = before > overwritten ? size_t(before - overwritten) : 1;
  last = std::min(last, device.readings.size()) - 1;
  int64_t ps = 0;
  // After the last reading before it was told.
  if (at > device.readings[last].device) {
    if (last < slopes.size() && findInPiece(last, at, ps))
      return ps;
    bool isSetBack =
        last && device.readings[last].device < device.readings[last - 1].device;
    if (!isSetBack || !findInPiece(last - 1, at, ps))
      return from(last, at,
                  last && slopes[last - 1] > 0 ? slopes[last - 1] : slope);
    return ps;
  }
  size_t piece = last;
  for (size_t step = 0; piece && step != kSteps; ++step)
    if (findInPiece(--piece, at, ps))
      return ps;
  auto isBefore = [](uint64_t of, const Reading &reading) {
    return of < reading.device;
  };
  size_t after =
      std::upper_bound(device.readings.begin(), device.readings.begin() + piece,
                       at, isBefore) -
      device.readings.begin();
  if (!after)
    return from(0, at, !slopes.empty() && slopes[0] > 0 ? slopes[0] : slope);
  return from(after - 1, at, slopes[after - 1] > 0 ? slopes[after - 1] : slope);
}

namespace {

/// Scopes by what they launched.
class Launches {
public:
  Launches(const Extras &extras, const std::vector<Node> &nodes,
           const std::vector<uint32_t> &eventOf);
  /// The event, or kNoScope.
  uint32_t find(uint32_t device, uint64_t correlation) const {
    auto it = eventOfLaunch.find({device, correlation});
    return it == eventOfLaunch.end() ? kNoScope : it->second;
  }

private:
  std::map<std::pair<uint32_t, uint64_t>, uint32_t> eventOfLaunch;
};

} // namespace

Launches::Launches(const Extras &extras, const std::vector<Node> &nodes,
                   const std::vector<uint32_t> &eventOf) {
  if (extras.launches.empty())
    return;
  // The first part stands for a scope.
  std::unordered_map<uint32_t, uint32_t> nodeOfNumber;
  for (uint32_t index = 0; index != nodes.size(); ++index) {
    if (!nodes[index].number || eventOf[index] == kNoScope)
      continue;
    uint32_t &node =
        nodeOfNumber.try_emplace(nodes[index].number, index).first->second;
    if (nodes[index].begin < nodes[node].begin)
      node = index;
  }
  for (const Launch &launch : extras.launches) {
    auto node = nodeOfNumber.find(launch.number);
    if (node != nodeOfNumber.end())
      eventOfLaunch[{launch.device, launch.correlation}] =
          eventOf[node->second];
  }
}

/// Appends the events of one track.
static void writeTrack(Blocks &blocks, uint32_t index, const DeviceClock &clock,
                       const Launches &launches, const Window &window,
                       Recording &out) {
  const ThreadView &thread = blocks.threads[index];
  size_t first = out.events.size();
  int64_t from = out.clock.toPs(window.fromTicks);
  int64_t to = out.clock.toPs(window.toTicks);
  uint64_t broken = forEachPair(
      thread, PROF_SCOPE_KIND_DEVICE, [&](const auto &a, const auto &b) {
        uint64_t before =
            (a.first & PROF_SCOPE_TICKS_MASK) >> PROF_SCOPE_SITE_BITS;
        uint64_t duration = b.first & PROF_SCOPE_TICKS_MASK;
        ScopeEvent event;
        event.beginPs = clock.toPs(b.second, before);
        event.endPs =
            std::max(clock.toPs(b.second + duration, before), event.beginPs);
        if (event.beginPs < from || event.beginPs > to)
          return;
        event.site = blocks.getSite(uint32_t(a.first) & PROF_SCOPE_SITES_MAX,
                                    out.losses);
        event.thread = index;
        event.isOutside = true;
        event.selfPs = event.getDurationPs();
        if (a.second)
          event.parent = launches.find(thread.device, a.second);
        event.isLinked = event.parent != kNoScope;
        out.events.push_back(event);
      });
  if (broken > 1)
    out.losses.add("broken record of a device", broken - 1);
  std::stable_sort(out.events.begin() + first, out.events.end(),
                   [](const ScopeEvent &a, const ScopeEvent &b) {
                     return a.endPs < b.endPs;
                   });
  for (size_t event = first; event != out.events.size(); ++event)
    out.events[event].first = uint32_t(event);
}

void scope::writeDevices(Blocks &blocks, const Extras &extras,
                         const std::vector<Node> &nodes,
                         const std::vector<uint32_t> &eventOf,
                         const Window &window, Recording &out) {
  out.wantsDevices = blocks.process.devices != 0;
  std::unordered_map<uint32_t, uint32_t> deviceOfNumber;
  out.devices.resize(blocks.clocks.size());
  std::vector<DeviceClock> clocks;
  for (uint32_t index = 0; index != blocks.clocks.size(); ++index) {
    const ThreadView &clock = blocks.clocks[index];
    out.devices[index].name = clock.name;
    clocks.emplace_back(clock, out, out.devices[index]);
    deviceOfNumber[clock.device] = index;
  }
  Launches launches(extras, nodes, eventOf);
  for (uint32_t index = 0; index != blocks.threads.size(); ++index) {
    const ThreadView &thread = blocks.threads[index];
    if (!thread.device)
      continue;
    auto device = deviceOfNumber.find(thread.device);
    if (device == deviceOfNumber.end() || !clocks[device->second].isKnown()) {
      out.losses.add("track of a device whose clock was not read");
      continue;
    }
    out.threads[index].device = device->second;
    writeTrack(blocks, index, clocks[device->second], launches, window, out);
  }
}
