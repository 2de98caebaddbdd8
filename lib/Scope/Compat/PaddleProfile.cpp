//===- PaddleProfile.cpp - Profiles of Paddle's first generation ----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// lib/Import/Paddle/First.cpp lists the fields of the file.
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Scope/PaddleProfile.h"
#include "mlir-prof/Scope/Scope.h"
#include "mlir-prof/Trace/Time.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

using namespace mlirprof;
using namespace mlirprof::scope;

//===----------------------------------------------------------------------===//
// Moments and losses
//===----------------------------------------------------------------------===//

/// Nanoseconds relative to the epoch.
static int64_t getNs(const Recording &recording, int64_t ps) {
  int64_t ns = ps / 1000 - (ps % 1000 < 0);
  return trace::saturatingAdd(recording.clock.anchorNs, ns);
}

EpochNs::EpochNs(const Recordings &recordings) {
  int64_t firstNs = std::numeric_limits<int64_t>::max();
  for (const Recording *recording : recordings) {
    for (const ScopeEvent &event : recording->events)
      firstNs = std::min(firstNs, getNs(*recording, event.beginPs));
    for (const MemoryEvent &event : recording->memory)
      firstNs = std::min(firstNs, getNs(*recording, event.atPs));
  }
  if (firstNs <= 0)
    shiftNs = trace::saturatingSub(1, firstNs);
}

uint64_t EpochNs::get(const Recording &recording, int64_t ps) const {
  int64_t ns = trace::saturatingAdd(getNs(recording, ps), shiftNs);
  return uint64_t(std::max<int64_t>(ns, 1));
}

uint64_t scope::getDeviceNumber(const Thread &thread) {
  static constexpr std::string_view kPrefix = "device ";
  uint64_t number = 0;
  const char *end = thread.name.data() + thread.name.size();
  if (thread.name.compare(0, kPrefix.size(), kPrefix) == 0 &&
      std::from_chars(thread.name.data() + kPrefix.size(), end, number).ec ==
          std::errc())
    return number;
  return thread.device == kNoScope ? 0 : thread.device;
}

static ScopeType getType(const Recording &recording, const ScopeEvent &event) {
  return ScopeType(recording.sites[event.site].type);
}

void scope::addPaddleLosses(const Recording &recording, LossList &losses) {
  auto note = [&](const char *name, auto &&holds) {
    auto count =
        std::count_if(recording.events.begin(), recording.events.end(), holds);
    if (count)
      losses.add(name, uint64_t(count));
  };
  note("part of a suspended scope, now a scope of its own",
       [&](const ScopeEvent &event) {
         return &recording.events[event.first] != &event;
       });
  note("scope that was open, shown until the end of the recording",
       [](const ScopeEvent &event) { return event.end == EventEnd::Open; });
  note("parent that is not around the scope on its thread",
       [&](const ScopeEvent &event) {
         if (!event.isLinked)
           return false;
         ScopeType around = getType(recording, recording.events[event.parent]);
         // The importer finds these again.
         return around != ScopeType::CudaRuntime &&
                (around != ScopeType::ProfileStep ||
                 getType(recording, event) != ScopeType::PythonUserDefined);
       });
  if (!recording.statistics.empty())
    losses.add("statistics of scopes", recording.statistics.size());
}

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

static void writeVarint(uint64_t value, std::string &out) {
  for (; value >= 128; value >>= 7)
    out += char(value | 128);
  out += char(value);
}

static void writeNumber(unsigned field, uint64_t value, std::string &out) {
  writeVarint(field << 3, out);
  writeVarint(value, out);
}

static void writeBytes(unsigned field, std::string_view bytes,
                       std::string &out) {
  writeVarint(field << 3 | 2, out);
  writeVarint(bytes.size(), out);
  out += bytes;
}

namespace {

class ProfileWriter {
public:
  ProfileWriter(const Recordings &recordings, LossList &losses)
      : recordings(recordings), times(recordings), losses(losses) {}
  std::string write();

private:
  void numberThreads();
  std::string getPath(uint32_t event);
  void writeEvents();
  void writeMemory();
  void writeLife(const MemoryEvent &begin, const MemoryEvent *end);

  const Recordings &recordings;
  EpochNs times;
  LossList &losses;
  std::string out;
  uint64_t firstThread = 0;
  /// These belong to the recording that is written.
  const Recording *recording = nullptr;
  std::vector<uint64_t> numbers;
};

} // namespace

/// Keeps numbers that are dense already, such as those of such a file.
void ProfileWriter::numberThreads() {
  numbers.clear();
  std::set<uint64_t> ids;
  size_t hosts = 0;
  for (const Thread &thread : recording->threads) {
    numbers.push_back(firstThread + numbers.size());
    if (thread.isDevice)
      continue;
    ids.insert(thread.id);
    ++hosts;
  }
  if (ids.size() != hosts || (hosts && *ids.rbegin() >= hosts))
    return;
  for (size_t thread = 0; thread != numbers.size(); ++thread)
    if (!recording->threads[thread].isDevice)
      numbers[thread] = firstThread + recording->threads[thread].id;
}

