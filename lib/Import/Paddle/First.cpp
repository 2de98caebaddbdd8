//===- First.cpp - PaddlePaddle's first profiler --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The file that start_profiler() and stop_profiler() wrote. Fields, as the
// descriptors in Paddle's binaries state them:
//   Profile  { events = 1, start_ns = 2, end_ns = 3, memory_events = 4 }
//   Event    { name = 1, start_ns = 2, end_ns = 3, device = 5, thread = 6,
//              copied = 7, type = 8, detail = 9 }
//   MemEvent { start_ns = 1, end_ns = 2, bytes = 3, place = 4, thread = 5,
//              device = 6, allocated_in = 7, freed_in = 8 }
// The name of an event on the host is its path: those of the events around it,
// with slashes. A name may contain slashes too, so that only the intervals tell
// where it begins.
//
//===----------------------------------------------------------------------===//

#include "../Common/Scopes/Timelines.h"
#include "../Common/WireProbe.h"
#include "../Importers.h"
#include "Types.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <map>
#include <set>

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::paddle;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using llvm::StringRef;
using scope::kNoScope;
using scope::MemoryEvent;
using scope::MemoryType;
using scope::ScopeEvent;
using scope::ScopeType;
using Type = WireProbe::Type;

namespace {

/// One event or memory event.
struct Fields {
  std::array<uint64_t, 10> numbers = {};
  std::array<StringRef, 10> texts;
  /// A bit for each field that was there.
  unsigned seen = 0;

  bool has(unsigned number) const { return seen >> number & 1; }
};

class ProfileReader {
public:
  ProfileReader(const ImportInput &input, ProfileBuilder &builder)
      : input(input), builder(builder) {}
  llvm::Error read();

private:
  llvm::Error fail(StringRef at) const {
    return inputError(input.where + ": byte " +
                          llvm::Twine(at.data() - input.bytes.data()),
                      "a message does not end where it should",
                      "The file is damaged or was cut off; record it again.");
  }
  llvm::Error readFields(StringRef bytes, Fields &fields);
  llvm::Error forEach(uint64_t number,
                      llvm::function_ref<void(const Fields &)> take);
  uint32_t getThread(bool isDevice, uint64_t device, uint64_t thread);
  void addEvent(const Fields &fields);
  void addMemory(const Fields &fields);
  /// Outer before inner events where both begin and end at once.
  void sortTies();
  /// Replaces paths by names.
  void nameScopes();
  void emit();

  const ImportInput &input;
  ProfileBuilder &builder;
  scope::RecordingBuilder scopes;
  EpochTimes times;
  std::map<std::tuple<bool, uint64_t, uint64_t>, uint32_t> threads;
};

} // namespace

llvm::Error ProfileReader::readFields(StringRef bytes, Fields &fields) {
  WireProbe probe(bytes);
  while (probe.next()) {
    if (probe.number() >= fields.numbers.size())
      continue;
    fields.seen |= 1u << probe.number();
    if (probe.type() == Type::Varint)
      fields.numbers[probe.number()] = probe.value();
    else if (probe.type() == Type::Bytes)
      fields.texts[probe.number()] = probe.bytes();
  }
  return probe.isCut() || probe.isBroken() ? fail(bytes)
                                           : llvm::Error::success();
}

llvm::Error
ProfileReader::forEach(uint64_t number,
                       llvm::function_ref<void(const Fields &)> take) {
  WireProbe probe(input.bytes);
  while (probe.next()) {
    if (!probe.is(number, Type::Bytes) || probe.isCut())
      continue;
    Fields fields;
    if (llvm::Error error = readFields(probe.bytes(), fields))
      return error;
    take(fields);
  }
  return probe.isCut() || probe.isBroken() ? fail(input.bytes)
                                           : llvm::Error::success();
}

/// Whether a message has what every event has, in their order.
static bool isEvent(StringRef bytes) {
  WireProbe probe(bytes);
  return probe.next() && probe.is(1, Type::Bytes) && probe.next() &&
         probe.is(2, Type::Varint) && probe.next() &&
         probe.is(3, Type::Varint) && probe.next() &&
         probe.is(5, Type::Varint) && probe.next() && probe.is(6, Type::Varint);
}

