//===- ProfileBuilder.cpp - Summing up events in a profile ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Profile/ProfileBuilder.h"
#include "../File/Wire.h"
#include "DeviceSums.h"
#include "EventSums.h"
#include "mlir-prof/Profile/KeyOrder.h"
#include "mlir-prof/Profile/KeyTraits.h"
#include "mlir-prof/Trace/BusyTime.h"
#include "mlir-prof/Trace/Completion.h"
#include "mlir-prof/Trace/SelfTime.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <tuple>

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

namespace {

/// Times of an op's asynchronous work.
struct AsynchronousTimes {
  /// For both below, until finished: times that no consumer cut.
  Summary uncut;
  Summary complete;
  Summary bounded;
};

/// The measurements of work of a device, besides its duration.
struct WorkSums {
  Summary bytes;
  Summary launch;
  Summary queue;
};

/// The data on an op, besides EventSums, while its events arrive. Small, since
/// there may be millions of ops with only sums.
struct OpSums {
  /// Created on demand.
  std::unique_ptr<AsynchronousTimes> asynchronous;
  std::unique_ptr<WorkSums> work;
  int64_t firstBeginPs = 0;
  bool hasEvents = false;
  /// Only instructions have reported asynchronous work.
  bool isAsynchronous = false;
  /// Execute and Self, once all events have arrived.
  std::vector<Measurement> times;
  /// Set by setMeasurement; the other members then cover single events.
  std::vector<Measurement> direct;

  AsynchronousTimes &getAsynchronous() {
    if (!asynchronous)
      asynchronous = std::make_unique<AsynchronousTimes>();
    return *asynchronous;
  }
  WorkSums &getWork() {
    if (!work)
      work = std::make_unique<WorkSums>();
    return *work;
  }
  Summary &getTime(Quantity quantity) {
    if (times.empty()) {
      times.reserve(isAsynchronous ? 4 : 2);
      times.push_back({Quantity::Execute, {}});
      times.push_back({Quantity::Self, {}});
    }
    return times[quantity == Quantity::Self].summary;
  }
};

/// The identity of a track apart from its line: plane, id, name, display name.
using TrackName = std::tuple<std::string, int64_t, std::string, std::string>;

} // namespace

struct ProfileBuilder::Impl {
  Impl(Profile &profile, KeepEvents keepEvents)
      : profile(profile), keep(std::move(keepEvents)), devices(profile) {
    profile.runs.emplace_back();
    runIndex = profile.runs.size() - 1;
    for (auto [index, string] : llvm::enumerate(profile.strings))
      strings.try_emplace(string, uint32_t(index));
  }

  Run &getRun() { return profile.runs[runIndex]; }
  void addOpEvent(const Event &event);
  void addToDevices(const Event &event, bool isKept);
  void addStep(const Event &event);
  void done(const Completion::Done &done);
  bool isKept(const Event &event);
  void finishOps();
  void finishSteps();
  void limitBusyTimes();
  void finishLosses();

  Profile &profile;
  KeepEvents keep;
  size_t runIndex;
  LossList losses;

  llvm::StringMap<uint32_t> strings;
  EventSums events;
  std::vector<uint64_t> eventsOfTrack;
  /// The lines of tracks that differ only in the line.
  std::map<TrackName, std::set<uint32_t>> lines;

  /// Elements do not move when it grows, because keys are large.
  std::deque<OpKey> opKeys;
  KeyIndex opByKey;
  std::vector<OpSums> ops;

  SelfTime selfTime;
  Completion completion;
  BusyTime busy;
  BusyTime inflight;
  uint64_t unreported = 0;
  int64_t keepUntilPs = std::numeric_limits<int64_t>::min();
  DeviceSums devices;
  EventColumns kept;
};

//===----------------------------------------------------------------------===//
// Per event
//===----------------------------------------------------------------------===//

void ProfileBuilder::Impl::done(const Completion::Done &done) {
  AsynchronousTimes &op = ops[done.op].getAsynchronous();
  int64_t completePs = saturatingSub(done.completePs, done.beginPs);
  if (LLVM_LIKELY(done.boundedPs == done.completePs)) {
    op.uncut.add(completePs);
  } else {
    op.complete.add(completePs);
    op.bounded.add(saturatingSub(done.boundedPs, done.beginPs));
  }
  if (done.boundedPs > done.endPs)
    inflight.add(done.beginPs, done.boundedPs);
}

