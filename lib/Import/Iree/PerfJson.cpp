//===- PerfJson.cpp - Profiles of IREE as lines of JSON -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each line is a record; "record_type" says of what kind. A dispatch is one
// call of an exported function by a command buffer. The same function may occur
// in a command buffer many times, for unrelated ops of the model, so an op key
// is a place in a command buffer and not a function.
//
//===----------------------------------------------------------------------===//

#include "../Common/Json/ArrayReader.h"
#include "../Common/RecordSorter.h"
#include "../Importers.h"
#include "Timelines.h"
#include "llvm/ADT/StringMap.h"

#include <map>

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::iree;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using llvm::StringRef;

/// Times further apart than this, a month, do not belong to one recording.
static constexpr int64_t kMostNs = int64_t(2592000) * 1000000000;

namespace {

/// An interval that waits to be added in order.
struct Interval {
  int64_t beginPs = 0;
  int64_t endPs = 0;
  uint64_t commandBuffer = 0;
  uint64_t submission = 0;
  uint32_t command = kNone;
  uint32_t timeline = 0;
  /// Index into the reader's names.
  uint32_t name = 0;
  bool isDispatch = false;

  bool operator<(const Interval &other) const {
    return beginPs != other.beginPs ? beginPs < other.beginPs
                                    : endPs > other.endPs;
  }
};

class Reader {
public:
  Reader(const ImportInput &input, ProfileBuilder &builder)
      : input(input), builder(builder), timelines(builder) {}
  llvm::Error read();

private:
  void take(const Record &record);
  void takeSchema(const Record &record);
  void takeInterval(const Record &record, IntervalKind kind);
  bool getTimes(const Record &record, Interval &interval);
  uint32_t getName(std::string text);
  void emit(const Interval &interval);
  uint32_t getOrdinal(const Interval &interval);
  uint32_t getOp(const Interval &interval);
  void count(StringRef what, int64_t timePs = 0) {
    losses.add(what, 1, timePs);
  }

  const ImportInput &input;
  ProfileBuilder &builder;
  LossList losses;
  RecordSorter<Interval> sorter;
  llvm::Error sortError = llvm::Error::success();

  llvm::StringMap<uint32_t> numberOfName;
  std::vector<std::string> names;
  /// The builder's numbers of `names`.
  std::vector<uint32_t> declaredNames;
  Timelines timelines;

  /// Dispatches of each command buffer by their position among its commands;
  /// the value becomes their position among the dispatches.
  std::map<uint64_t, std::map<uint32_t, uint32_t>> dispatchesOf;
  /// Number of dispatches so far of submissions without a list of commands.
  std::map<uint64_t, uint32_t> unlisted;

  bool hasOrigin = false;
  int64_t originNs = 0;
  int64_t earliestPs = std::numeric_limits<int64_t>::max();
};

} // namespace

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

void Reader::takeSchema(const Record &record) {
  builder.getRun().facts.emplace_back("schema version",
                                      std::to_string(record.schemaVersion));
}

uint32_t Reader::getName(std::string text) {
  auto [it, isNew] = numberOfName.try_emplace(text, uint32_t(names.size()));
  if (isNew)
    names.push_back(std::move(text));
  return it->second;
}

/// False, with the record counted as lost, if it does not have a time that can
/// be kept.
bool Reader::getTimes(const Record &record, Interval &interval) {
  if (!record.isValid) {
    count("record that says its times are not valid");
    return false;
  }
  if (!record.hasBegin || !record.hasDuration) {
    count(record.hasTicks ? "dispatch in ticks of a clock that is not known"
                          : "record without a begin or a duration");
    return false;
  }
  if (record.durationNs < 0 || record.durationNs > kMostNs) {
    count("record with a duration that is negative or above a month");
    return false;
  }
  if (!hasOrigin) {
    hasOrigin = true;
    originNs = record.beginNs;
  }
  int64_t relativeNs;
  if (__builtin_sub_overflow(record.beginNs, originNs, &relativeNs) ||
      relativeNs > kMostNs || relativeNs < -kMostNs) {
    count("record more than a month away from the first",
          record.durationNs * 1000);
    return false;
  }
  interval.beginPs = relativeNs * 1000;
  interval.endPs = interval.beginPs + record.durationNs * 1000;
  return true;
}

