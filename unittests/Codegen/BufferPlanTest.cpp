//===- BufferPlanTest.cpp - Buffers alive together do not overlap ---------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Codegen/Buffers/BufferPlan.h"
#include "gtest/gtest.h"

#include <random>
#include <vector>

using namespace mlirprof;
using namespace mlirprof::codegen;

namespace {

/// The most bytes that are alive at once, each buffer rounded up.
int64_t getPeak(const std::vector<BufferLife> &lives) {
  int64_t peak = 0;
  for (const BufferLife &at : lives) {
    int64_t bytes = 0;
    for (const BufferLife &life : lives)
      if (life.begin <= at.begin && at.begin <= life.end)
        bytes += (life.bytes + 63) / 64 * 64;
    peak = std::max(peak, bytes);
  }
  return peak;
}

void expectApart(const std::vector<BufferLife> &lives, int64_t bytes) {
  for (const BufferLife &a : lives) {
    EXPECT_EQ(a.offset % 64, 0);
    EXPECT_GE(a.offset, 0);
    EXPECT_LE(a.offset + a.bytes, bytes);
    for (const BufferLife &b : lives) {
      bool areTogether = a.begin <= b.end && b.begin <= a.end;
      bool overlap =
          a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;
      EXPECT_FALSE(&a != &b && areTogether && overlap);
    }
  }
}

TEST(BufferPlanTest, Nothing) { EXPECT_EQ(planBuffers({}), 0); }

/// Layers that each read the output of the layer before.
TEST(BufferPlanTest, ChainTakesTwoBuffers) {
  std::vector<BufferLife> lives;
  for (int64_t layer = 0; layer < 50; ++layer)
    lives.push_back({layer, layer + 1, 6400});
  EXPECT_EQ(planBuffers(lives), 12800);
  expectApart(lives, 12800);
}

TEST(BufferPlanTest, GapIsFilled) {
  std::vector<BufferLife> lives = {
      {0, 9, 640}, {0, 4, 320}, {0, 9, 256}, {5, 9, 64}, {5, 9, 128}};
  EXPECT_EQ(planBuffers(lives), 640 + 320 + 256);
  expectApart(lives, 640 + 320 + 256);
}

/// If the largest came first, the fourth buffer would lie behind all others.
TEST(BufferPlanTest, OrderIsChosen) {
  std::vector<BufferLife> lives = {{2, 5, 16384},
                                   {3, 4, 18496},
                                   {4, 5, 18496},
                                   {5, 7, 16384},
                                   {6, 7, 17408}};
  EXPECT_EQ(planBuffers(lives), getPeak(lives));
  expectApart(lives, 53376);
}

TEST(BufferPlanTest, RandomLives) {
  std::mt19937 random(7);
  auto draw = [&](int64_t most) { return int64_t(random() % uint64_t(most)); };
  for (int round = 0; round < 200; ++round) {
    std::vector<BufferLife> lives;
    for (int64_t count = 1 + draw(40); count > 0; --count) {
      int64_t begin = draw(50);
      lives.push_back({begin, begin + draw(20), 1 + draw(5000)});
    }
    int64_t bytes = planBuffers(lives);
    expectApart(lives, bytes);
    // First fit is not optimal, but not far from it.
    EXPECT_LE(bytes, 2 * getPeak(lives));
  }
}

} // namespace
