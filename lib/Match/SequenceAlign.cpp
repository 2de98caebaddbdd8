//===- SequenceAlign.cpp - Aligning two sequences -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SequenceAlign.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::match;
using namespace mlirprof::trace;

namespace {

using Score = llvm::function_ref<uint32_t(uint32_t, uint32_t)>;

/// Limit on the cells of the table, four bytes each.
constexpr uint64_t kMostCells = uint64_t(8) << 20;
/// Lookahead of the greedy alignment.
constexpr uint32_t kLookahead = 64;

/// Part of both sequences.
struct Window {
  uint32_t leftBegin, leftEnd, rightBegin, rightEnd;
};

void alignGreedily(const Window &window, Score score,
                   std::vector<uint32_t> &pairs) {
  uint32_t next = window.rightBegin;
  for (uint32_t l = window.leftBegin; l < window.leftEnd; ++l) {
    uint32_t stop =
        std::min<uint64_t>(window.rightEnd, uint64_t(next) + kLookahead);
    for (uint32_t r = next; r < stop; ++r) {
      if (score(l, r) == 0)
        continue;
      pairs[l] = r;
      next = r + 1;
      break;
    }
  }
}

/// The best sums of the rest from a row and column of a window on.
struct Table {
  explicit Table(const Window &window)
      : rows(window.leftEnd - window.leftBegin),
        columns(window.rightEnd - window.rightBegin),
        best((size_t(rows) + 1) * (size_t(columns) + 1)) {}

  uint32_t &at(uint32_t row, uint32_t column) {
    return best[row * (size_t(columns) + 1) + column];
  }

  uint32_t rows, columns;
  std::vector<uint32_t> best;
};

/// A pair is in one of the best alignments if the best sums before and after it
/// add up, with it, to the best of all.
void findEquallyGood(const Window &window, Score score, Table &table,
                     std::vector<EquallyGood> &found,
                     llvm::BitVector &isSpare) {
  uint32_t most = table.at(0, 0);
  // Best sums of everything before (row, column), one row at a time.
  std::vector<uint32_t> before(size_t(table.columns) + 1), next(before);
  for (uint32_t row = 0; row < table.rows; ++row) {
    EquallyGood &good = found[window.leftBegin + row];
    next[0] = 0;
    good.mayBeNone |= table.at(row + 1, 0) == most;
    for (uint32_t column = 0; column < table.columns; ++column) {
      if (before[column] + table.at(row, column + 1) == most)
        isSpare.set(window.rightBegin + column);
      uint32_t value =
          score(window.leftBegin + row, window.rightBegin + column);
      uint32_t paired = value ? before[column] + value : 0;
      if (value && paired + table.at(row + 1, column + 1) == most) {
        if (good.right.size() == EquallyGood::kMost)
          good.isCut = true;
        else
          good.right.push_back(window.rightBegin + column);
      }
      next[column + 1] = std::max({before[column + 1], next[column], paired});
      good.mayBeNone |=
          before[column + 1] + table.at(row + 1, column + 1) == most;
    }
    before.swap(next);
  }
  for (uint32_t column = 0; column < table.columns; ++column)
    if (before[column] == most)
      isSpare.set(window.rightBegin + column);
}

void alignBest(const Window &window, Score score, std::vector<uint32_t> &pairs,
               std::vector<EquallyGood> *equallyGood,
               llvm::BitVector &isSpare) {
  Table table(window);
  uint32_t rows = table.rows, columns = table.columns;
  auto at = [&](uint32_t row, uint32_t column) -> uint32_t & {
    return table.at(row, column);
  };
  auto getPaired = [&](uint32_t row, uint32_t column) {
    uint32_t value = score(window.leftBegin + row, window.rightBegin + column);
    return value == 0 ? 0 : value + at(row + 1, column + 1);
  };
  for (uint32_t row = rows; row-- > 0;)
    for (uint32_t column = columns; column-- > 0;)
      at(row, column) = std::max(
          {at(row + 1, column), at(row, column + 1), getPaired(row, column)});
  for (uint32_t row = 0, column = 0; row < rows && column < columns;) {
    uint32_t paired = getPaired(row, column);
    if (paired != 0 && paired == at(row, column)) {
      pairs[window.leftBegin + row] = window.rightBegin + column;
      ++row;
      ++column;
    } else if (at(row, column + 1) == at(row, column)) {
      ++column;
    } else {
      ++row;
    }
  }
  if (equallyGood)
    findEquallyGood(window, score, table, *equallyGood, isSpare);
}

} // namespace

std::vector<uint32_t> match::align(uint32_t left, uint32_t right, Score score,
                                   std::vector<EquallyGood> *equallyGood,
                                   llvm::BitVector *isSpare) {
  std::vector<uint32_t> pairs(left, kNone);
  llvm::BitVector spare(right);
  if (equallyGood)
    equallyGood->assign(left, {});
  Window window = {0, left, 0, right};
  uint64_t cells = uint64_t(left) * right;
  if (cells > kMostCells) {
    // Usually almost everything agrees: only the part between the ends is
    // compared.
    while (window.leftBegin < window.leftEnd &&
           window.rightBegin < window.rightEnd &&
           score(window.leftBegin, window.rightBegin))
      pairs[window.leftBegin++] = window.rightBegin++;
    while (window.leftBegin < window.leftEnd &&
           window.rightBegin < window.rightEnd &&
           score(window.leftEnd - 1, window.rightEnd - 1))
      pairs[--window.leftEnd] = --window.rightEnd;
    cells = uint64_t(window.leftEnd - window.leftBegin) *
            (window.rightEnd - window.rightBegin);
  }
  if (cells > kMostCells)
    alignGreedily(window, score, pairs);
  else if (cells != 0)
    alignBest(window, score, pairs, equallyGood, spare);
  if (equallyGood)
    for (auto [good, pair] : llvm::zip_equal(*equallyGood, pairs))
      if (good.right.empty() && pair != kNone)
        good.right.push_back(pair);
  if (isSpare) {
    llvm::BitVector paired(right);
    for (uint32_t pair : pairs)
      if (pair != kNone)
        paired.set(pair);
    *isSpare = spare;
    *isSpare |= paired.flip();
  }
  return pairs;
}
