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

#include <cstring>
#include <unordered_map>

namespace mlirprof::scope {

/// Reads a `T` at `offset`, which need not be aligned; false beyond the end.
template <typename T>
bool readAt(std::string_view bytes, uint64_t offset, T &value) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T))
    return false;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return true;
}

/// Records of one block.
struct RecordsView {
  uint64_t before = 0;
  /// Records written to the block; at most `capacity` are left.
  uint64_t used = 0;
  uint64_t capacity = 0;
  std::string_view bytes;

  uint64_t getFirst() const { return used > capacity ? used - capacity : 0; }
  /// `index` is from getFirst() to `used`.
  prof_scope_record_words get(uint64_t index) const {
    prof_scope_record_words words;
    std::memcpy(&words, bytes.data() + index % capacity * sizeof words,
                sizeof words);
    return words;
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
  std::vector<OpenSlot> open;
  /// In order.
  std::vector<RecordsView> records;
};

/// All blocks of a recording, checked.
struct Blocks {
  prof_scope_process process = {};
  /// Sites by their numbers, indices into `sites`.
  std::unordered_map<uint32_t, uint32_t> siteOfId;
  std::vector<Site> sites;
  std::vector<ThreadView> threads;
  /// `thread` is an index into `threads`; `site` is a number.
  std::vector<SiteStatistics> statistics;

  /// Index of the site `id`; of a nameless one if it is not known.
  uint32_t getSite(uint32_t id);
};

std::optional<Problem> readBlocks(std::string_view bytes, Blocks &out,
                                  LossList &losses);

} // namespace mlirprof::scope

#endif // MLIR_PROF_LIB_SCOPE_BLOCKS_H
