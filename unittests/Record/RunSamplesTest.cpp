//===- RunSamplesTest.cpp - Tests of what raw samples mean ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Record/Sampling/RunSamples.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::profile;
using namespace mlirprof::record;
using namespace mlirprof::trace;

namespace {
/// A run as a child leaves it: two functions, the text at 0x10000.
class RunSamplesTest : public ::testing::Test {
protected:
  static constexpr uint64_t kText = 0x10000;
  static constexpr uint64_t kLibrary = 0x20000;

  RunSamplesTest() : shared(llvm::cantFail(SharedRunMapping::create(2))) {
    model.entrySymbol = "mlirprof_entry";
    Program &program = model.program;
    program.entry = "main";
    program.strings = {"", "callq expf"};
    program.nodes.resize(1);
    program.functions = {{"main", 0, 16}, {"mlirprof_entry", 16, 32}};
    program.instructions = {{0, 0}, {4, 0, 1}, {8, 0}, {16, kNone}, {24, 0}};
    shared->textBegin = kText;
    shared->threads = 1;
    shared->beginNs = 1000;
    shared->phase = RunPhase::Done;
    result.samplePeriodNs = 100;
  }

  void addIteration(int64_t begin, int64_t duration) {
    uint64_t index = shared->iterations;
    shared->iterationBeginNs[index] = begin;
    shared->iterationNs[index] = duration;
    shared->iterations = index + 1;
  }

  void addSample(uint32_t thread, int64_t time, uint64_t address,
                 uint64_t caller = 0, uint32_t instance = kNoInstance) {
    uint64_t index = shared->threadSamples[thread].count++;
    shared.samplesOf(thread)[index] = {time,  address, caller,
                                       false, false,   instance};
  }

  void resolve() {
    resolveSamples(model, shared,
                   "20000-30000 r-xp 00000000 00:00 0 /usr/lib/libm.so.6\n"
                   "symbol 20010 expf\n",
                   result);
  }

  std::string describe(size_t index) {
    const Sample &sample = result.samples[index];
    std::string text = std::to_string(int(sample.sampleClass));
    if (sample.symbol < result.symbols.size())
      text += " " + result.symbols[sample.symbol];
    return text;
  }

  SharedRunMapping shared;
  CompiledModel model;
  RunResult result;
};
} // namespace

static std::string classed(SampleClass sampleClass, const char *symbol = "") {
  return std::to_string(int(sampleClass)) + symbol;
}

TEST_F(RunSamplesTest, TimeBetweenIterationsIsTheHarness) {
  addIteration(1000, 1000);
  addIteration(5000, 1000);
  addSample(0, 1500, kLibrary + 4, kText + 8);
  addSample(0, 3000, kLibrary + 4, kText + 8);
  addSample(0, 7000, kLibrary + 4, kText + 8);
  resolve();
  ASSERT_EQ(result.samples.size(), 3u);
  EXPECT_EQ(describe(0), classed(SampleClass::Library, " libm.so.6:expf"));
  EXPECT_EQ(describe(1), classed(SampleClass::Outside, " between iterations"));
  EXPECT_EQ(describe(2), classed(SampleClass::Outside, " between iterations"));
}

// Iterations after the last one with kept times still belong to the model.
TEST_F(RunSamplesTest, IterationsWithoutTimesAreTheModels) {
  constexpr uint64_t kMost = SharedRun::kMaxIterations;
  for (uint64_t i = 0; i < kMost; ++i)
    addIteration(1000 + int64_t(i) * 10, 10);
  shared->iterations = kMost + 5;
  int64_t last = 1000 + int64_t(kMost) * 10;
  addSample(0, last + 100, kLibrary + 4, kText + 8);
  resolve();
  ASSERT_EQ(result.samples.size(), 1u);
  EXPECT_EQ(describe(0), classed(SampleClass::Library, " libm.so.6:expf"));
}

// perf_event continues while results are handed over.
TEST_F(RunSamplesTest, OnlyWhatWasMeasuredCounts) {
  addIteration(1000, 1000);
  shared->endNs = 2010;
  addSample(0, 900, kLibrary + 4);
  addSample(0, 1500, kText + 4);
  addSample(0, 2500, kLibrary + 4);
  resolve();
  ASSERT_EQ(result.samples.size(), 1u);
  EXPECT_EQ(result.samples[0].timeNs, 1500);
  EXPECT_EQ(result.samplesLost, 0u);
  EXPECT_TRUE(result.losses.empty());
}

// A period of 100: the worker ran 200 of 1000 and slept 500; samples for 100
// did not fit.
TEST_F(RunSamplesTest, PerfEventLacksTimeThatThreadsDoNotRun) {
  shared->threads = 2;
  addIteration(1000, 1000);
  shared->endNs = 2000;
  result.sampler = SamplerKind::PerfEvent;
  for (int64_t time = 1100; time <= 2000; time += 100)
    addSample(0, time, kText + 4);
  addSample(1, 1100, kText + 4);
  addSample(1, 1200, kText + 4);
  shared->threadSamples[1].lost = 1;
  addSample(1, 1850, kText + 4);
  resolve();
  size_t notRunning = 0;
  for (const Sample &sample : result.samples) {
    if (sample.sampleClass != SampleClass::Wait)
      continue;
    ++notRunning;
    EXPECT_EQ(sample.thread, 1u);
    EXPECT_EQ(result.symbols[sample.symbol], "not running");
    EXPECT_GE(sample.timeNs, 1000);
    EXPECT_LE(sample.timeNs, 2000);
    // As with timers: it waits for the main thread's work.
    EXPECT_EQ(sample.address, 4u);
  }
  // 1000 are 10 periods: 3 samples, 1 lost, 6 not run.
  EXPECT_EQ(notRunning, 6u);
  EXPECT_EQ(result.samplesLost, 1u);
}

