//===- Reader.cpp - Reading Chrome's trace events -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reader.h"
#include "../Common/Json/Text.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::chrome;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using json::kMostPs;
using json::WidePs;
using llvm::StringRef;
namespace ondemand = simdjson::ondemand;

//===----------------------------------------------------------------------===//
// Shared by clients
//===----------------------------------------------------------------------===//

void chrome::keepFact(StringRef key, StringRef value, ProfileBuilder &builder) {
  constexpr size_t kLongest = 4096;
  if (value.size() > kLongest)
    builder.loss("part of the file other than its events, not kept", 1, 0);
  else
    builder.getRun().facts.emplace_back(
        json::unescape(key), json::unescape(json::stripQuotes(value)));
}

void chrome::setAnchor(Clock &clock, WidePs ns, Epoch epoch) {
  constexpr WidePs kYear2000 = WidePs(946684800) * 1000000000;
  clock.hasAnchor = (epoch == Epoch::Unix || ns >= kYear2000) && ns >= 0 &&
                    ns <= std::numeric_limits<int64_t>::max();
  if (clock.hasAnchor)
    clock.anchorNs = int64_t(ns);
}

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

simdjson::error_code Reader::readArguments(ondemand::value &value,
                                           RawEvent &event) {
  ondemand::object arguments;
  if (value.type().value_unsafe() != ondemand::json_type::object)
    return simdjson::SUCCESS;
  if (auto error = value.get_object().get(arguments))
    return error;
  for (auto entry : arguments) {
    ondemand::field field;
    if (auto error = std::move(entry).get(field))
      return error;
    json::RawKey key(field.key());
    ondemand::value &argument = field.value();
    if (key == "name")
      event.argumentName = json::stripQuotes(json::getToken(argument));
    else if (auto error = client.argument(key, argument))
      return error;
  }
  return simdjson::SUCCESS;
}

/// The member of `event` for `key`, or null.
static StringRef *getField(json::RawKey key, RawEvent &event) {
  switch (key.front()) {
  case 'n':
    return key == "name" ? &event.name : nullptr;
  case 'c':
    return key == "cat" ? &event.category : nullptr;
  case 'p':
    return key == "pid" ? &event.pid : key == "ph" ? &event.phase : nullptr;
  case 't':
    return key == "ts" ? &event.timestamp : key == "tid" ? &event.tid : nullptr;
  case 'd':
    return key == "dur" ? &event.duration : nullptr;
  case 'i':
    return key == "id" ? &event.id : nullptr;
  case 's':
    return key == "scope" ? &event.scope : nullptr;
  default:
    return nullptr;
  }
}

static simdjson::error_code readField(json::RawKey key, ondemand::value &value,
                                      RawEvent &event) {
  if (StringRef *field = getField(key, event)) {
    *field = json::stripQuotes(json::getToken(value));
    return simdjson::SUCCESS;
  }
  // {"local": 1} or {"global": 1}
  if (!(key == "id2") ||
      value.type().value_unsafe() != ondemand::json_type::object)
    return simdjson::SUCCESS;
  ondemand::object id;
  if (auto error = value.get_object().get(id))
    return error;
  for (auto part : id) {
    ondemand::field inner;
    if (auto error = std::move(part).get(inner))
      return error;
    event.id = json::stripQuotes(json::getToken(inner.value()));
  }
  return simdjson::SUCCESS;
}

simdjson::error_code Reader::readEvent(ondemand::object &object) {
  RawEvent event;
  bool hasFields = false;
  bool hasArguments = false;
  for (auto entry : object) {
    ondemand::field field;
    if (auto error = std::move(entry).get(field))
      return error;
    hasFields = true;
    json::RawKey key(field.key());
    ondemand::value &value = field.value();
    if (key == "args") {
      hasArguments = true;
      if (client.wantsArguments(event) || event.phase == "M")
        if (auto error = readArguments(value, event))
          return error;
      continue;
    }
    if (auto error = readField(key, value, event))
      return error;
  }
  // Values of the previous event must not be taken for this one's.
  if (!hasArguments)
    client.wantsArguments(event);
  // Some producers close the list with an empty object.
  if (hasFields) {
    client.correct(event);
    keep(event);
  }
  return simdjson::SUCCESS;
}

uint32_t Reader::getName(StringRef text) {
  auto [it, isNew] = names.try_emplace(text, 0);
  if (isNew)
    it->second = builder.addName(json::unescape(text));
  return it->second;
}

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

