//===- Recording.cpp - One rank of a job while it is read -----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recording.h"
#include "../Common/FreeLanes.h"
#include "../Common/Json/Decimal.h"
#include "../Common/Table/Totals.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::mindspore;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

//===----------------------------------------------------------------------===//
// Clock
//===----------------------------------------------------------------------===//

static int64_t scale(__int128 ticks, uint64_t hz) {
  constexpr __int128 kPsPerSecond = 1000000000000;
  __int128 half = ticks < 0 ? -__int128(hz / 2) : __int128(hz / 2);
  __int128 ps = (ticks * kPsPerSecond + half) / __int128(hz);
  if (ps > std::numeric_limits<int64_t>::max())
    return std::numeric_limits<int64_t>::max();
  if (ps < std::numeric_limits<int64_t>::min())
    return std::numeric_limits<int64_t>::min();
  return int64_t(ps);
}

void TickClock::see(uint64_t ticks) {
  if (!first)
    first = origin = ticks;
  if (!isFixed && isNear(ticks))
    origin = std::min(origin, ticks);
}

bool TickClock::isNear(uint64_t ticks) const {
  if (!first)
    return false;
  int64_t apart = scale(__int128(ticks) - __int128(*first), hz);
  return apart < json::kMostPs && apart > -json::kMostPs;
}

int64_t TickClock::toPs(uint64_t ticks) const {
  isFixed = true;
  return scale(__int128(ticks) - __int128(origin), hz);
}

int64_t TickClock::toDuration(uint64_t ticks) const { return scale(ticks, hz); }

//===----------------------------------------------------------------------===//
// Names and ops
//===----------------------------------------------------------------------===//

uint32_t Recording::addName(llvm::StringRef name) {
  if (name.empty())
    return kNone;
  auto [it, isNew] = names.try_emplace(name, uint32_t(job.names.size()));
  if (isNew)
    job.names.push_back(name.str());
  return it->second;
}

uint32_t Recording::getOpNumber(llvm::StringRef name) {
  auto [it, isNew] = ops.try_emplace(name, uint32_t(job.ops.size()));
  if (isNew)
    job.ops.emplace_back().op = addName(name);
  return it->second;
}

/// "Default/network/Conv2D-op3" is of the type "Conv2D".
static std::string getTypeInName(llvm::StringRef name) {
  llvm::StringRef last = name.rsplit('/').second;
  if (last.empty())
    last = name;
  size_t suffix = last.rfind("-op");
  bool hasNumber = suffix != llvm::StringRef::npos &&
                   llvm::all_of(last.drop_front(suffix + 3), llvm::isDigit);
  return (hasNumber ? last.take_front(suffix) : last).str();
}

std::string Recording::getOpType(const OpFacts &op) const {
  return op.type != kNone ? job.getName(op.type).str()
                          : getTypeInName(job.getName(op.op));
}

OpKey Recording::makeKey(uint32_t op) const {
  const OpFacts &facts = job.ops[op];
  OpKey key(job.getName(facts.op).str(), getOpType(facts), GraphNodeKey());
  if (facts.graph != kNone)
    key.get<GraphNodeKey>().graph = job.getName(facts.graph).str();
  return key;
}