void Reader::takeInterval(const Record &record, IntervalKind kind) {
  Interval interval;
  if (!getTimes(record, interval))
    return;
  if (record.status)
    count("record of work that failed, kept",
          interval.endPs - interval.beginPs);
  interval.isDispatch = kind == IntervalKind::Dispatch;
  interval.commandBuffer = record.commandBuffer;
  interval.submission = record.submission;
  interval.command = record.command;
  interval.timeline = timelines.get(record, kind);
  interval.name = getName(getShownName(record, kind));
  earliestPs = std::min(earliestPs, interval.beginPs);
  if (!sortError)
    sortError = sorter.add(interval);
}

void Reader::take(const Record &record) {
  switch (record.type) {
  case RecordType::Schema:
    return takeSchema(record);
  case RecordType::Description:
    return;
  case RecordType::CommandOperation:
    if (record.op == "dispatch")
      dispatchesOf[record.commandBuffer].try_emplace(record.command, 0);
    return;
  case RecordType::DispatchEvent:
    return takeInterval(record, IntervalKind::Dispatch);
  case RecordType::HostExecutionEvent:
    return takeInterval(record, record.op == "dispatch"
                                    ? IntervalKind::Dispatch
                                    : IntervalKind::QueueWork);
  case RecordType::CommandRegionEvent:
    return takeInterval(record, IntervalKind::Region);
  case RecordType::Other:
    return count(record.typeName.empty()
                     ? std::string("record without a type")
                     : "record '" + record.typeName + "', not kept");
  }
}

//===----------------------------------------------------------------------===//
// In order
//===----------------------------------------------------------------------===//

/// The position of a dispatch among those of its command buffer; if the file
/// does not list its commands, among those of its submission so far.
uint32_t Reader::getOrdinal(const Interval &interval) {
  auto buffer = dispatchesOf.find(interval.commandBuffer);
  if (buffer != dispatchesOf.end()) {
    auto place = buffer->second.find(interval.command);
    if (place != buffer->second.end())
      return place->second;
  }
  return unlisted[interval.submission]++;
}

uint32_t Reader::getOp(const Interval &interval) {
  DispatchKey dispatch;
  dispatch.ordinal = getOrdinal(interval);
  if (interval.command != kNone)
    dispatch.command = interval.command;
  if (interval.commandBuffer)
    dispatch.commandBuffer = interval.commandBuffer;
  return builder.addOpKey(OpKey(names[interval.name], "", std::move(dispatch)));
}

void Reader::emit(const Interval &interval) {
  Event event;
  event.track = timelines.chooseTrack(interval.timeline, interval.beginPs,
                                      interval.endPs);
  event.name = declaredNames[interval.name];
  event.beginPs = interval.beginPs - earliestPs;
  event.endPs = interval.endPs - earliestPs;
  if (interval.isDispatch)
    event.op = getOp(interval);
  builder.event(event);
}

llvm::Error Reader::read() {
  json::ArrayReader reader(input, builder);
  llvm::Error error = reader.readLines([&](simdjson::ondemand::object &object) {
    Record record;
    if (auto failed = readRecord(object, record))
      return failed;
    take(record);
    return simdjson::SUCCESS;
  });
  if (error)
    return llvm::joinErrors(std::move(error), std::move(sortError));
  if (sortError)
    return std::move(sortError);
  for (const Loss &loss : losses)
    builder.loss(loss.name, loss.count, loss.timePs);
  for (auto &[buffer, commands] : dispatchesOf) {
    uint32_t ordinal = 0;
    for (auto &[command, place] : commands)
      place = ordinal++;
  }
  for (const std::string &name : names)
    declaredNames.push_back(builder.addName(name));
  Run &run = builder.getRun();
  run.producer.name = "IREE";
  // Monotonic: its origin is unknown.
  run.clock.name = "iree_host_time_ns";
  if (hasOrigin && earliestPs != std::numeric_limits<int64_t>::max())
    run.facts.emplace_back("first timestamp, ns",
                           std::to_string(originNs + earliestPs / 1000));
  return sorter.drain([&](const Interval &interval) { emit(interval); });
}

//===----------------------------------------------------------------------===//
// The importer
//===----------------------------------------------------------------------===//

static bool detect(StringRef bytes) {
  StringRef first = bytes.take_front(1 << 12).ltrim();
  return first.starts_with("{") &&
         first.split('\n').first.contains("\"ireeperf-jsonl\"");
}

static llvm::Error read(const ImportInput &input, ProfileBuilder &builder) {
  return Reader(input, builder).read();
}

Importer importer::IreePerfJson() {
  return {"iree-jsonl", "IREE's profiles, exported as ireeperf-jsonl", detect,
          read};
}
