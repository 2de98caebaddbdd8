//===- TextTree.cpp - Arranging rows as a tree ----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TextTree.h"
#include "mlir-prof/Trace/Event.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::report;
using namespace mlirprof::trace;

/// For each row of `table`, the nearest shown row above it, or kNone. A parent
/// comes before its children.
static std::vector<uint32_t> findShownParents(const Table &table,
                                              const View &view) {
  std::vector<bool> shown(table.size());
  for (uint32_t row : view.rows)
    shown[row] = true;
  std::vector<uint32_t> result(table.size(), kNone);
  for (uint32_t row = 0; row < table.size(); ++row) {
    uint32_t parent = table.parents[row];
    if (parent != kNone)
      result[row] = shown[parent] ? parent : result[parent];
  }
  return result;
}

std::vector<TreeRow> report::arrangeTree(const Table &table, const View &view,
                                         uint32_t keyColumn) {
  std::vector<TreeRow> result;
  result.reserve(view.rows.size());
  if (table.parents.empty()) {
    for (uint32_t row : view.rows)
      result.push_back({row});
    return result;
  }

  // Children as linked lists, filled from the back to keep the view's order.
  std::vector<uint32_t> parents = findShownParents(table, view);
  std::vector<uint32_t> firstChild(table.size() + 1, kNone);
  std::vector<uint32_t> nextSibling(table.size(), kNone);
  auto slot = [&](uint32_t parent) {
    return parent == kNone ? table.size() : parent;
  };
  for (uint32_t row : llvm::reverse(view.rows)) {
    uint32_t &first = firstChild[slot(parents[row])];
    nextSibling[row] = first;
    first = row;
  }

  std::vector<TreeRow> stack;
  auto push = [&](uint32_t row, unsigned indent) {
    if (row == kNone)
      return;
    uint32_t parent = parents[row];
    // The '/' after the parent's key is also omitted.
    size_t skip =
        parent == kNone ? 0 : table.getText(parent, keyColumn).size() + 1;
    stack.push_back({row, indent, skip});
  };
  push(firstChild[slot(kNone)], 0);
  while (!stack.empty()) {
    TreeRow at = stack.back();
    stack.pop_back();
    result.push_back(at);
    push(nextSibling[at.row], at.indent);
    push(firstChild[at.row], at.indent + 1);
  }
  return result;
}
