//===- CopyBoxTest.cpp - Tests of copies of constants ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Codegen/Constants/CopyBox.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <random>
#include <vector>

using namespace mlirprof::codegen;

namespace {

/// The offset of the first dimension's index, then that of the next, and so on.
int64_t getOffset(const std::vector<int64_t> &index,
                  const std::vector<int64_t> &strides) {
  return std::inner_product(index.begin(), index.end(), strides.begin(),
                            int64_t(0));
}

/// Copies a box whose dimensions lie in the source in the order `order`, the
/// outermost first, and compares each element with the one it should be.
void check(const std::vector<int64_t> &sizes, const std::vector<size_t> &order,
           unsigned bytes) {
  size_t rank = sizes.size();
  std::vector<int64_t> from(rank), to(rank);
  int64_t count = 1;
  for (size_t i = rank; i-- > 0;) {
    from[order[i]] = count;
    count *= sizes[order[i]];
  }
  int64_t next = 1;
  for (size_t i = rank; i-- > 0; next *= sizes[i])
    to[i] = next;
  // One byte before, so that elements are not aligned.
  std::vector<char> source(size_t(1 + count * bytes)), target(source.size());
  std::mt19937 random(7);
  for (char &byte : source)
    byte = char(random());
  copyBox(source.data() + 1, sizes, from, to, bytes, target.data());
  std::vector<int64_t> index(rank);
  for (int64_t at = 0; at != count; ++at) {
    int64_t rest = at;
    for (size_t i = rank; i-- > 0; rest /= sizes[i])
      index[i] = rest % sizes[i];
    const char *expected = source.data() + 1 + getOffset(index, from) * bytes;
    ASSERT_TRUE(
        std::equal(expected, expected + bytes, target.data() + at * bytes))
        << "element " << at;
  }
}

TEST(CopyBoxTest, PermutesDimensions) {
  for (unsigned bytes : {1u, 2u, 4u, 8u, 16u, 3u})
    for (std::vector<size_t> order = {0, 1, 2, 3};;) {
      check({5, 3, 7, 35}, order, bytes);
      check({1, 3, 1, 33}, order, bytes);
      if (!std::next_permutation(order.begin(), order.end()))
        break;
    }
}

TEST(CopyBoxTest, CopiesSingleElements) {
  check({}, {}, 4);
  check({1}, {0}, 8);
}

/// Enough for several threads.
TEST(CopyBoxTest, CopiesLargeBoxes) {
  check({67, 9, 1031}, {2, 0, 1}, 4);
  check({67, 9, 1031}, {0, 1, 2}, 8);
}

/// A box without elements does not touch memory.
TEST(CopyBoxTest, CopiesNothing) {
  copyBox(nullptr, {4, 0, 3}, {0, 3, 1}, {0, 3, 1}, 4, nullptr);
}

TEST(CopyBoxTest, PartsCoverAll) {
  for (int64_t bytes : {int64_t(1), int64_t(1) << 30}) {
    std::vector<std::atomic<int>> seen(1013);
    forParts(int64_t(seen.size()), bytes, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        ++seen[size_t(i)];
    });
    for (const std::atomic<int> &times : seen)
      EXPECT_EQ(times, 1);
  }
  forParts(0, 1 << 30,
           [](int64_t begin, int64_t end) { EXPECT_EQ(begin, end); });
}

} // namespace
