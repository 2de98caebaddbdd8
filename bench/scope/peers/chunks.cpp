//===- chunks.cpp - Packed blocks in chunks of each thread ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The published design of easy_profiler, rebuilt: a stack of open blocks in
// each thread, and at the end of one its bytes, with its name where that is
// made at run time, in a list of chunks.
//
//===----------------------------------------------------------------------===//

#include "../Contestants.h"

#include <atomic>
#include <cstring>
#include <deque>
#include <memory>

using namespace bench;

namespace {

struct Header {
  uint64_t begin;
  uint64_t end;
  uint32_t id;
};

struct Chunks {
  static constexpr size_t kBytes = 8192;
  std::deque<std::unique_ptr<char[]>> chunks;
  size_t used = kBytes;

  char *take(size_t bytes) {
    size_t all = bytes + sizeof(uint16_t);
    if (used + all > kBytes) {
      chunks.emplace_back(new char[kBytes]);
      used = 0;
    }
    char *place = &chunks.back()[used];
    uint16_t size = uint16_t(bytes);
    std::memcpy(place, &size, sizeof(size));
    used += all;
    return place + sizeof(size);
  }
};

class Block;

struct ThreadStorage {
  Chunks chunks;
  std::vector<Block *> open;
};

std::atomic<bool> isOn{false};
thread_local std::unique_ptr<ThreadStorage> storage;

class Block {
public:
  Block(uint32_t id, const char *name) : id(id), name(name) {
    if (!isOn.load(std::memory_order_acquire))
      return;
    storage->open.push_back(this);
    begin = readTicks();
  }
  ~Block() {
    if (begin)
      end();
  }

private:
  __attribute__((noinline)) void end() {
    Header header = {begin, readTicks(), id};
    size_t length = std::strlen(name);
    char *place = storage->chunks.take(sizeof(header) + length + 1);
    std::memcpy(place, &header, sizeof(header));
    std::memcpy(place + sizeof(header), name, length + 1);
    storage->open.pop_back();
  }

  uint32_t id;
  const char *name;
  uint64_t begin = 0;
};

} // namespace

__attribute__((noinline)) static void run() {
  for (int i = 0; i < kIterations; ++i) {
    Block block(1, "");
    work();
  }
}

static Entry entries[] = {
    Entry(
        {.name = "chunks of bytes (easy_profiler's design), off", .run = run}),
    Entry({.name = "chunks of bytes (easy_profiler's design)",
           .run = run,
           .start = [] { isOn = true; },
           .stop = [] { isOn = false; },
           .startThread = [] { storage = std::make_unique<ThreadStorage>(); },
           .stopThread = [] { storage.reset(); },
           .batches = kLap}),
};