static bool detect(StringRef bytes) {
  WireProbe probe(bytes);
  return probe.next() && probe.is(1, Type::Bytes) && !probe.isCut() &&
         isEvent(probe.bytes());
}

uint32_t ProfileReader::getThread(bool isDevice, uint64_t device,
                                  uint64_t thread) {
  auto [it, isNew] = threads.try_emplace({isDevice, device, thread}, 0);
  if (isNew) {
    scope::Thread made;
    made.id = thread;
    made.isDevice = isDevice;
    if (isDevice)
      made.name = "device " + std::to_string(device) + " stream";
    it->second = scopes.addThread(std::move(made));
  }
  return it->second;
}

static bool isOfDevice(const Fields &event) { return event.numbers[8] != 0; }

void ProfileReader::addEvent(const Fields &fields) {
  bool isDevice = isOfDevice(fields);
  scope::Site site;
  site.name = fields.texts[1].str();
  site.type = uint16_t(isDevice ? ScopeType::Kernel : ScopeType::UserDefined);
  ScopeEvent event;
  event.site = scopes.addSite(std::move(site));
  event.thread =
      getThread(isDevice, isDevice ? fields.numbers[5] : 0, fields.numbers[6]);
  event.isOutside = isDevice;
  event.beginPs = times.toPs(fields.numbers[2]);
  event.endPs = times.toPs(fields.numbers[3]);
  if (fields.has(7))
    builder.loss("bytes of a copy", 1, 0);
  if (!fields.texts[9].empty())
    builder.loss("details of an event", 1, 0);
  scopes.addScope(event);
}

static std::string getPlaceName(uint64_t place, uint64_t device) {
  std::string number = ":" + std::to_string(device);
  switch (place) {
  case 0:
    return "gpu" + number;
  case 1:
    return "cpu";
  case 2:
    return "gpu_pinned";
  case 3:
    return "xpu" + number;
  case 4:
    return "npu" + number;
  default:
    return "place " + std::to_string(place) + number;
  }
}

/// A memory event is the life of an allocation.
void ProfileReader::addMemory(const Fields &fields) {
  MemoryEvent memory;
  memory.thread = getThread(false, 0, fields.numbers[5]);
  memory.place =
      scopes.addPlace(getPlaceName(fields.numbers[4], fields.numbers[6]));
  constexpr auto kMost = uint64_t(std::numeric_limits<int64_t>::max());
  memory.bytes = int64_t(std::min(fields.numbers[3], kMost));
  memory.atPs = times.toPs(fields.numbers[1]);
  scopes.addMemory(memory);
  if (fields.numbers[2] < fields.numbers[1] || fields.numbers[2] == 0)
    return;
  memory.type = MemoryType::Free;
  memory.bytes = -memory.bytes;
  memory.atPs = times.toPs(fields.numbers[2]);
  scopes.addMemory(memory);
}

/// The path of an inner event is longer.
void ProfileReader::sortTies() {
  scope::Recording &recording = scopes.getRecording();
  llvm::stable_sort(
      recording.events, [&](const ScopeEvent &a, const ScopeEvent &b) {
        auto getKey = [&](const ScopeEvent &event) {
          return std::make_tuple(event.thread, event.beginPs, -event.endPs,
                                 recording.sites[event.site].name.size());
        };
        return getKey(a) < getKey(b);
      });
}

namespace {

/// The empty events of one moment on a thread by their paths: only these tell
/// which of them are in one another.
class MomentPaths {
public:
  /// The event whose path `path` continues furthest, of those added since a
  /// moment began, or kNoScope. Outer ones come first: their paths are shorter.
  uint32_t findAround(StringRef path) const {
    // Hostile names are long.
    constexpr unsigned kMostNames = 128;
    for (unsigned names = 0; !events.empty() && names != kMostNames; ++names) {
      size_t slash = path.rfind('/');
      if (slash == StringRef::npos)
        break;
      path = path.take_front(slash);
      if (auto it = events.find(path); it != events.end())
        return it->second;
    }
    return kNoScope;
  }

