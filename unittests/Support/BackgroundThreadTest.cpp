//===- BackgroundThreadTest.cpp - Tests of one more thread ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Support/BackgroundThread.h"
#include "gtest/gtest.h"

#include <csignal>
#include <future>
#include <numeric>
#include <thread>
#include <vector>

using namespace mlirprof;

namespace {

TEST(BackgroundThreadTest, WorksInOrderOnOneOtherThread) {
  BackgroundThread background;
  std::vector<int> order;
  std::vector<std::thread::id> threads;
  for (int i = 0; i != 100; ++i)
    background.add([&, i] {
      order.push_back(i);
      threads.push_back(std::this_thread::get_id());
    });
  background.wait();
  std::vector<int> expected(100);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(order, expected);
  EXPECT_NE(threads.front(), std::this_thread::get_id());
  EXPECT_EQ(threads, std::vector(100, threads.front()));
}

TEST(BackgroundThreadTest, WaitsForAPieceAndNotForLaterOnes) {
  std::promise<void> opened;
  std::atomic<bool> isFirstDone = false, isSecondDone = false;
  BackgroundThread background;
  BackgroundThread::Ticket first = background.add([&] { isFirstDone = true; });
  background.add([&] {
    opened.get_future().wait();
    isSecondDone = true;
  });
  background.wait(first);
  EXPECT_TRUE(isFirstDone);
  EXPECT_FALSE(isSecondDone);
  opened.set_value();
  background.wait();
  EXPECT_TRUE(isSecondDone);
}

TEST(BackgroundThreadTest, EndsWithAllWorkDone) {
  std::atomic<int> count = 0;
  {
    BackgroundThread background;
    for (int i = 0; i != 10; ++i)
      background.add([&] { ++count; });
  }
  EXPECT_EQ(count, 10);
}

TEST(BackgroundThreadTest, WithoutWorkThereIsNothingToWaitFor) {
  BackgroundThread background;
  background.wait();
  EXPECT_FALSE(background.hasCrashed());
}

TEST(BackgroundThreadTest, GoesOnAfterACrash) {
  BackgroundThread background;
  bool isDone = false;
  background.add([] { (void)std::raise(SIGSEGV); });
  background.add([&] { isDone = true; });
  background.wait();
  EXPECT_TRUE(background.hasCrashed());
  EXPECT_TRUE(isDone);
}

} // namespace
