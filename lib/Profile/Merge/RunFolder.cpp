//===- RunFolder.cpp - Folding several runs into one ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunFolder.h"
#include "mlir-prof/Profile/Job.h"
#include "mlir-prof/Scope/Recording.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

void RunFolder::merge(Summary &into, const Summary &from) {
  bool wasSaturated = into.saturated || from.saturated;
  into.merge(from);
  if (into.saturated && !wasSaturated)
    losses.add("compacted: sums that passed 64 bits (128 of squares)");
}

/// Keeps a text only if all runs agree.
static void keepEqual(std::string &sum, const std::string &text) {
  if (sum != text)
    sum.clear();
}

void RunFolder::addOrigin(const Run &run) {
  if (run.folded.empty())
    recordings.insert(run.hash);
  recordings.insert(run.folded.begin(), run.folded.end());
  if (runs == 0) {
    sum.source = run.source;
    sum.producer = run.producer;
    sum.machine = run.machine;
    sum.samplePeriodPs = run.samplePeriodPs;
    return;
  }
  sum.source = std::to_string(recordings.size()) + " recordings";
  keepEqual(sum.producer.name, run.producer.name);
  keepEqual(sum.producer.version, run.producer.version);
  Machine &machine = sum.machine;
  keepEqual(machine.host, run.machine.host);
  auto keepLargest = [](uint64_t &peak, uint64_t other) {
    peak = std::max(peak, other);
  };
  keepLargest(machine.flopsOneThread, run.machine.flopsOneThread);
  keepLargest(machine.flopsAllThreads, run.machine.flopsAllThreads);
  keepLargest(machine.bytesOneThread, run.machine.bytesOneThread);
  keepLargest(machine.bytesAllThreads, run.machine.bytesAllThreads);
}

/// Makes `run.clock` that of the sum. Either all runs have an anchor, or none
/// of their begins can be moved.
void RunFolder::addClock(const Run &run) {
  if (runs == 0) {
    sum.clock = run.clock;
    return;
  }
  keepEqual(sum.clock.name, run.clock.name);
  sum.clock.hasAnchor &= run.clock.hasAnchor;
  sum.clock.anchorNs = std::min(sum.clock.anchorNs, run.clock.anchorNs);
  if (!sum.clock.hasAnchor)
    sum.clock.anchorNs = 0;
}

/// Peaks are the largest, as those of the machine.
static void addPeaks(std::vector<DevicePeak> &sum,
                     llvm::ArrayRef<DevicePeak> peaks) {
  for (const DevicePeak &peak : peaks) {
    auto known = llvm::find_if(
        sum, [&](const DevicePeak &other) { return other.name == peak.name; });
    if (known == sum.end())
      sum.push_back(peak);
    else
      known->perSecond = std::max(known->perSecond, peak.perSecond);
  }
}

void RunFolder::addDevices(const Run &run) {
  for (const DeviceInfo &device : run.devices) {
    auto [it, isNew] = devices.try_emplace({device.number, device.name});
    DeviceSum &known = it->second;
    for (const DeviceWait &wait : device.waits)
      merge(known.waits[wait.host], wait.time);
    if (isNew) {
      known.info = device;
      known.info.waits.clear();
      continue;
    }
    DeviceInfo &info = known.info;
    info.memoryBytes = std::max(info.memoryBytes, device.memoryBytes);
    info.processors = std::max(info.processors, device.processors);
    addPeaks(info.peaks, device.peaks);
    for (int64_t DeviceInfo::*time :
         {&DeviceInfo::busyPs, &DeviceInfo::kernelBusyPs,
          &DeviceInfo::copyBusyPs})
      info.*time = saturatingAdd(info.*time, device.*time);
    merge(info.idle, device.idle);
  }
}

void RunFolder::addTracks(const Run &run) {
  std::vector<TrackKey> keys;
  for (const TrackInfo &track : run.tracks) {
    TrackKey key(track.plane, track.line, track.id, track.name,
                 track.displayName);
    auto [it, isNew] = tracks.try_emplace(key, track);
    if (track.device != kNone) {
      const DeviceInfo &device = run.devices[track.device];
      deviceOf.try_emplace(key, device.number, device.name);
    }
    keys.push_back(std::move(key));
    if (isNew)
      continue;
    it->second.busyPs = saturatingAdd(it->second.busyPs, track.busyPs);
    TrackInfo &known = it->second;
    known.events = llvm::SaturatingAdd(known.events, track.events);
    known.partialOverlaps =
        llvm::SaturatingAdd(known.partialOverlaps, track.partialOverlaps);
    if (known.timestampNs != track.timestampNs)
      known.timestampNs = 0;
  }
  for (const EventSummary &event : run.events) {
    EventSummary &known =
        events[std::make_pair(keys[event.track], strings[event.name])];
    merge(known.total, event.total);
    merge(known.self, event.self);
  }
}