void ProfileBuilder::Impl::addOpEvent(const Event &event) {
  OpSums &op = ops[event.op];
  if (!op.hasEvents) {
    op.hasEvents = true;
    op.firstBeginPs = event.beginPs;
  }
  busy.add(event.beginPs, event.endPs);
  busy.settle(event.beginPs);
  inflight.add(event.beginPs, event.endPs);
  if (inflight.isDue())
    inflight.settle(completion.getOldestBegin(event.beginPs));
  if (op.isAsynchronous)
    completion.begin(event, [&](const Completion::Done &finished) {
      // An event that starts asynchronous work completes later: this is another
      // one, which has waited too long.
      unreported += event.hasFlowOut;
      done(finished);
    });
}

/// Work on a device is an event of a stream with an op; others there, such as
/// annotations, repeat it.
void ProfileBuilder::Impl::addToDevices(const Event &event, bool isKept) {
  uint32_t device = getRun().tracks[event.track].device;
  uint32_t place = isKept ? uint32_t(kept.size() - 1) : kNone;
  if (device == kNone || event.op == kNone) {
    if (device == kNone)
      devices.addHost(event, place);
    if (isKept)
      kept.addLaunch(kNone);
    return;
  }
  OpSums &op = ops[event.op];
  std::optional<DeviceSums::Launch> launch =
      devices.addWork(event, device, opKeys[event.op].work);
  if (event.bytes)
    op.getWork().bytes.add(int64_t(std::min<uint64_t>(event.bytes, INT64_MAX)));
  if (launch && launch->isFirst) {
    op.getWork().launch.add(saturatingSub(event.beginPs, launch->beginPs));
    op.getWork().queue.add(saturatingSub(event.beginPs, launch->endPs));
  }
  if (isKept)
    kept.addLaunch(launch ? launch->kept : kNone);
}

void ProfileBuilder::Impl::addStep(const Event &event) {
  Step step;
  step.number = event.step;
  step.beginPs = event.beginPs;
  step.durationPs = saturatingSub(event.endPs, event.beginPs);
  getRun().steps.push_back(step);
  busy.addWindow(event.beginPs, event.endPs);
  inflight.addWindow(event.beginPs, event.endPs);
  if (keep.mode == KeepEvents::Mode::Steps &&
      llvm::is_contained(keep.steps, event.step))
    keepUntilPs = std::max(keepUntilPs, event.endPs);
}

bool ProfileBuilder::Impl::isKept(const Event &event) {
  switch (keep.mode) {
  case KeepEvents::Mode::None:
    return false;
  case KeepEvents::Mode::All:
    return true;
  case KeepEvents::Mode::Steps:
    return event.beginPs <= keepUntilPs;
  }
  return false;
}

