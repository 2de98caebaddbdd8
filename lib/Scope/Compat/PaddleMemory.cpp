//===- PaddleMemory.cpp - Memory events of Paddle's interface -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PaddleMemory.h"
#include "mlir-prof/Scope/Compat/Paddle.h"

#include <algorithm>
#include <ctime>
#include <mutex>
#include <sys/syscall.h>
#include <unistd.h>

using namespace mlirprof;
using namespace mlirprof::scope;
using namespace mlirprof::scope::paddle;

namespace {

struct Kept {
  int64_t atNs = 0;
  uint64_t thread = 0;
  std::string place;
  MemoryEvent event;
};

struct Memory {
  std::mutex mutex;
  std::vector<Kept> kept;
  /// Events that were too many to keep.
  uint64_t lost = 0;
};

} // namespace

/// About 100 MB.
static constexpr size_t kMostKept = size_t(1) << 20;

static Memory &getMemory() {
  static Memory memory;
  return memory;
}

RecordMemEvent::RecordMemEvent(const void *address, const Place &place,
                               size_t size, uint64_t allocated,
                               uint64_t reserved, TracerMemEventType type) {
  if (type == TracerMemEventType::Allocate)
    prof_scope_allocated(size);
  if (!IsProfileEnabled())
    return;
  Kept kept;
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  kept.atNs = int64_t(now.tv_sec) * 1000000000 + now.tv_nsec;
  kept.thread = uint64_t(syscall(SYS_gettid));
  kept.place = place.name;
  MemoryEvent &event = kept.event;
  event.type = MemoryType(type);
  event.address = uint64_t(reinterpret_cast<uintptr_t>(address));
  auto bytes = int64_t(std::min<uint64_t>(size, INT64_MAX));
  bool isFree = type == TracerMemEventType::Free ||
                type == TracerMemEventType::ReservedFree;
  event.bytes = isFree ? -bytes : bytes;
  event.allocated = allocated;
  event.reserved = reserved;
  Memory &memory = getMemory();
  std::lock_guard<std::mutex> lock(memory.mutex);
  if (memory.kept.size() < kMostKept)
    memory.kept.push_back(std::move(kept));
  else
    ++memory.lost;
}

void scope::clearPaddleMemory() {
  Memory &memory = getMemory();
  std::lock_guard<std::mutex> lock(memory.mutex);
  memory.kept.clear();
  memory.lost = 0;
}

/// The innermost scope of `thread` at each of its memory events, which are in
/// the order of time.
static void findScopes(Recording &recording, uint32_t thread,
                       const std::vector<MemoryEvent *> &events) {
  std::vector<uint32_t> scopes;
  for (uint32_t index = 0; index != recording.events.size(); ++index)
    if (recording.events[index].thread == thread &&
        !recording.events[index].isOutside)
      scopes.push_back(index);
  // An outer scope that begins together with an inner one comes first.
  std::stable_sort(scopes.begin(), scopes.end(), [&](uint32_t a, uint32_t b) {
    const ScopeEvent &left = recording.events[a], &right = recording.events[b];
    return left.beginPs != right.beginPs ? left.beginPs < right.beginPs
                                         : left.endPs > right.endPs;
  });
  std::vector<uint32_t> open;
  size_t next = 0;
  for (MemoryEvent *event : events) {
    for (; next != scopes.size() &&
           recording.events[scopes[next]].beginPs <= event->atPs;
         ++next)
      open.push_back(scopes[next]);
    while (!open.empty() && recording.events[open.back()].endPs < event->atPs)
      open.pop_back();
    event->event = open.empty() ? kNoScope : open.back();
  }
}

void scope::takePaddleMemory(Recording &recording) {
  Memory &memory = getMemory();
  std::vector<Kept> kept;
  {
    std::lock_guard<std::mutex> lock(memory.mutex);
    kept.swap(memory.kept);
    if (memory.lost)
      recording.losses.add("memory event that found no room", memory.lost);
    memory.lost = 0;
  }
  std::stable_sort(kept.begin(), kept.end(), [](const Kept &a, const Kept &b) {
    return a.atNs < b.atNs;
  });
  std::vector<std::vector<MemoryEvent *>> ofThread(recording.threads.size());
  for (Kept &of : kept) {
    of.event.atPs = recording.clock.fromMonotonicNs(of.atNs);
    auto place =
        std::find(recording.places.begin(), recording.places.end(), of.place);
    of.event.place = uint32_t(place - recording.places.begin());
    if (place == recording.places.end())
      recording.places.push_back(of.place);
    for (uint32_t thread = 0; thread != recording.threads.size(); ++thread)
      if (recording.threads[thread].id == of.thread &&
          !recording.threads[thread].isDevice) {
        of.event.thread = thread;
        ofThread[thread].push_back(&of.event);
        break;
      }
  }
  for (uint32_t thread = 0; thread != ofThread.size(); ++thread)
    if (!ofThread[thread].empty())
      findScopes(recording, thread, ofThread[thread]);
  // By thread.
  std::stable_sort(kept.begin(), kept.end(), [](const Kept &a, const Kept &b) {
    return a.event.thread < b.event.thread;
  });
  for (const Kept &of : kept)
    recording.memory.push_back(of.event);
}
