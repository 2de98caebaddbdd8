//===- EventCache.h - Cache of decoded events -------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_PERFETTO_EVENTCACHE_H
#define MLIR_PROF_LIB_IMPORT_PERFETTO_EVENTCACHE_H

#include "Slices.h"
#include "llvm/ADT/StringRef.h"

#include <cstring>
#include <vector>

namespace mlirprof::importer::perfetto {

/// `Size` bytes that are set, followed by as many that are not.
template <size_t Size>
struct ByteMask {
  char bytes[2 * Size] = {};
  constexpr ByteMask() {
    for (size_t i = 0; i != Size; ++i)
      bytes[i] = char(-1);
  }
};

/// Caches decoded events that only begin or end a slice, by their bytes and by
/// the state of their sequence. Programs repeat themselves, and the time of an
/// event is outside of it: most events are byte for byte equal to an earlier
/// one.
class EventCache {
public:
  /// Longer events are not cached.
  static constexpr size_t kLongest = 32;

  struct Key {
    uint64_t words[kLongest / 8];
    uint64_t stateAndSize;
  };

  EventCache() : entries(kEntries) {}

  /// `event` has at most kLongest bytes; that many can be loaded from its
  /// begin. `state` is not 0, and changes whenever the same bytes may have
  /// another meaning.
  static Key getKey(llvm::StringRef event, uint64_t state) {
    Key key;
    static constexpr ByteMask<kLongest> kMask;
    uint64_t mask[kLongest / 8];
    std::memcpy(key.words, event.data(), kLongest);
    std::memcpy(mask, kMask.bytes + kLongest - event.size(), kLongest);
    for (size_t i = 0; i != kLongest / 8; ++i)
      key.words[i] &= mask[i];
    key.stateAndSize = state * (2 * kLongest) + event.size();
    return key;
  }

  /// Null if there was no such event, or it was evicted.
  const SliceChange *find(const Key &key) const {
    size_t slot = home(key);
    if (LLVM_LIKELY(isSame(entries[slot].key, key)))
      return &entries[slot].change;
    if (LLVM_LIKELY(isSame(entries[slot ^ 1].key, key)))
      return &entries[slot ^ 1].change;
    return nullptr;
  }

  /// Evicts the older of two other entries.
  void keep(const Key &key, const SliceChange &change) {
    size_t slot = home(key);
    entries[slot ^ 1] = entries[slot];
    entries[slot] = {key, change};
  }

private:
  struct alignas(64) Entry {
    Key key = {};
    SliceChange change;
  };
  static constexpr unsigned kEntriesLog2 = 13;
  static constexpr size_t kEntries = size_t(1) << kEntriesLog2;

  static bool isSame(const Key &a, const Key &b) {
    uint64_t differences = a.stateAndSize ^ b.stateAndSize;
    for (size_t i = 0; i != kLongest / 8; ++i)
      differences |= a.words[i] ^ b.words[i];
    return differences == 0;
  }
  /// The top bits of odd multiples are well mixed.
  static size_t home(const Key &key) {
    uint64_t hash = key.words[0] * 0x9e3779b97f4a7c15ull ^
                    key.words[1] * 0xc2b2ae3d27d4eb4full ^
                    key.words[2] * 0x165667b19e3779f9ull ^
                    key.words[3] * 0xd6e8feb86659fd93ull ^
                    key.stateAndSize * 0xa0761d6478bd642full;
    return size_t(hash >> (64 - kEntriesLog2));
  }

  std::vector<Entry> entries;
};

} // namespace mlirprof::importer::perfetto

#endif // MLIR_PROF_LIB_IMPORT_PERFETTO_EVENTCACHE_H