void ProfileBuilder::event(const Event &event) {
  Impl &self = *impl;
  uint32_t cell = self.events.getCell(event);
  ++self.eventsOfTrack[event.track];
  if (event.op != kNone)
    self.addOpEvent(event);
  if (event.role == EventRole::Completion && event.hasFlowIn)
    self.completion.end(event.flowIn, event.beginPs,
                        [&](const Completion::Done &done) { self.done(done); });
  else if (event.role == EventRole::Step)
    self.addStep(event);
  self.selfTime.open(event, cell, [&](const SelfTime::Closed &closed) {
    self.events.add(closed);
  });
  bool isKept = self.isKept(event);
  if (isKept) {
    self.kept.track.push_back(event.track);
    self.kept.name.push_back(event.name);
    self.kept.op.push_back(event.op);
    self.kept.beginPs.push_back(event.beginPs);
    self.kept.durationPs.push_back(saturatingSub(event.endPs, event.beginPs));
    self.kept.addCode(event.beginCode, event.endCode);
  }
  if (!self.devices.empty())
    self.addToDevices(event, isKept);
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

ProfileBuilder::ProfileBuilder(Profile &profile, KeepEvents keep)
    : impl(std::make_unique<Impl>(profile, std::move(keep))) {}

ProfileBuilder::~ProfileBuilder() = default;

Run &ProfileBuilder::getRun() { return impl->getRun(); }

std::vector<HloModule> &ProfileBuilder::getHloModules() {
  return impl->profile.hloModules;
}

Profile &ProfileBuilder::getProfile() { return impl->profile; }

void ProfileBuilder::keepAllEvents() {
  impl->keep.mode = KeepEvents::Mode::All;
}

bool ProfileBuilder::keepsEvents() const {
  return impl->keep.mode != KeepEvents::Mode::None;
}

uint32_t ProfileBuilder::getNumKept() const {
  return uint32_t(impl->kept.size());
}

bool ProfileBuilder::keepArrow(uint32_t from, uint32_t to) {
  std::vector<uint32_t> &launch = impl->kept.launch;
  launch.resize(impl->kept.size(), kNone);
  if (from >= to || (launch[to] != kNone && launch[to] != from))
    return false;
  launch[to] = from;
  return true;
}

void ProfileBuilder::setMeasurement(uint32_t op, Quantity quantity,
                                    Summary summary) {
  impl->ops[op].direct.push_back({quantity, std::move(summary)});
}

void ProfileBuilder::setRegions(uint32_t regions, uint32_t ops) {
  impl->selfTime.setRegions(regions, ops);
}

uint32_t ProfileBuilder::addTrack(Track track) {
  // Planes with the same name are one plane: if another track has the line, use
  // the next free one.
  std::set<uint32_t> &lines = impl->lines[TrackName(
      track.plane, track.id, track.name, track.displayName)];
  if (!lines.insert(track.line).second)
    lines.insert(track.line = *lines.rbegin() + 1);
  TrackInfo info;
  static_cast<Track &>(info) = std::move(track);
  std::vector<TrackInfo> &tracks = getRun().tracks;
  if (info.device != kNone)
    impl->selfTime.setStream(uint32_t(tracks.size()));
  tracks.push_back(std::move(info));
  impl->eventsOfTrack.push_back(0);
  return uint32_t(tracks.size() - 1);
}

uint32_t ProfileBuilder::addDevice(DeviceInfo device) {
  getRun().devices.push_back(std::move(device));
  impl->devices.addDevice();
  return uint32_t(getRun().devices.size() - 1);
}

uint32_t ProfileBuilder::addName(llvm::StringRef name) {
  std::vector<std::string> &strings = impl->profile.strings;
  auto [it, isNew] = impl->strings.try_emplace(name, uint32_t(strings.size()));
  if (isNew)
    strings.push_back(name.str());
  return it->second;
}

uint32_t ProfileBuilder::addOpKey(OpKey key) {
  Impl &self = *impl;
  auto next = uint32_t(self.opKeys.size());
  uint32_t op =
      self.opByKey.findOrAdd(key, next, [&](uint32_t number) -> const OpKey & {
        return self.opKeys[number];
      });
  if (op == next) {
    self.ops.emplace_back();
    self.ops.back().isAsynchronous = getKeyTraits(key).isAsynchronous;
    self.opKeys.push_back(std::move(key));
  }
  return op;
}

void ProfileBuilder::setConsumers(uint32_t op,
                                  llvm::ArrayRef<uint32_t> consumers) {
  impl->completion.setConsumers(op, consumers);
}

void ProfileBuilder::loss(llvm::StringRef name, uint64_t count,
                          int64_t timePs) {
  impl->losses.add(name, count, timePs);
}

//===----------------------------------------------------------------------===//
// End of the run
//===----------------------------------------------------------------------===//

static std::vector<Measurement> takeMeasurements(OpSums &sums) {
  if (!sums.direct.empty())
    return std::move(sums.direct);
  (void)sums.getTime(Quantity::Execute);
  std::vector<Measurement> measurements = std::move(sums.times);
  if (sums.isAsynchronous) {
    AsynchronousTimes &times = sums.getAsynchronous();
    times.complete.merge(times.uncut);
    times.bounded.merge(times.uncut);
    measurements.push_back({Quantity::Complete, std::move(times.complete)});
    measurements.push_back({Quantity::Bounded, std::move(times.bounded)});
  }
  if (!sums.work)
    return measurements;
  auto add = [&](Quantity quantity, Summary &summary) {
    if (summary.count)
      measurements.push_back({quantity, std::move(summary)});
  };
  add(Quantity::Bytes, sums.work->bytes);
  add(Quantity::Launch, sums.work->launch);
  add(Quantity::Queue, sums.work->queue);
  return measurements;
}

/// Moves the measured ops into the profile. Importers also name ops that only
/// consume results; those without events are left out.
void ProfileBuilder::Impl::finishOps() {
  // The keys of this run are distinct; earlier runs may contain the same keys.
  bool isFirst = profile.opKeys.empty();
  KeyIndex known;
  auto getKnown = [&](uint32_t number) -> const OpKey & {
    return profile.opKeys[number];
  };
  opByKey = {};
  for (auto [index, key] : llvm::enumerate(profile.opKeys))
    known.findOrAdd(key, uint32_t(index), getKnown);
  std::vector<uint32_t> newIndex(ops.size(), kNone);
  size_t measured = llvm::count_if(ops, [](const OpSums &sums) {
    return sums.hasEvents || !sums.direct.empty();
  });
  profile.opKeys.reserve(profile.opKeys.size() + measured);
  getRun().ops.reserve(measured);
  for (auto [index, sums] : llvm::enumerate(ops)) {
    // Stored once, since there may be millions.
    OpKey key = std::move(opKeys.front());
    opKeys.pop_front();
    if (!sums.hasEvents && sums.direct.empty())
      continue;
    uint32_t place = uint32_t(profile.opKeys.size());
    if (!isFirst)
      place = known.findOrAdd(key, place, getKnown);
    if (place == profile.opKeys.size())
      profile.opKeys.push_back(std::move(key));
    newIndex[index] = place;
    OpSummary summary;
    summary.op = place;
    summary.firstBeginPs = sums.firstBeginPs;
    summary.measurements = takeMeasurements(sums);
    getRun().ops.push_back(std::move(summary));
  }
  for (uint32_t &op : kept.op)
    op = op == kNone ? kNone : newIndex[op];
}

void ProfileBuilder::Impl::finishSteps() {
  busy.finish();
  inflight.finish();
  Run &run = getRun();
  run.opBusyPs = busy.getTotalPs();
  run.opInflightPs = inflight.getTotalPs();
  for (auto [index, step] : llvm::enumerate(run.steps)) {
    step.opBusyPs = busy.getWindowPs(uint32_t(index));
    step.opInflightPs = inflight.getWindowPs(uint32_t(index));
  }
}

/// Sums set by the recording itself (setMeasurement) may be less than the sums
/// of its single events, if it is damaged or ended in between: impossible times
/// are cut.
void ProfileBuilder::Impl::limitBusyTimes() {
  Run &run = getRun();
  schema::BusyLimits limits = schema::getBusyLimits(run);
  auto limit = [&](int64_t &all, int64_t Step::*part, int64_t mostPs) {
    if (LLVM_LIKELY(all <= mostPs))
      return;
    losses.add("time of single events beyond the sums of their ops", 1,
               saturatingSub(all, mostPs));
    all = mostPs;
    for (Step &step : run.steps)
      step.*part = std::min(step.*part, mostPs);
  };
  limit(run.opBusyPs, &Step::opBusyPs, limits.busyPs);
  limit(run.opInflightPs, &Step::opInflightPs, limits.inflightPs);
}

void ProfileBuilder::Impl::finishLosses() {
  if (unreported)
    losses.add("asynchronous op without a report of its end", unreported, 0);
  if (inflight.getCut())
    losses.add("asynchronous time left out of the in-flight union",
               inflight.getCut(), inflight.getCutPs());
  uint64_t saturated = 0;
  for (const EventSummary &summary : getRun().events)
    saturated += summary.total.saturated + summary.self.saturated;
  if (saturated)
    losses.add("sum of times out of range", saturated, 0);
  for (const Loss &loss : losses)
    getRun().losses.push_back(loss);
}

void ProfileBuilder::finish() {
  Impl &self = *impl;
  auto done = [&](const Completion::Done &done) {
    ++self.unreported;
    self.done(done);
  };
  self.completion.finish(done);
  self.selfTime.finish(
      [&](const SelfTime::Closed &closed) { self.events.add(closed); });
  Run &run = getRun();
  for (auto [index, track] : llvm::enumerate(run.tracks)) {
    track.events = self.eventsOfTrack[index];
    track.partialOverlaps = self.selfTime.getPartialOverlaps(uint32_t(index));
  }
  run.events = self.events.take(
      [&](uint32_t op) -> Summary & {
        return self.ops[op].getTime(Quantity::Execute);
      },
      [&](uint32_t op) -> Summary & {
        return self.ops[op].getTime(Quantity::Self);
      });
  self.devices.finish(run, self.losses);
  self.finishSteps();
  self.finishOps();
  self.limitBusyTimes();
  run.kept = std::move(self.kept);
  self.finishLosses();
}
