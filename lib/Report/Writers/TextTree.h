//===- TextTree.h - Arranging rows as a tree --------------------*- C++ -*-===//
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

/// A row at its position in a tree of the shown rows.
struct TreeRow {
  uint32_t row = 0;
  unsigned indent = 0;
  /// Number of bytes of its key that the row above it in the tree already
  /// shows.
  size_t skip = 0;
};

/// The rows of `view` as a tree: below each row those whose nearest shown
/// ancestor it is, siblings in the view's order. For a table that is not a
/// tree, the view's rows unchanged.
std::vector<TreeRow> arrangeTree(const Table &table, const View &view,
                                 uint32_t keyColumn);

} // namespace mlirprof::report

#endif // MLIR_PROF_LIB_REPORT_WRITERS_TEXTTREE_H
