//===- TextTree.h - Rows of a tree in the order of a tree -------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_REPORT_WRITERS_TEXTTREE_H
#define MLIR_PROF_LIB_REPORT_WRITERS_TEXTTREE_H

#include "mlir-prof/Report/Query.h"

namespace mlirprof::report {

/// A row as it is placed in a tree of the rows that are shown.
struct TreeRow {
  uint32_t row = 0;
  unsigned indent = 0;
  /// How many bytes of its key the row above it in the tree says already.
  size_t skip = 0;
};

/// The rows of `view` as a tree: below each row those whose nearest shown
/// ancestor it is, siblings in the view's order. A table that is no tree gives
/// the view's rows as they are.
std::vector<TreeRow> arrangeTree(const Table &table, const View &view,
                                 uint32_t keyColumn);

} // namespace mlirprof::report

#endif // MLIR_PROF_LIB_REPORT_WRITERS_TEXTTREE_H