uint32_t Recording::getOpKey(uint32_t op) {
  if (keyOfOp.size() <= op)
    keyOfOp.resize(size_t(op) + 1, kNone);
  if (keyOfOp[op] == kNone)
    keyOfOp[op] = builder.addOpKey(makeKey(op));
  return keyOfOp[op];
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

uint32_t Recording::getTrackNumber(llvm::StringRef track) {
  auto [it, isNew] = trackNumbers.try_emplace(track, uint32_t(tracks.size()));
  if (isNew)
    tracks.push_back(track.str());
  return it->second;
}

void Recording::addEvent(llvm::StringRef track, llvm::StringRef name,
                         uint32_t op, int64_t beginPs, int64_t endPs) {
  hasOpEvents |= op != kNone;
  pending.push_back({beginPs, std::max(beginPs, endPs), getTrackNumber(track),
                     builder.addName(name), op, kNone});
}

void Recording::addTotal(uint32_t op, uint64_t count, int64_t sumPs) {
  Total &total = totals[op];
  addSaturating(total.count, count);
  addSaturating(total.sumPs, sumPs);
}

/// Whether an interval has a length that fits into 64 bits; times far from the
/// others stick at the ends of the range.
static bool isInterval(int64_t beginPs, int64_t endPs) {
  int64_t durationPs;
  return beginPs <= endPs &&
         !__builtin_sub_overflow(endPs, beginPs, &durationPs);
}

void Recording::addCollective(const Collective &collective) {
  if (isInterval(collective.beginPs, collective.endPs))
    job.collectives.push_back(collective);
  else
    addLoss("collective at a time far from the others", 1);
}

void Recording::addStep(const StepPoints &step) {
  if (!isInterval(step.beginPs, step.endPs)) {
    addLoss("step at a time far from the others", 1);
    return;
  }
  pending.push_back({step.beginPs, step.endPs, getTrackNumber("steps"),
                     builder.addName("step"), kNone,
                     uint32_t(job.steps.size())});
  job.steps.push_back(step);
}

/// Adds the counted operations to the ops that ran.
std::vector<uint64_t> Recording::countRuns() const {
  std::vector<uint64_t> counts(job.ops.size());
  for (const Pending &next : pending)
    if (next.op != kNone)
      ++counts[next.op];
  for (const auto &[op, total] : totals)
    counts[op] += total.count;
  return counts;
}

void Recording::addFlops() {
  Profile &profile = builder.getProfile();
  std::map<llvm::StringRef, const OpFacts *> byName;
  for (const OpFacts &op : job.ops)
    if (op.counted)
      byName[job.getName(op.op)] = &op;
  if (byName.empty())
    return;
  for (OpSummary &summary : builder.getRun().ops) {
    auto it = byName.find(profile.opKeys[summary.op].op);
    if (it == byName.end())
      continue;
    const OpFacts &op = *it->second;
    int64_t flops = saturatingAdd(op.cubeFlops, op.vectorFlops);
    // The device counts in total, not by execution.
    summary.measurements.push_back(
        {Quantity::Flops, table::makeEvenSummary(op.counted, flops)});
  }
}

void Recording::finish() {
  llvm::stable_sort(pending, [](const Pending &a, const Pending &b) {
    return a.beginPs != b.beginPs ? a.beginPs < b.beginPs : a.endPs > b.endPs;
  });
  struct Lanes {
    FreeLanes free;
    std::vector<uint32_t> tracks;
  };
  std::vector<Lanes> lanes(tracks.size());
  std::string plane = job.device == kNone
                          ? std::string("host")
                          : "device " + std::to_string(job.device);
  for (const Pending &next : pending) {
    Lanes &lane = lanes[next.track];
    size_t index = lane.free.take(next.beginPs, next.endPs);
    if (index == lane.tracks.size()) {
      Track track;
      track.plane = plane;
      track.line = uint32_t(next.track * FreeLanes::kMost + index);
      track.name = tracks[next.track];
      if (index)
        track.name += " (" + std::to_string(index + 1) + ")";
      lane.tracks.push_back(builder.addTrack(std::move(track)));
    }
    Event event;
    event.track = lane.tracks[index];
    event.name = next.name;
    event.beginPs = next.beginPs;
    event.endPs = next.endPs;
    event.op = next.op == kNone ? kNone : getOpKey(next.op);
    if (next.step != kNone) {
      event.role = EventRole::Step;
      event.step = job.steps[next.step].number;
    }
    builder.event(event);
  }
  pending.clear();
  table::Totals sums(builder);
  for (const auto &[op, total] : totals)
    sums.add(makeKey(op), table::makeEvenSummary(total.count, total.sumPs));
  sums.finish();
  builder.finish();
  addFlops();
  builder.getRun().job = std::make_shared<JobRecord>(std::move(job));
}
