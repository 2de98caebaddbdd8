//===- blocks.cpp - Whole events in blocks of each thread -----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The published design of Paddle's host events, rebuilt: a list of blocks of
// events for each thread, an arena for names that are strings, and the wall
// clock.
//
//===----------------------------------------------------------------------===//

#include "../Contestants.h"

#include <atomic>
#include <cstring>
#include <memory>

using namespace bench;

namespace {

struct Event {
  const char *name;
  uint64_t begin;
  uint64_t end;
  uint32_t role;
  uint32_t type;
  const char *attribute;
};

/// Arrays of `T`, each of `bytes`, that are never moved.
template <typename T, size_t bytes>
class Arena {
public:
  T *take(size_t count) {
    constexpr size_t kCount = bytes / sizeof(T);
    if (blocks.empty() || used + count > kCount) {
      blocks.emplace_back(new T[kCount]);
      used = 0;
    }
    used += count;
    return &blocks.back()[used - count];
  }

private:
  std::vector<std::unique_ptr<T[]>> blocks;
  size_t used = 0;
};

struct Recorder {
  Arena<Event, 16 << 20> events;
  Arena<char, 4 << 20> names;
};

thread_local std::shared_ptr<Recorder> recorder;
std::atomic<int> traceLevel{-1};

class RecordEvent {
public:
  explicit RecordEvent(const char *name, uint32_t type = 7, uint32_t level = 1)
      : type(type), name(name) {
    begin(level);
  }
  explicit RecordEvent(const std::string &name, uint32_t type = 7,
                       uint32_t level = 1)
      : type(type) {
    if (begin(level))
      copy = new std::string(name);
  }
  ~RecordEvent() {
    if (!isOn)
      return;
    uint64_t end = uint64_t(readNs(CLOCK_REALTIME));
    if (copy) {
      char *kept = recorder->names.take(copy->size() + 1);
      std::memcpy(kept, copy->c_str(), copy->size() + 1);
      name = kept;
      delete copy;
    }
    *recorder->events.take(1) = {name, beginNs, end, 0, type, nullptr};
  }

private:
  bool begin(uint32_t level) {
    isOn = traceLevel.load(std::memory_order_relaxed) >= int(level);
    if (isOn)
      beginNs = uint64_t(readNs(CLOCK_REALTIME));
    return isOn;
  }

  bool isOn = false;
  uint32_t type;
  uint64_t beginNs = 0;
  const char *name = nullptr;
  std::string *copy = nullptr;
};

} // namespace

__attribute__((noinline)) static void runLiteral() {
  for (int i = 0; i < kIterations; ++i) {
    RecordEvent event("static");
    work();
  }
}

__attribute__((noinline)) static void runString() {
  static const std::string name = "decoder/attention";
  for (int i = 0; i < kIterations; ++i) {
    RecordEvent event(name);
    work();
  }
}

static void start() { traceLevel = 1; }
static void stop() { traceLevel = -1; }
static void startThread() { recorder = std::make_shared<Recorder>(); }
static void stopThread() { recorder.reset(); }

static Entry entries[] = {
    Entry(
        {.name = "blocks of events (Paddle's design), off", .run = runLiteral}),
    Entry({.name = "blocks of events (Paddle's design), literal",
           .run = runLiteral,
           .start = start,
           .stop = stop,
           .startThread = startThread,
           .stopThread = stopThread}),
    Entry({.name = "blocks of events (Paddle's design), string",
           .run = runString,
           .start = start,
           .stop = stop,
           .startThread = startThread,
           .stopThread = stopThread}),
};
