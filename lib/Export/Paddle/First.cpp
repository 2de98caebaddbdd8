//===- First.cpp - The file of PaddlePaddle's first profiler --------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The file that stop_profiler() wrote; lib/Import/Paddle/First.cpp lists its
// fields. The name of an event is its path.
//
//===----------------------------------------------------------------------===//

#include "../Exporters.h"
#include "../Scopes/RunScopes.h"
#include "mlir-prof/Scope/Scope.h"

#include <map>
#include <protozero/pbf_writer.hpp>
#include <set>

using namespace mlirprof;
using namespace mlirprof::exporter;
using protozero::pbf_writer;
using scope::kNoScope;
using scope::MemoryEvent;
using scope::MemoryType;
using scope::Recording;
using scope::ScopeEvent;
using scope::ScopeType;

namespace {

class FirstWriter {
public:
  FirstWriter(const ScopeNs &times, LossList *losses, llvm::raw_ostream &os)
      : times(times), losses(losses), os(os) {}

  /// Numbers the threads; call it first.
  void beginRecording(const Recording &recording);
  void writeEvents(const Recording &recording);
  void writeMemory(const Recording &recording);
  /// Numbers of threads are dense, over all processes.
  void endRecording(const Recording &recording) {
    firstThread += recording.threads.size();
  }

private:
  std::string getPath(const Recording &recording, uint32_t scope);
  void emit(uint32_t field, const std::string &message);
  void writeLife(const Recording &recording, const MemoryEvent &begin,
                 const MemoryEvent *end);
  void note(const char *loss) {
    if (losses)
      losses->add(loss);
  }

  const ScopeNs &times;
  LossList *losses;
  llvm::raw_ostream &os;
  uint64_t firstThread = 0;
  /// The numbers of the recording's threads.
  std::vector<uint64_t> numbers;
};

} // namespace

/// Keeps numbers that are dense already, such as those of such a file.
void FirstWriter::beginRecording(const Recording &recording) {
  numbers.clear();
  std::set<uint64_t> ids;
  size_t hosts = 0;
  for (const scope::Thread &thread : recording.threads) {
    numbers.push_back(firstThread + numbers.size());
    if (thread.isDevice)
      continue;
    ids.insert(thread.id);
    ++hosts;
  }
  if (ids.size() != hosts || (hosts && *ids.rbegin() >= hosts))
    return;
  for (size_t thread = 0; thread != numbers.size(); ++thread)
    if (!recording.threads[thread].isDevice)
      numbers[thread] = firstThread + recording.threads[thread].id;
}

void FirstWriter::emit(uint32_t field, const std::string &message) {
  std::string bytes;
  pbf_writer(bytes).add_message(field, message);
  os << bytes;
}

/// The names of the scopes around it on its thread and its own; of those around
/// it at most so many, since all paths are written.
std::string FirstWriter::getPath(const Recording &recording, uint32_t scope) {
  constexpr size_t kMostNames = 128;
  std::vector<const std::string *> names;
  uint32_t thread = recording.events[scope].thread;
  for (; scope != kNoScope && recording.events[scope].thread == thread &&
         names.size() != kMostNames;
       scope = recording.events[scope].parent)
    names.push_back(&recording.sites[recording.events[scope].site].name);
  if (names.size() == kMostNames && scope != kNoScope)
    note("name around a scope, of more than 127");
  std::string path = *names.back();
  for (names.pop_back(); !names.empty(); names.pop_back())
    path += "/" + *names.back();
  return path;
}

