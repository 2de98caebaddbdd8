//===- RunPoolTest.cpp - Tests of the memory of a model -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Record/Child/RunPool.h"
#include "gtest/gtest.h"

#include <cstring>
#include <unistd.h>

using namespace mlirprof;

/// Whether the kernel can read a byte there.
static bool canRead(const char *address) {
  int ends[2];
  if (pipe(ends) != 0)
    return false;
  bool done = write(ends[1], address, 1) == 1;
  close(ends[0]);
  close(ends[1]);
  return done;
}

TEST(RunPool, NothingBehindTheBlocksCanBeTouched) {
  constexpr size_t kBlock = 3 << 20, kStep = 2 << 20;
  ASSERT_TRUE(record::runpool::initialize(64 << 20));
  auto *first = static_cast<char *>(record::runpool::allocate(kBlock, 64));
  std::memset(first, 1, kBlock);
  EXPECT_FALSE(canRead(first + 2 * kBlock));
  // Memory in use grows, and stays in use after a release.
  auto *second =
      static_cast<char *>(record::runpool::allocate(2 * kBlock, 4096));
  std::memset(second, 2, 2 * kBlock);
  EXPECT_EQ(first[kBlock - 1], 1);
  record::runpool::release(first);
  EXPECT_TRUE(canRead(first));
  EXPECT_EQ(record::runpool::allocate(kBlock, 64), first);
  EXPECT_FALSE(canRead(second + 2 * kBlock + kBlock + kStep));
}