bool Reader::getTime(const RawEvent &event, int64_t &beginPs) {
  WidePs time;
  if (!json::parseDecimalTime(event.timestamp, json::DecimalUnit::Microseconds,
                              time)) {
    count(event.timestamp.empty() ? "event without a time"
                                  : "event with a time that is not a number");
    return false;
  }
  if (!hasOrigin) {
    hasOrigin = true;
    // Anchors are in whole nanoseconds.
    origin = json::floorToNs(time);
  }
  WidePs relative = time - origin;
  if (relative > kMostPs || relative < -kMostPs) {
    WidePs duration = 0;
    json::parseDecimalTime(event.duration, json::DecimalUnit::Microseconds,
                           duration);
    bool isSane = duration > 0 && duration < kMostPs;
    count("event more than a month away from the first",
          isSane ? int64_t(duration) : 0);
    return false;
  }
  beginPs = int64_t(relative);
  return true;
}

void Reader::keepComplete(const RawEvent &event, int64_t beginPs) {
  WidePs duration = 0;
  if (!json::parseDecimalTime(event.duration, json::DecimalUnit::Microseconds,
                              duration))
    count(event.duration.empty()
              ? "complete event without a duration, taken as 0"
              : "duration that is not a number, taken as 0");
  if (duration < 0) {
    count("negative duration, taken as 0",
          int64_t(std::min(-duration, kMostPs)));
    duration = 0;
  }
  if (duration > kMostPs)
    return count("event longer than a month");
  Record record;
  record.beginPs = beginPs;
  record.endPs = beginPs + int64_t(duration);
  record.track = tracks.get(event.pid, event.tid, client.getTrackKind(event));
  if (std::optional<int64_t> device = client.getDevice(event))
    tracks.setDevice(record.track, *device);
  record.name = getName(event.name);
  client.describe(event, record);
  add(record);
}

void Reader::add(const Record &record) {
  tracks.use(record.track);
  earliestPs = std::min(earliestPs, record.beginPs);
  latestPs = std::max(latestPs, record.endPs);
  if (!sortError)
    sortError = sorter.add(record);
}

//===----------------------------------------------------------------------===//
// Begins and ends
//===----------------------------------------------------------------------===//

static llvm::SmallString<64> getPairKey(const RawEvent &event, PairKind kind) {
  llvm::SmallString<64> key(event.pid);
  key.push_back('\0');
  // A global id (0x...) should join processes, but producers reuse small
  // numbers.
  if (kind == PairKind::Thread) {
    key += event.tid;
    return key;
  }
  key += event.category;
  key.push_back('\0');
  key += event.id;
  key.push_back('\0');
  key += event.scope;
  return key;
}

void Reader::begin(const RawEvent &event, int64_t atPs, PairKind kind) {
  Record record;
  if (kind == PairKind::Thread) {
    record.track = tracks.get(event.pid, event.tid, client.getTrackKind(event));
  } else {
    std::string shown = event.category.empty()
                            ? std::string("asynchronous")
                            : "asynchronous " + json::unescape(event.category);
    record.track = tracks.get(event.pid, "", shown);
    if (isAsync.size() <= record.track)
      isAsync.resize(record.track + 1);
    isAsync[record.track] = 1;
  }
  record.name = getName(event.name);
  client.describe(event, record);
  pairs.begin(
      getPairKey(event, kind),
      {atPs, record.id, record.track, record.name, record.detail, record.kind});
}

void Reader::end(const RawEvent &event, int64_t atPs, PairKind kind) {
  OpenEvent open;
  uint32_t name = event.name.empty() ? kNone : getName(event.name);
  if (!pairs.end(getPairKey(event, kind), name, open))
    return count("end of an event without its begin");
  if (atPs < open.beginPs) {
    count("event that ends before it begins, taken as 0",
          saturatingSub(open.beginPs, atPs));
    atPs = open.beginPs;
  }
  add({open.beginPs, atPs, open.id, open.track, open.name, open.detail,
       open.kind});
}

//===----------------------------------------------------------------------===//
// Phases
//===----------------------------------------------------------------------===//

void Reader::keepMetadata(const RawEvent &event) {
  std::string name = json::unescape(event.argumentName);
  if (event.name == "process_name")
    tracks.nameProcess(event.pid, std::move(name));
  else if (event.name == "thread_name")
    tracks.nameThread(event.pid, event.tid, std::move(name));
}

/// Arrows lead from event to event, and are kept with them.
void Reader::keepArrow(const RawEvent &event) {
  int64_t atPs = 0;
  if (!builder.keepsEvents() || !getTime(event, atPs))
    return;
  // They lead to other processes, too.
  llvm::SmallString<64> key(event.category);
  key.push_back('\0');
  key += event.id;
  arrows.add(event.phase.front(), tracks.get(event.pid, event.tid), atPs, key);
}