/// The names of the scopes around it on its thread and its own; of those around
/// it at most so many, since all paths are written.
std::string ProfileWriter::getPath(uint32_t scope) {
  constexpr size_t kMostNames = 128;
  const std::vector<ScopeEvent> &events = recording->events;
  std::vector<const std::string *> names;
  uint32_t thread = events[scope].thread;
  for (; scope != kNoScope && events[scope].thread == thread &&
         names.size() != kMostNames;
       scope = events[scope].parent)
    names.push_back(&recording->sites[events[scope].site].name);
  if (names.size() == kMostNames && scope != kNoScope)
    losses.add("name around a scope, of more than 127");
  std::string path = *names.back();
  for (names.pop_back(); !names.empty(); names.pop_back())
    path += "/" + *names.back();
  return path;
}

void ProfileWriter::writeEvents() {
  for (uint32_t scope = 0; scope != recording->events.size(); ++scope) {
    const ScopeEvent &event = recording->events[scope];
    const Thread &thread = recording->threads[event.thread];
    if (!thread.isDevice &&
        getType(*recording, event) != ScopeType::UserDefined)
      losses.add("type of a scope");
    std::string fields;
    writeBytes(
        1, thread.isDevice ? recording->sites[event.site].name : getPath(scope),
        fields);
    writeNumber(2, times.get(*recording, event.beginPs), fields);
    writeNumber(3, times.get(*recording, event.endPs), fields);
    writeNumber(5, thread.isDevice ? getDeviceNumber(thread) : 0, fields);
    writeNumber(6, thread.isDevice ? thread.id : numbers[event.thread], fields);
    writeNumber(8, thread.isDevice, fields);
    writeBytes(1, fields, out);
  }
}

/// The number and the device of a place ("gpu:1"), as in the file.
static std::pair<uint32_t, uint32_t> getPlace(std::string_view name) {
  static constexpr std::string_view kPlaces[] = {"gpu", "cpu", "gpu_pinned",
                                                 "xpu", "npu"};
  size_t colon = std::min(name.find(':'), name.size());
  uint32_t device = 0;
  if (colon != name.size())
    std::from_chars(name.data() + colon + 1, name.data() + name.size(), device);
  for (uint32_t place = 0; place != std::size(kPlaces); ++place)
    if (name.substr(0, colon) == kPlaces[place])
      return {place, device};
  return {1, 0};
}

void ProfileWriter::writeLife(const MemoryEvent &begin,
                              const MemoryEvent *end) {
  auto getName = [&](uint32_t scope) {
    return scope == kNoScope
               ? std::string_view()
               : recording->sites[recording->events[scope].site].name;
  };
  auto [place, device] = getPlace(recording->places[begin.place]);
  std::string fields;
  writeNumber(1, times.get(*recording, begin.atPs), fields);
  writeNumber(2, end ? times.get(*recording, end->atPs) : 0, fields);
  writeNumber(3, uint64_t(std::max<int64_t>(begin.bytes, 0)), fields);
  writeNumber(4, place, fields);
  writeNumber(5, begin.thread == kNoScope ? firstThread : numbers[begin.thread],
              fields);
  writeNumber(6, device, fields);
  writeBytes(7, getName(begin.event), fields);
  writeBytes(8, end ? getName(end->event) : std::string_view(), fields);
  writeBytes(4, fields, out);
}

/// An event of memory in the file is the life of an allocation.
void ProfileWriter::writeMemory() {
  std::map<std::pair<uint32_t, uint64_t>, const MemoryEvent *> open;
  for (const MemoryEvent &event : recording->memory) {
    std::pair<uint32_t, uint64_t> key(event.place, event.address);
    if (event.type == MemoryType::Allocate) {
      auto [it, isNew] = open.try_emplace(key, &event);
      if (!isNew) {
        writeLife(*it->second, nullptr);
        it->second = &event;
      }
    } else if (event.type != MemoryType::Free) {
      losses.add("memory reserved of the system");
    } else if (auto it = open.find(key); it != open.end()) {
      writeLife(*it->second, &event);
      open.erase(it);
    } else {
      losses.add("memory freed that was allocated before the recording");
    }
  }
  for (const auto &[key, event] : open)
    writeLife(*event, nullptr);
}

std::string ProfileWriter::write() {
  for (const Recording *of : recordings) {
    recording = of;
    addPaddleLosses(*of, losses);
    numberThreads();
    writeEvents();
    writeMemory();
    firstThread += of->threads.size();
  }
  // Begin and end of the whole, which Paddle leaves at 0.
  writeNumber(2, 0, out);
  writeNumber(3, 0, out);
  return std::move(out);
}

std::string scope::writePaddleProfile(const Recordings &recordings,
                                      LossList &losses) {
  return ProfileWriter(recordings, losses).write();
}
