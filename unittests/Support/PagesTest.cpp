//===- PagesTest.cpp - Tests of memory of whole pages ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Support/Pages.h"
#include "gtest/gtest.h"

#include <cstdint>
#include <cstring>

using namespace mlirprof;

namespace {

TEST(PagesTest, AreZeroedAndAligned) {
  for (size_t size :
       {size_t(1), size_t(4096), kHugePage - 1, kHugePage, 3 * kHugePage + 5}) {
    auto *bytes = static_cast<char *>(mapPages(size));
    ASSERT_NE(bytes, nullptr);
    EXPECT_EQ(uintptr_t(bytes) % (size < kHugePage ? 4096 : kHugePage), 0u);
    for (size_t i = 0; i < size; i += 511)
      ASSERT_EQ(bytes[i], 0) << size << " " << i;
    EXPECT_EQ(bytes[size - 1], 0);
    unmapPages(bytes, size);
  }
}

TEST(PagesTest, KeepTheirContentsWhenTheyGrow) {
  size_t sizes[] = {100, 10000, kHugePage, 5 * kHugePage};
  size_t size = 10;
  auto *bytes = static_cast<char *>(mapPages(size));
  ASSERT_NE(bytes, nullptr);
  std::memset(bytes, 7, size);
  for (size_t next : sizes) {
    bytes = static_cast<char *>(growPages(bytes, size, next));
    ASSERT_NE(bytes, nullptr);
    EXPECT_EQ(bytes[0], 7);
    EXPECT_EQ(bytes[size - 1], 7);
    std::memset(bytes, 7, next);
    size = next;
  }
  unmapPages(bytes, size);
}

TEST(PagesTest, MemoryThatDoesNotExistIsNull) {
  EXPECT_EQ(mapPages(SIZE_MAX / 4), nullptr);
}

} // namespace
