//===- Text.cpp - Sizes of packages as text -------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tables.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::deploy;

using Lines = std::vector<std::vector<std::string>>;

static Lines makeLines(llvm::ArrayRef<SizeRow> rows) {
  Lines lines(1, {"target", "container"});
  for (const SizeColumn &column : getSizeColumns())
    lines.front().push_back((column.title + " [B]").str());
  for (const SizeRow &row : rows) {
    lines.push_back({row.target, row.container});
    for (const SizeColumn &column : getSizeColumns())
      lines.back().push_back(llvm::utostr(column.get(row)));
  }
  return lines;
}

/// Names are at the left of their columns, numbers at the right.
static void write(llvm::ArrayRef<SizeRow> rows, llvm::raw_ostream &os) {
  Lines lines = makeLines(rows);
  std::vector<size_t> widths(lines.front().size());
  for (const auto &line : lines)
    for (auto [width, text] : llvm::zip_equal(widths, line))
      width = std::max(width, text.size());
  for (const auto &line : lines) {
    for (auto [index, text] : llvm::enumerate(line)) {
      std::string blanks(widths[index] - text.size(), ' ');
      os << (index == 0 ? "" : "  ")
         << (index < 2 ? text + blanks : blanks + text);
    }
    os << '\n';
  }
}

SizeTable table::Text() { return {"text", "columns of text", write}; }
