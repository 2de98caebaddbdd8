//===- Rows.h - The rows of a table while it is made ------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_SCOPE_ROWS_H
#define MLIR_PROF_LIB_SCOPE_ROWS_H

#include "mlir-prof/Scope/Table.h"

#include <deque>
#include <unordered_map>

namespace mlirprof::scope {

/// Finds rows by parent, name and thread. A row is made after its parent.
class Rows {
public:
  explicit Rows(const TableOptions &options) : options(options) {}

  /// Whether scopes of `site` are in the table.
  bool keeps(const Site &site) const;

  /// The row of scopes of `site` below `parent`, which the scopes around it
  /// have (kNoScope without one).
  uint32_t get(uint32_t parent, const Site &site, uint32_t recording,
               uint32_t thread);

  TableRow &operator[](uint32_t index) { return rows[index]; }
  size_t size() const { return rows.size(); }

  /// Sums up groups, and returns the rows in the order of first ends.
  std::vector<TableRow> take();

private:
  struct Key {
    uint32_t parent;
    uint32_t name;
    uint32_t recording;
    uint32_t thread;
    bool operator==(const Key &other) const {
      return parent == other.parent && name == other.name &&
             recording == other.recording && thread == other.thread;
    }
  };
  struct Hash {
    size_t operator()(const Key &key) const;
  };
  uint32_t getPart(uint32_t parent, std::string_view name, uint32_t recording,
                   uint32_t thread, std::string_view model = {});
  uint32_t getName(std::string_view name);

  const TableOptions &options;
  std::vector<TableRow> rows;
  /// By row: the whole name of the scopes, with a separator.
  std::vector<std::string> names;
  std::unordered_map<Key, uint32_t, Hash> rowOfKey;
  /// Keys of `numberOfName` are its elements, which do not move.
  std::deque<std::string> texts;
  std::unordered_map<std::string_view, uint32_t> numberOfName;
};

} // namespace mlirprof::scope

#endif // MLIR_PROF_LIB_SCOPE_ROWS_H