void FirstWriter::writeEvents(const Recording &recording) {
  for (uint32_t scope = 0; scope != recording.events.size(); ++scope) {
    const ScopeEvent &event = recording.events[scope];
    auto type = ScopeType(recording.sites[event.site].type);
    bool isDevice = recording.threads[event.thread].isDevice;
    if (!isDevice && type != ScopeType::UserDefined)
      note("type of a scope");
    std::string bytes;
    pbf_writer fields(bytes);
    fields.add_string(1, isDevice ? recording.sites[event.site].name
                                  : getPath(recording, scope));
    fields.add_uint64(2, times.get(recording, event.beginPs));
    fields.add_uint64(3, times.get(recording, event.endPs));
    const scope::Thread &thread = recording.threads[event.thread];
    fields.add_int64(5, isDevice ? int64_t(getDeviceNumber(thread)) : 0);
    fields.add_uint64(6, isDevice ? thread.id : numbers[event.thread]);
    fields.add_enum(8, isDevice);
    emit(1, bytes);
  }
}

/// The number and the device of a place, as in the file.
static std::pair<uint32_t, uint32_t> getPlace(llvm::StringRef name) {
  static constexpr const char *kPlaces[] = {"gpu", "cpu", "gpu_pinned", "xpu",
                                            "npu"};
  auto [kind, number] = name.split(':');
  uint32_t device = 0;
  (void)number.getAsInteger(10, device);
  for (uint32_t place = 0; place != std::size(kPlaces); ++place)
    if (kind == kPlaces[place])
      return {place, device};
  return {1, 0};
}

void FirstWriter::writeLife(const Recording &recording,
                            const MemoryEvent &begin, const MemoryEvent *end) {
  auto getName = [&](uint32_t scope) {
    return scope == kNoScope
               ? std::string()
               : recording.sites[recording.events[scope].site].name;
  };
  auto [place, device] = getPlace(recording.places[begin.place]);
  std::string bytes;
  pbf_writer fields(bytes);
  fields.add_uint64(1, times.get(recording, begin.atPs));
  fields.add_uint64(2, end ? times.get(recording, end->atPs) : 0);
  fields.add_uint64(3, uint64_t(begin.bytes < 0 ? 0 : begin.bytes));
  fields.add_enum(4, int32_t(place));
  fields.add_uint64(5, begin.thread == kNoScope ? firstThread
                                                : numbers[begin.thread]);
  fields.add_uint32(6, device);
  fields.add_string(7, getName(begin.event));
  fields.add_string(8, end ? getName(end->event) : "");
  emit(4, bytes);
}

/// An event of memory in the file is the life of an allocation.
void FirstWriter::writeMemory(const Recording &recording) {
  std::map<std::pair<uint32_t, uint64_t>, const MemoryEvent *> open;
  for (const MemoryEvent &event : recording.memory) {
    std::pair<uint32_t, uint64_t> key(event.place, event.address);
    if (event.type == MemoryType::Allocate) {
      auto [it, isNew] = open.try_emplace(key, &event);
      if (!isNew) {
        writeLife(recording, *it->second, nullptr);
        it->second = &event;
      }
    } else if (event.type != MemoryType::Free) {
      note("memory reserved of the system");
    } else if (auto it = open.find(key); it != open.end()) {
      writeLife(recording, *it->second, &event);
      open.erase(it);
    } else {
      note("memory freed that was allocated before the recording");
    }
  }
  for (const auto &[key, event] : open)
    writeLife(recording, *event, nullptr);
}

static llvm::Error write(const ExportInput &input, llvm::raw_ostream &os) {
  auto runs = collectScopes(input);
  if (!runs)
    return runs.takeError();
  ScopeNs times(*runs);
  FirstWriter writer(times, input.losses, os);
  for (const RunScopes &run : *runs) {
    notePaddleLosses(*run.recording, input.losses);
    writer.beginRecording(*run.recording);
    writer.writeEvents(*run.recording);
    writer.writeMemory(*run.recording);
    writer.endRecording(*run.recording);
  }
  std::string end;
  pbf_writer fields(end);
  fields.add_uint64(2, 0);
  fields.add_uint64(3, 0);
  os << end;
  return llvm::Error::success();
}

Exporter exporter::PaddleFirst() {
  return {"paddle-profile",
          "the file of PaddlePaddle's first profiler (stop_profiler)",
          ExportNeeds::Events, write};
}