  /// Forgets those of another moment than that of `event`.
  void advance(const ScopeEvent &event) {
    if (event.thread != thread || event.beginPs != atPs)
      events.clear();
    thread = event.thread;
    atPs = event.beginPs;
  }
  void add(StringRef path, uint32_t event) { events[path] = event; }

private:
  uint32_t thread = kNoScope;
  int64_t atPs = 0;
  llvm::DenseMap<StringRef, uint32_t> events;
};

} // namespace

void ProfileReader::nameScopes() {
  scope::Recording &recording = scopes.getRecording();
  // Paths, since sites are replaced from the outside in.
  std::vector<scope::Site> paths = recording.sites;
  std::vector<uint32_t> pathOf;
  for (const ScopeEvent &event : recording.events)
    pathOf.push_back(event.site);
  MomentPaths moment;
  for (auto [index, event] : llvm::enumerate(recording.events)) {
    scope::Site site = paths[pathOf[index]];
    StringRef name = site.name;
    moment.advance(event);
    // The nearest scope around it of which the path continues that one's.
    for (uint32_t at = event.parent; at != kNoScope;
         at = recording.events[at].parent) {
      StringRef rest = name;
      if (!rest.consume_front(paths[pathOf[at]].name) ||
          !rest.consume_front("/"))
        continue;
      event.parent = at;
      name = rest;
      break;
    }
    // An empty one may lie in one of its moment, if that path is the longer.
    if (event.beginPs == event.endPs) {
      StringRef path = paths[pathOf[index]].name;
      uint32_t around = moment.findAround(path);
      moment.add(path, uint32_t(index));
      size_t length =
          around == kNoScope ? 0 : paths[pathOf[around]].name.size() + 1;
      if (length > path.size() - name.size()) {
        event.parent = around;
        name = path.drop_front(length);
      }
    }
    if (name.size() == site.name.size())
      continue;
    site.name = name.str();
    event.site = scopes.addSite(std::move(site));
  }
}

void ProfileReader::emit() {
  Run &run = builder.getRun();
  run.producer.name = "PaddlePaddle";
  run.clock.name = "system clock";
  scopes.getRecording().clock.anchorNs = times.getAnchorNs();
  sortTies();
  scopes.nest();
  nameScopes();
  scope::Recording recording = scopes.finish();
  ScopeTimelines(recording, builder).emit([&](uint32_t scope, Event &event) {
    const scope::Site &site = recording.sites[recording.events[scope].site];
    event.op = builder.addOpKey(makeScopeKey(site.name));
  });
  addScopeLosses(recording, builder);
  run.scopes = std::make_shared<const scope::Recording>(std::move(recording));
}

llvm::Error ProfileReader::read() {
  auto see = [&](uint64_t ns) {
    if (ns != 0)
      times.see(ns);
  };
  // The report numbers threads as the file does.
  std::set<uint64_t> numbers;
  if (llvm::Error error = forEach(1, [&](const Fields &event) {
        see(event.numbers[2]);
        if (!isOfDevice(event))
          numbers.insert(event.numbers[6]);
      }))
    return error;
  for (uint64_t number : numbers)
    getThread(/*isDevice=*/false, /*device=*/0, number);
  if (llvm::Error error =
          forEach(4, [&](const Fields &memory) { see(memory.numbers[1]); }))
    return error;
  if (llvm::Error error =
          forEach(1, [&](const Fields &event) { addEvent(event); }))
    return error;
  if (llvm::Error error =
          forEach(4, [&](const Fields &memory) { addMemory(memory); }))
    return error;
  emit();
  return llvm::Error::success();
}

static llvm::Error read(const ImportInput &input, ProfileBuilder &builder) {
  return ProfileReader(input, builder).read();
}

Importer importer::PaddleFirst() {
  Importer made = {"paddle-profile",
                   "PaddlePaddle's first profiler (stop_profiler), protobuf",
                   detect, read};
  made.sharesBeginning = true;
  return made;
}
