//===- IntegerMap.h - A map from integers to indices ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_TRACE_INTEGERMAP_H
#define MLIR_PROF_TRACE_INTEGERMAP_H

#include "mlir-prof/Trace/Event.h"
#include "llvm/Support/Compiler.h"

#include <cstddef>
#include <vector>

namespace mlirprof::trace {

/// A hash table from 64-bit integers to indices below kNone. Unlike DenseMap it
/// takes every key, which matters for numbers that come from a file, and
/// erasing leaves no tombstones, so that a table through which millions of
/// entries pass stays as small as the number held at a time.
class IntegerMap {
public:
  /// Index stored for `key`, or kNone.
  uint32_t find(uint64_t key) const {
    if (entries.empty())
      return kNone;
    for (size_t i = home(key);; i = (i + 1) & mask())
      if (entries[i].index == kNone || entries[i].key == key)
        return entries[i].index;
  }

  /// The slot of `key`, added with kNone when absent. The caller must store an
  /// index before the next call.
  uint32_t &operator[](uint64_t key) {
    if (LLVM_UNLIKELY(used >= limit))
      grow();
    size_t i = home(key);
    while (entries[i].index != kNone && entries[i].key != key)
      i = (i + 1) & mask();
    if (entries[i].index == kNone) {
      ++used;
      entries[i].key = key;
    }
    return entries[i].index;
  }

  void erase(uint64_t key);

  size_t size() const { return used; }

private:
  struct Entry {
    uint64_t key = 0;
    uint32_t index = kNone;
  };

  size_t mask() const { return entries.size() - 1; }
  /// Fibonacci hashing: the top bits of the product are well mixed.
  size_t home(uint64_t key) const {
    return size_t((key * 0x9E3779B97F4A7C15ull) >> shift);
  }
  void grow();

  std::vector<Entry> entries;
  size_t used = 0;
  /// Number of used slots at which the table grows.
  size_t limit = 0;
  unsigned shift = 64;
};

} // namespace mlirprof::trace

#endif // MLIR_PROF_TRACE_INTEGERMAP_H
