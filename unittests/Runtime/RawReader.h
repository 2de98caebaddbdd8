//===- RawReader.h - Reads files of the runtime -----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_UNITTESTS_RUNTIME_RAWREADER_H
#define MLIR_PROF_UNITTESTS_RUNTIME_RAWREADER_H

#include "mlir-prof/Runtime/prof_raw.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

struct RawSpread {
  prof_raw_spread header = {};
  /// By bucket: how many executions, and their ticks.
  std::map<uint64_t, std::pair<uint64_t, uint64_t>> buckets;
};

/// One module's results.
struct RawModule {
  prof_raw_module facts = {};
  std::string metadata;
  /// By probe, over all threads.
  std::map<uint64_t, prof_raw_slot> slots;
  /// Number of blocks, without the sum of ended threads.
  unsigned blocks = 0;
  std::vector<prof_raw_instance> instances;
  /// By table: count of each tuple.
  std::map<uint64_t, std::map<std::vector<int64_t>, uint64_t>> values;
  std::map<uint64_t, uint64_t> other;
  /// By probe.
  std::map<uint64_t, RawSpread> spread;

  uint64_t count(uint64_t probe) const {
    auto it = slots.find(probe);
    return it == slots.end() ? 0 : it->second.count;
  }
  int64_t ticks(uint64_t probe) const {
    auto it = slots.find(probe);
    return it == slots.end() ? 0 : it->second.ticks;
  }
  int64_t self(uint64_t probe) const {
    auto it = slots.find(probe);
    return it == slots.end() ? 0 : it->second.ticks - it->second.inside_ticks;
  }
};

struct RawFile {
  prof_raw_clock clock = {};
  std::vector<prof_raw_thread> threads;
  std::map<uint64_t, RawModule> modules;
  std::map<uint64_t, uint64_t> losses;

  /// The module with this metadata; an empty one when there is none.
  const RawModule &find(const std::string &metadata) const;
};

/// Reads a file of the runtime; a test fails when it is not as prof_raw.h says.
/// Written apart from the importer, so that each checks the other.
RawFile readRaw(const std::string &bytes);

/// The current output of prof_rt_serialize.
std::string serialize();
inline RawFile readNow() { return readRaw(serialize()); }

std::string readFile(const std::string &path);

#endif // MLIR_PROF_UNITTESTS_RUNTIME_RAWREADER_H
