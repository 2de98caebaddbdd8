//===- PeakTest.cpp - Results of the code that measures the peak ----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Record/Peak.h"
#include "../../lib/Record/Child/RunThreads.h"
#include "../../lib/Record/Peak/PeakKernels.h"
#include "../../lib/Record/Peak/PeakThreads.h"
#include "llvm/Support/Compiler.h"
#include "gtest/gtest.h"

#include <atomic>
#include <cmath>
#include <numeric>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::record;

// It does the work that it is credited for: all chains, all rounds.
TEST(PeakTest, MultiplyAdd) {
  PeakKernels kernels = llvm::cantFail(PeakKernels::create());
  for (int64_t rounds : {1, 7, 1000}) {
    double expected = 0;
    for (unsigned chain = 0; chain < PeakKernels::kChains; ++chain) {
      float value = float(chain + 1);
      for (int64_t round = 0; round < rounds; ++round)
        value = std::fma(value, 0.999f, 0.001f);
      expected += value;
    }
    float sink[PeakKernels::kMaxLanes] = {};
    kernels.multiplyAdd(rounds, sink);
    for (unsigned lane = 0; lane < kernels.lanes; ++lane)
      EXPECT_NEAR(sink[lane], expected, 1e-3) << rounds;
  }
  EXPECT_EQ(kernels.flopsPerRound(), 2u * 12 * kernels.lanes);
}

TEST(PeakTest, ReadReadsEveryElement) {
  PeakKernels kernels = llvm::cantFail(PeakKernels::create());
  constexpr size_t kBlocks = 5;
  constexpr size_t kFloats = kBlocks * PeakKernels::kBlockBytes / 4;
  alignas(64) static float data[kFloats + 1];
  std::iota(std::begin(data), std::end(data), 1.0f);
  float sink[PeakKernels::kMaxLanes] = {};
  kernels.read(kBlocks, data, sink);
  // Whole numbers below 2^24 add up exactly.
  EXPECT_EQ(std::accumulate(sink, sink + kernels.lanes, 0.0),
            double(kFloats) * (kFloats + 1) / 2);
}

TEST(PeakThreads, ThatCannotBeStartedAreAnError) {
  EXPECT_FALSE(bool(checkThreads(0)));
  EXPECT_FALSE(bool(checkThreads(3)));
  // Without more addresses, their stacks cannot be allocated. A sanitizer would
  // end the process, as it cannot allocate either.
  if (LLVM_ADDRESS_SANITIZER_BUILD || LLVM_THREAD_SANITIZER_BUILD)
    return;
  pid_t child = fork();
  if (child == 0) {
    rlimit none = {1, 1};
    setrlimit(RLIMIT_AS, &none);
    llvm::Error error = checkThreads(64);
    bool isRefused = bool(error);
    llvm::consumeError(std::move(error));
    _exit(isRefused ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

// Each thread does each piece once, and none begins before all have arrived.
TEST(PeakTest, ThreadsWorkTogether) {
  for (unsigned count : {1u, 2u, 5u}) {
    PeakThreads threads(count);
    std::vector<std::atomic<unsigned>> done(count);
    for (unsigned piece = 1; piece <= 100; ++piece) {
      std::atomic<unsigned> present = 0;
      double seconds = threads.time([&](unsigned thread) {
        ++done[thread];
        // Ends only when all threads are at work.
        for (++present; present < count;)
          std::this_thread::yield();
      });
      EXPECT_GT(seconds, 0);
      for (unsigned thread = 0; thread != count; ++thread)
        EXPECT_EQ(done[thread], piece) << thread << " of " << count;
    }
  }
}

TEST(PeakTest, AllThreadsAreNoSlowerThanOne) {
  MachinePeak peak = llvm::cantFail(measurePeak(0.02));
  EXPECT_GT(peak.flopsOneThread, 0u);
  EXPECT_GE(peak.flopsAllThreads, peak.flopsOneThread);
  EXPECT_GT(peak.bytesOneThread, 0u);
  EXPECT_GE(peak.bytesAllThreads, peak.bytesOneThread);
  Machine machine;
  setPeak(machine, peak);
  EXPECT_EQ(machine.flopsAllThreads, peak.flopsAllThreads);
  EXPECT_EQ(machine.bytesOneThread, peak.bytesOneThread);
}