TEST_F(RunSamplesTest, OneThreadDoesNotWaitForItself) {
  addIteration(1000, 1000);
  shared->endNs = 2000;
  result.sampler = SamplerKind::PerfEvent;
  addSample(0, 1100, kText + 4);
  addSample(0, 1900, kText + 4);
  resolve();
  EXPECT_EQ(result.samples.size(), 2u);
  EXPECT_EQ(result.samplesLost, 8u);
  ASSERT_EQ(result.losses.size(), 1u);
  EXPECT_EQ(result.losses[0].name, "samples in which the thread did not run");
}

TEST_F(RunSamplesTest, WhatCallsTheModelIsNotTheModel) {
  addIteration(1000, 1000);
  addSample(0, 1100, kText + 16);
  addSample(0, 1200, kText + 24);
  // The code that it calls itself.
  addSample(0, 1300, kLibrary + 4, kText + 24);
  resolve();
  ASSERT_EQ(result.samples.size(), 3u);
  EXPECT_EQ(describe(2), classed(SampleClass::Outside, " entry"));
  EXPECT_EQ(describe(0), classed(SampleClass::Outside, " entry"));
  EXPECT_EQ(result.samples[0].address, kNoAddress);
  // The model, inlined there.
  EXPECT_EQ(describe(1), classed(SampleClass::Work));
}

TEST_F(RunSamplesTest, SamplesNameTheirDispatch) {
  model.program.instances.resize(2);
  addIteration(1000, 1000);
  addSample(0, 1500, kText + 4, 0, 1);
  addSample(0, 1501, kLibrary + 4, kText + 8, 0);
  // A number that the program lacks, and code outside of dispatches.
  addSample(0, 1502, kText + 4, 0, 2);
  addSample(0, 1503, kText + 4);
  addSample(0, 1504, kText + 4, 0, kInExecutor);
  resolve();
  ASSERT_EQ(result.samples.size(), 5u);
  std::vector<uint32_t> instances;
  for (const Sample &sample : result.samples) {
    EXPECT_TRUE(isOfOp(sample.sampleClass));
    instances.push_back(sample.instance);
  }
  EXPECT_EQ(instances, (std::vector<uint32_t>{1, 0, kNoInstance, kNoInstance,
                                              kNoInstance}));
}

// Code of the executor and of the system is the executor's work, whatever
// return addresses remain on the stack of the thread.
TEST_F(RunSamplesTest, ExecutorHasItsOwnClasses) {
  model.program.instances.resize(2);
  shared->threads = 2;
  addIteration(1000, 1000);
  addSample(1, 1500, kLibrary + 4, kText + 8, kInExecutor);
  addSample(1, 1501, kLibrary + 4, 0, kStealing);
  addSample(1, 1502, 0x999, 0, kAwaiting);
  // Between iterations, too.
  addSample(0, 2500, kLibrary + 4, 0, kInExecutor);
  // The host side's call of the executor is not a call of a library.
  addSample(0, 1503, kLibrary + 4, kText + 8, kAwaiting);
  resolve();
  ASSERT_EQ(result.samples.size(), 5u);
  EXPECT_EQ(describe(0), classed(SampleClass::Executor, " libm.so.6"));
  EXPECT_EQ(describe(1), classed(SampleClass::Steal, " libm.so.6"));
  EXPECT_EQ(describe(2), classed(SampleClass::Wait, " unknown"));
  EXPECT_EQ(describe(3), classed(SampleClass::Wait, " libm.so.6"));
  EXPECT_EQ(describe(4), classed(SampleClass::Executor, " libm.so.6"));
  for (const Sample &sample : result.samples)
    EXPECT_EQ(sample.instance, kNoInstance);
}

// Threads name a dispatch for all of its workgroups, and for the places of its
// arguments.
TEST_F(RunSamplesTest, ExecutorBetweenWorkgroupsIsItsOwnTime) {
  model.program.instances.resize(2);
  model.usesExecutor = true;
  shared->threads = 2;
  addIteration(1000, 1000);
  // A helping thread, a list of calls, and the library of a kernel.
  addSample(1, 1500, kLibrary + 4, 0, 1);
  model.program.strings[1] = "callq prof_executor_run";
  addSample(0, 1501, kLibrary + 4, kText + 8, 1);
  addSample(0, 1502, kLibrary + 4, kText + 4, 1);
  resolve();
  ASSERT_EQ(result.samples.size(), 3u);
  EXPECT_EQ(describe(0), classed(SampleClass::Executor, " libm.so.6"));
  EXPECT_EQ(describe(1), classed(SampleClass::Executor, " libm.so.6"));
  EXPECT_EQ(describe(2), classed(SampleClass::Library, " libm.so.6"));
  EXPECT_EQ(result.samples[2].instance, 1u);
}
