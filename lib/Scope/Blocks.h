//===- Blocks.h - The blocks of a recording ---------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_SCOPE_BLOCKS_H
#define MLIR_PROF_LIB_SCOPE_BLOCKS_H

#include "mlir-prof/Runtime/prof_scope_file.h"
#include "mlir-prof/Scope/Recording.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <utility>

namespace mlirprof::scope {

/// Reads a `T` at `offset`, which need not be aligned; false beyond the end.
template <typename T>
bool readAt(std::string_view bytes, uint64_t offset, T &value) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T))
    return false;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return true;
}

inline uint64_t saturatingSubtract(uint64_t a, uint64_t b) {
  return a > b ? a - b : 0;
}

/// Records of one block.
struct RecordsView {
  uint64_t before = 0;
  /// Records written to the block; at most `capacity` are left.
  uint64_t used = 0;
  uint64_t capacity = 0;
  /// Records that may be torn, before which a ring is not read.
  uint64_t torn = 0;
  std::string_view bytes;

  uint64_t getFirst() const {
    uint64_t first = saturatingSubtract(used + torn, capacity);
    return std::min(first, used);
  }
  /// `place` is below `capacity`.
  prof_scope_record_words get(uint64_t place) const {
    prof_scope_record_words words;
    std::memcpy(&words, bytes.data() + place * sizeof words, sizeof words);
    return words;
  }
  /// Calls `visit` with all records that are left, the oldest first.
  template <typename Visitor>
  void forEach(Visitor visit) const {
    uint64_t place = capacity ? getFirst() % capacity : 0;
    for (uint64_t left = used - getFirst(); left; --left) {
      visit(get(place));
      place = place + 1 == capacity ? 0 : place + 1;
    }
  }
};

/// An open scope.
struct OpenSlot {
  uint32_t slot = 0;
  uint64_t begin = 0;
  uint32_t site = 0;
  uint32_t state = 0;
  uint32_t number = 0;
};

/// All blocks of a thread.
struct ThreadView {
  uint32_t number = 0;
  uint64_t id = 0;
  std::string name;
  uint64_t endedTicks = 0;
  /// The number of the device of which it is a track, or 0.
  uint32_t device = 0;
  uint64_t deviceTicksPerSecond = 0;
  /// Whether its block has been read.
  bool hasBlock = false;
  std::vector<OpenSlot> open;
  /// In order.
  std::vector<RecordsView> records;

  /// Whether records are missing before those that are left.
  bool isOverwritten() const {
    return !records.empty() &&
           (records.front().before || records.front().getFirst());
  }
};

/// Indices by number, fast for numbers that are small, as those of sites are.
class IndexOfNumber {
public:
  /// The index of `number`, which becomes `index` if it did not have one.
  std::pair<uint32_t, bool> add(uint32_t number, uint32_t index) {
    if (number >= kDense) {
      auto [it, isNew] = sparse.try_emplace(number, index);
      return {it->second, isNew};
    }
    if (number >= dense.size())
      dense.resize(std::max<size_t>(number + 1, dense.size() * 2), kNoScope);
    bool isNew = dense[number] == kNoScope;
    if (isNew)
      dense[number] = index;
    return {dense[number], isNew};
  }
  /// kNoScope without one.
  uint32_t find(uint32_t number) const {
    if (number < kDense)
      return number < dense.size() ? dense[number] : kNoScope;
    auto it = sparse.find(number);
    return it == sparse.end() ? kNoScope : it->second;
  }

private:
  static constexpr uint32_t kDense = 1 << 16;
  std::vector<uint32_t> dense;
  std::unordered_map<uint32_t, uint32_t> sparse;
};

/// All blocks of a recording, checked.
struct Blocks {
  prof_scope_process process = {};
  /// Sites by their numbers, indices into `sites`.
  IndexOfNumber siteOfId;
  std::vector<Site> sites;
  std::vector<ThreadView> threads;
  /// The readings of the clocks of devices, one thread a device.
  std::vector<ThreadView> clocks;
  /// `thread` is an index into `threads`; `site` is a number.
  std::vector<SiteStatistics> statistics;

  /// Index of the site `id`; of a nameless one, and a loss, if it is not known.
  uint32_t getSite(uint32_t id, LossList &losses);
};

/// The beginning of a recording, checked.
std::optional<Problem> readProcess(std::string_view bytes,
                                   prof_scope_process &out);

std::optional<Problem> readBlocks(std::string_view bytes, Blocks &out,
                                  LossList &losses);

} // namespace mlirprof::scope

#endif // MLIR_PROF_LIB_SCOPE_BLOCKS_H
