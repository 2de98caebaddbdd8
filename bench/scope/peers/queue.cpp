//===- queue.cpp - A queue of begins and ends that a thread drains --------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The published design of Tracy, rebuilt: an item of 32 bytes for each begin,
// which points to a static description of the place, and for each end, in a
// queue without locks for each thread, which another thread empties meanwhile.
//
//===----------------------------------------------------------------------===//

#include "../Contestants.h"

#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

using namespace bench;

namespace {

struct Place {
  const char *name;
  const char *function;
  const char *file;
  uint32_t line;
  uint32_t color;
};

struct alignas(32) Item {
  uint8_t kind;
  uint64_t ticks;
  const Place *place;
};

struct Block {
  std::array<Item, 8192> items;
  std::atomic<size_t> used{0};
  std::atomic<Block *> next{nullptr};
};

/// One thread writes, and another one reads. Blocks that were read go back.
class Queue {
public:
  Queue() : writing(new Block), reading(writing) {}
  ~Queue() {
    for (Block *block = reading; block;)
      delete std::exchange(block, block->next.load());
    delete spare.load();
  }

  Item &begin() {
    if (used == writing->items.size())
      extend();
    return writing->items[used];
  }
  void end() { writing->used.store(++used, std::memory_order_release); }

  /// Called by the reader: the number of items that it found.
  size_t drain(uint64_t &sum) {
    size_t count = 0;
    while (true) {
      size_t until = reading->used.load(std::memory_order_acquire);
      for (; read < until; ++read, ++count)
        sum += reading->items[read].ticks;
      Block *next = reading->next.load(std::memory_order_acquire);
      if (read != reading->items.size() || !next)
        return count;
      reading->used.store(0, std::memory_order_relaxed);
      reading->next.store(nullptr, std::memory_order_relaxed);
      delete spare.exchange(reading, std::memory_order_acq_rel);
      reading = next;
      read = 0;
    }
  }

private:
  __attribute__((noinline)) void extend() {
    Block *block = spare.exchange(nullptr, std::memory_order_acq_rel);
    if (!block)
      block = new Block;
    writing->next.store(block, std::memory_order_release);
    writing = block;
    used = 0;
  }

  Block *writing;
  size_t used = 0;
  alignas(64) Block *reading;
  size_t read = 0;
  alignas(64) std::atomic<Block *> spare{nullptr};
};

std::mutex mutex;
std::vector<std::shared_ptr<Queue>> queues;
std::atomic<bool> isOn{false};
std::thread reader;
uint64_t readSum;
thread_local Queue *queue;

void drainAll() {
  while (isOn) {
    size_t count = 0;
    {
      std::lock_guard<std::mutex> lock(mutex);
      for (const std::shared_ptr<Queue> &of : queues)
        count += of->drain(readSum);
    }
    if (!count)
      std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
}

class Zone {
public:
  explicit Zone(const Place *place)
      : isActive(isOn.load(std::memory_order_relaxed)) {
    if (!isActive)
      return;
    Item &item = queue->begin();
    item.kind = 0;
    item.ticks = readTicks();
    item.place = place;
    queue->end();
  }
  ~Zone() {
    if (!isActive)
      return;
    Item &item = queue->begin();
    item.kind = 1;
    item.ticks = readTicks();
    queue->end();
  }

private:
  const bool isActive;
};

template <bool drains>
void start() {
  isOn = true;
  if (drains)
    reader = std::thread(drainAll);
}

void stop() {
  isOn = false;
  if (reader.joinable())
    reader.join();
  queues.clear();
}

void startThread() {
  auto own = std::make_shared<Queue>();
  queue = own.get();
  std::lock_guard<std::mutex> lock(mutex);
  queues.push_back(std::move(own));
}

} // namespace

__attribute__((noinline)) static void run() {
  for (int i = 0; i < kIterations; ++i) {
    static const Place place = {"static", __func__, __FILE__, __LINE__, 0};
    Zone zone(&place);
    work();
  }
}

static Entry entries[] = {
    Entry({.name = "queue of items (Tracy's design), off", .run = run}),
    Entry({.name = "queue of items (Tracy's design), drained",
           .run = run,
           .start = start<true>,
           .stop = stop,
           .startThread = startThread,
           .warmUps = kLap}),
    Entry({.name = "queue of items (Tracy's design), not drained",
           .run = run,
           .start = start<false>,
           .stop = stop,
           .startThread = startThread,
           .batches = 4 * kLap}),
};
