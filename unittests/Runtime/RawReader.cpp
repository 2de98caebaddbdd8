//===- RawReader.cpp - Reads files of the runtime -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RawReader.h"
#include "mlir-prof/Runtime/prof_rt.h"
#include "gtest/gtest.h"

#include <cstring>
#include <fstream>
#include <iterator>

const RawModule &RawFile::find(const std::string &metadata) const {
  for (const auto &[index, module] : modules)
    if (module.metadata == metadata)
      return module;
  static const RawModule none;
  return none;
}

namespace {

uint64_t wordAt(const std::string &bytes, size_t position) {
  uint64_t word = 0;
  for (unsigned byte = 0; byte < 8; ++byte)
    word |= uint64_t(uint8_t(bytes[position + byte])) << (8 * byte);
  return word;
}

/// CRC-32, bit by bit.
uint32_t crc(const std::string &bytes, size_t begin) {
  uint32_t sum = ~0u;
  for (size_t index = begin; index < bytes.size(); ++index) {
    sum ^= uint8_t(bytes[index]);
    for (int bit = 0; bit < 8; ++bit)
      sum = sum >> 1 ^ (sum & 1 ? 0xEDB88320u : 0);
  }
  return ~sum;
}

template <typename Record>
std::vector<Record> readRecords(const std::vector<uint64_t> &words,
                                size_t first = 0) {
  constexpr size_t kWords = sizeof(Record) / 8;
  EXPECT_EQ((words.size() - first) % kWords, 0u);
  std::vector<Record> records;
  for (; first + kWords <= words.size(); first += kWords) {
    records.emplace_back();
    std::memcpy(&records.back(), &words[first], sizeof(Record));
  }
  return records;
}

void readSlots(const std::vector<uint64_t> &words, RawModule &module) {
  module.blocks += words[0] != PROF_RAW_ENDED;
  for (const prof_raw_slot &slot : readRecords<prof_raw_slot>(words, 1)) {
    // The upper half names a dispatch.
    EXPECT_LT(uint32_t(slot.probe), module.facts.probes);
    EXPECT_GT(slot.count, 0u);
    prof_raw_slot &sum = module.slots[slot.probe];
    sum.count += slot.count;
    sum.ticks += slot.ticks;
    sum.inside_ticks += slot.inside_ticks;
    sum.inside_executions += slot.inside_executions;
    sum.direct_executions += slot.direct_executions;
  }
}

void readValues(const std::vector<uint64_t> &words, RawModule &module) {
  uint64_t table = words[0], length = words[1], tuples = words[2];
  module.other[table] = words[3];
  ASSERT_EQ(words.size(), 4 + tuples * (1 + length));
  for (size_t at = 4; at < words.size(); at += 1 + length) {
    std::vector<int64_t> tuple(words.begin() + at + 1,
                               words.begin() + at + 1 + length);
    EXPECT_TRUE(module.values[table].emplace(tuple, words[at]).second);
  }
}

void readSpread(const std::vector<uint64_t> &words, RawModule &module) {
  for (size_t at = 0; at < words.size();) {
    ASSERT_LE(at + 5, words.size());
    RawSpread spread;
    std::memcpy(&spread.header, &words[at], sizeof spread.header);
    at += 5;
    ASSERT_LE(at + 2 * spread.header.buckets, words.size());
    for (uint64_t i = 0; i < spread.header.buckets; ++i, at += 2)
      if (words[at])
        spread.buckets[spread.header.first + i] = {words[at], words[at + 1]};
    EXPECT_TRUE(module.spread.emplace(spread.header.probe, spread).second);
  }
}

void readSection(const prof_raw_section &section, const std::string &payload,
                 RawFile &file) {
  RawModule &module = file.modules[section.module];
  if (section.type == PROF_RAW_METADATA) {
    module.metadata = payload;
    return;
  }
  ASSERT_EQ(payload.size() % 8, 0u);
  std::vector<uint64_t> words;
  for (size_t at = 0; at < payload.size(); at += 8)
    words.push_back(wordAt(payload, at));
  switch (section.type) {
  case PROF_RAW_CLOCK:
    file.clock = readRecords<prof_raw_clock>(words).at(0);
    return;
  case PROF_RAW_THREADS:
    file.threads = readRecords<prof_raw_thread>(words);
    return;
  case PROF_RAW_MODULE:
    module.facts = readRecords<prof_raw_module>(words).at(0);
    return;
  case PROF_RAW_SLOTS:
    return readSlots(words, module);
  case PROF_RAW_INSTANCES:
    module.instances = readRecords<prof_raw_instance>(words);
    return;
  case PROF_RAW_VALUES:
    return readValues(words, module);
  case PROF_RAW_SPREAD:
    return readSpread(words, module);
  case PROF_RAW_LOSSES:
    for (const prof_raw_loss &loss : readRecords<prof_raw_loss>(words))
      file.losses[loss.kind] = loss.count;
    return;
  default:
    ADD_FAILURE() << "section of type " << section.type;
  }
}

} // namespace

RawFile readRaw(const std::string &bytes) {
  RawFile file;
  EXPECT_GE(bytes.size(), sizeof(prof_raw_header));
  if (bytes.size() < sizeof(prof_raw_header))
    return file;
  EXPECT_EQ(bytes.substr(0, 8), "\x89MLPRAW\n");
  EXPECT_EQ(wordAt(bytes, 8), uint64_t(1) << 32 | PROF_RAW_MINOR);
  EXPECT_EQ(wordAt(bytes, 16), bytes.size());
  EXPECT_EQ(wordAt(bytes, 32), crc(bytes, sizeof(prof_raw_header)));
  uint64_t sections = 0;
  size_t at = sizeof(prof_raw_header);
  for (; at + sizeof(prof_raw_section) <= bytes.size(); ++sections) {
    prof_raw_section section = {wordAt(bytes, at), wordAt(bytes, at + 8),
                                wordAt(bytes, at + 16)};
    at += sizeof section;
    EXPECT_LE(section.length, bytes.size() - at);
    if (section.length > bytes.size() - at)
      return file;
    readSection(section, bytes.substr(at, section.length), file);
    at += (section.length + 7) / 8 * 8;
  }
  EXPECT_EQ(at, bytes.size());
  EXPECT_EQ(sections, wordAt(bytes, 24));
  return file;
}

std::string serialize() {
  std::string bytes;
  for (;;) {
    size_t size = prof_rt_serialize(bytes.data(), bytes.size());
    if (size <= bytes.size()) {
      bytes.resize(size);
      return bytes;
    }
    // Room for what other threads add meanwhile.
    bytes.resize(size + 65536);
  }
}

std::string readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}
