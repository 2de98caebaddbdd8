//===- IntegerMap.cpp - A map from integers to indices --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Trace/IntegerMap.h"

using namespace mlirprof;
using namespace mlirprof::trace;

void IntegerMap::erase(uint64_t key) {
  if (entries.empty())
    return;
  size_t hole = home(key);
  while (entries[hole].index != kNone && entries[hole].key != key)
    hole = (hole + 1) & mask();
  if (entries[hole].index == kNone)
    return;
  --used;
  // Moves later entries of the same cluster back, unless that would put them
  // before their home slot.
  for (size_t i = (hole + 1) & mask(); entries[i].index != kNone;
       i = (i + 1) & mask()) {
    size_t distance = (i - home(entries[i].key)) & mask();
    if (distance >= ((i - hole) & mask())) {
      entries[hole] = entries[i];
      hole = i;
    }
  }
  entries[hole].index = kNone;
}

void IntegerMap::grow() {
  std::vector<Entry> old = std::move(entries);
  size_t size = old.empty() ? 16 : old.size() * 2;
  entries.assign(size, Entry());
  limit = size / 2;
  shift = 64;
  for (size_t rest = size; rest > 1; rest /= 2)
    --shift;
  for (const Entry &entry : old) {
    if (entry.index == kNone)
      continue;
    size_t i = home(entry.key);
    while (entries[i].index != kNone)
      i = (i + 1) & mask();
    entries[i] = entry;
  }
}