void Reader::keep(const RawEvent &event) {
  char phase = event.phase.empty() ? '\0' : event.phase.front();
  if (phase == 'M')
    return keepMetadata(event);
  // Phases that are kept need a time; all others are counted as losses.
  int64_t atPs = 0;
  switch (phase) {
  case 'X':
  case 'B':
  case 'E':
  case 'b':
  case 'e':
  case 'S':
  case 'F':
  case 'i':
  case 'I':
  case 'n':
  case 'R':
    if (!getTime(event, atPs))
      return;
    break;
  case 's':
  case 't':
  case 'f':
    return keepArrow(event);
  case 'C':
    return count("sample of a counter, not kept");
  case '\0':
    return count("event without a phase");
  default:
    return count(
        ("event of phase '" + event.phase.take_front(1) + "', not kept").str());
  }
  // Begins wait for their ends, per thread or per id.
  switch (phase) {
  case 'X':
    return keepComplete(event, atPs);
  case 'B':
    return begin(event, atPs, PairKind::Thread);
  case 'E':
    return end(event, atPs, PairKind::Thread);
  case 'b':
  case 'S':
    return begin(event, atPs, PairKind::Async);
  case 'e':
  case 'F':
    return end(event, atPs, PairKind::Async);
  default: {
    // An instant is an event without duration.
    RawEvent moment = event;
    moment.duration = "0";
    return keepComplete(moment, atPs);
  }
  }
}

//===----------------------------------------------------------------------===//
// In order
//===----------------------------------------------------------------------===//

/// The track for an asynchronous event.
uint32_t Reader::chooseLane(const Record &record) {
  size_t lane = lanes[record.track].take(record.beginPs, record.endPs);
  return lane == 0 ? record.track
                   : tracks.addLane(record.track, uint32_t(lane));
}

void Reader::emit(Record record) {
  if (record.track < isAsync.size() && isAsync[record.track])
    record.track = chooseLane(record);
  record.beginPs -= earliestPs;
  record.endPs -= earliestPs;
  uint32_t track = record.track;
  uint32_t kept = builder.getNumKept();
  Event event;
  event.track = tracks.getDeclared(record.track, builder);
  event.name = record.name;
  event.beginPs = record.beginPs;
  event.endPs = record.endPs;
  record.track = event.track;
  client.take(record, event);
  arrows.addEvent(track, record.beginPs, record.endPs,
                  builder.getNumKept() == kept ? kNone : kept);
}

static void report(const LossList &losses, ProfileBuilder &builder) {
  for (const Loss &loss : losses)
    builder.loss(loss.name, loss.count, loss.timePs);
}

void Reader::reportLosses() {
  if (pairs.getOpen())
    losses.add("begin of an event without its end", pairs.getOpen(),
               pairs.getOpenPs(latestPs));
  if (pairs.getCrossed())
    losses.add("end of an event that is not the last begun",
               pairs.getCrossed());
  report(losses, builder);
}

llvm::Error Reader::read() {
  json::ArrayReader reader(input, builder);
  llvm::Error error = reader.read(
      "traceEvents",
      [&](StringRef key, StringRef value) { client.member(key, value); },
      [&](ondemand::object &object) { return readEvent(object); });
  if (error)
    return llvm::joinErrors(std::move(error), std::move(sortError));
  if (sortError)
    return std::move(sortError);
  reportLosses();
  if (earliestPs == std::numeric_limits<int64_t>::max())
    earliestPs = 0;
  // Anchors are in whole nanoseconds.
  earliestPs = json::floorToNs(earliestPs);
  tracks.declare(builder,
                 [&](int64_t number) { return client.describeDevice(number); });
  if (std::optional<StringRef> kind = client.getRegionKind())
    for (auto [regions, ops] : tracks.findBeside(*kind))
      builder.setRegions(regions, ops);
  client.beginEvents(origin + earliestPs);
  arrows.beginEvents(earliestPs);
  error = sorter.drain([&](const Record &record) { emit(record); });
  if (uint64_t spilled = sorter.getSpilledBytes())
    builder.getRun().facts.emplace_back(
        "input", "not in order of time, sorted through a temporary file of " +
                     std::to_string(spilled) + " bytes");
  if (error)
    return error;
  client.finish();
  LossList lostArrows;
  arrows.finish(builder, lostArrows);
  report(lostArrows, builder);
  return llvm::Error::success();
}