void RunFolder::addOps(const Run &run) {
  for (const OpSummary &op : run.ops) {
    OpSummary &known = ops[opKeys[op.op]];
    bool wasSaturated = false;
    for (const OpSummary *part : {&std::as_const(known), &op})
      for (const Measurement &measurement : part->measurements)
        wasSaturated |= measurement.summary.saturated;
    known.merge(op);
    if (wasSaturated)
      continue;
    for (const Measurement &measurement : known.measurements)
      if (measurement.summary.saturated)
        losses.add("compacted: sums that passed 64 bits (128 of squares)");
  }
}

void RunFolder::addSteps(const Run &run) {
  merge(sum.iterations, run.iterations);
  // Otherwise they are the first of the iterations.
  if (run.iterations.count == 0)
    for (const Step &step : run.steps)
      sum.iterations.add(step.durationPs);
  if (!run.steps.empty())
    losses.add("compacted: steps", run.steps.size());
  if (!run.kept.empty())
    losses.add("compacted: kept events", run.kept.size());
  if (run.scopes)
    addScopes(*run.scopes);
  if (run.job)
    addJob(run.job);
  sum.opBusyPs = saturatingAdd(sum.opBusyPs, run.opBusyPs);
  sum.opInflightPs = saturatingAdd(sum.opInflightPs, run.opInflightPs);
}

static bool haveSameMemory(const JobRecord &a, const JobRecord &b) {
  return a.names == b.names &&
         llvm::equal(a.memory, b.memory,
                     [](const MemoryPlan &one, const MemoryPlan &other) {
                       return one.graph == other.graph &&
                              one.staticBytes == other.staticBytes &&
                              one.nodes == other.nodes &&
                              one.tensors == other.tensors;
                     });
}

/// The plan of memory is that of the program, and the same in all its runs.
void RunFolder::addJob(const std::shared_ptr<const JobRecord> &job) {
  if (job->isOfTrainingJob() || !job->queues.empty())
    losses.add("compacted: records of a training job");
  else if (!sum.job)
    sum.job = job;
  else if (!haveSameMemory(*sum.job, *job))
    losses.add("compacted: memory that differs");
}

/// Their sums stay in ops and events, but not who called whom.
void RunFolder::addScopes(const scope::Recording &scopes) {
  auto drop = [&](llvm::StringRef name, uint64_t count) {
    if (count)
      losses.add(name, count);
  };
  drop("compacted: scopes", scopes.events.size());
  drop("compacted: statistics of scopes", scopes.statistics.size());
  drop("compacted: memory events", scopes.memory.size());
  drop("compacted: amounts of scopes", scopes.counts.size());
}

void RunFolder::addWork(const Run &run) {
  for (const NodeWork &node : run.work) {
    auto [it, isNew] = work.try_emplace({node.program, node.node}, node);
    if (!isNew &&
        (it->second.flops != node.flops || it->second.bytes != node.bytes))
      unequalWork.insert(it->first);
  }
}

void RunFolder::addFacts(const Run &run) {
  // One may be listed twice.
  std::set<std::pair<std::string, std::string>> own(run.facts.begin(),
                                                    run.facts.end());
  for (const auto &fact : own)
    ++facts[fact];
}

void RunFolder::add(const Run &run) {
  addOrigin(run);
  addClock(run);
  addDevices(run);
  addTracks(run);
  addOps(run);
  addSteps(run);
  for (const ValueTable &table : run.values)
    values.add(table);
  addWork(run);
  addFacts(run);
  for (const Loss &loss : run.losses)
    losses.add(loss.name, loss.count, loss.timePs);
  ++runs;
}

Run RunFolder::take() {
  sum.folded.assign(recordings.begin(), recordings.end());
  std::map<DeviceKey, uint32_t> deviceNumbers;
  for (auto &[key, device] : devices) {
    deviceNumbers[key] = uint32_t(sum.devices.size());
    for (auto &[host, time] : device.waits)
      device.info.waits.push_back({host, std::move(time)});
    sum.devices.push_back(std::move(device.info));
  }
  std::map<TrackKey, uint32_t> numbers;
  for (auto &[key, track] : tracks) {
    auto device = deviceOf.find(key);
    track.device =
        device == deviceOf.end() ? kNone : deviceNumbers[device->second];
    numbers[key] = uint32_t(sum.tracks.size());
    sum.tracks.push_back(std::move(track));
  }
  for (auto &[key, event] : events) {
    event.track = numbers[key.first];
    event.name = key.second;
    sum.events.push_back(std::move(event));
  }
  for (auto &[key, op] : ops) {
    op.op = key;
    sum.ops.push_back(std::move(op));
  }
  sum.values = values.take();
  for (auto &[key, node] : work)
    if (!unequalWork.count(key))
      sum.work.push_back(node);
  if (!unequalWork.empty())
    losses.add("compacted: work that differs", unequalWork.size());
  uint64_t lostFacts = 0;
  for (auto &[fact, count] : facts) {
    if (count == runs)
      sum.facts.push_back(fact);
    else
      ++lostFacts;
  }
  if (lostFacts)
    losses.add("compacted: facts that differ", lostFacts);
  sum.losses = losses.list();
  return std::move(sum);
}
