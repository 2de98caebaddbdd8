//===- IdTable.h - Tables by id ---------------------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_XPLANE_IDTABLE_H
#define MLIR_PROF_LIB_IMPORT_XPLANE_IDTABLE_H

#include "mlir-prof/Trace/IntegerMap.h"

#include <algorithm>
#include <vector>

namespace mlirprof::importer::xplane {

/// A protobuf map<int64, T>. Producers number from 0 or 1 (but may write the
/// entries in any order), which an array handles; ids far above the number of
/// entries stay in a hash table, so that a file cannot make the array large.
template <typename T>
class IdTable {
public:
  /// The entry of `id`, or null.
  T *find(int64_t id) {
    uint32_t index = uint64_t(id) < dense.size() ? dense[size_t(id)]
                                                 : sparse.find(uint64_t(id));
    return index == trace::kNone ? nullptr : &items[index];
  }

  /// Adds or replaces the entry of `id`; not after freeze().
  void set(int64_t id, T item) {
    uint32_t &index = sparse[uint64_t(id)];
    if (index != trace::kNone) {
      items[index] = std::move(item);
      return;
    }
    index = uint32_t(items.size());
    items.push_back(std::move(item));
    ids.push_back(id);
  }

  /// Makes look-ups fast once all entries exist.
  void freeze() {
    uint64_t last = 0;
    for (int64_t id : ids)
      last = std::max(last, uint64_t(id));
    if (last >= 4 * uint64_t(ids.size()) + 64 || ids.empty())
      return;
    dense.assign(size_t(last) + 1, trace::kNone);
    for (size_t i = 0; i != ids.size(); ++i)
      dense[size_t(ids[i])] = uint32_t(i);
    sparse = trace::IntegerMap();
  }

  size_t size() const { return items.size(); }
  T &operator[](size_t index) { return items[index]; }
  /// Ids in order of first mention, indexed like operator[].
  const std::vector<int64_t> &getIds() const { return ids; }

private:
  std::vector<T> items;
  std::vector<int64_t> ids;
  std::vector<uint32_t> dense;
  trace::IntegerMap sparse;
};

} // namespace mlirprof::importer::xplane

#endif // MLIR_PROF_LIB_IMPORT_XPLANE_IDTABLE_H
