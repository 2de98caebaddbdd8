//===- ExecutorTest.cpp - Running programs on a device --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Device/Executor.h"
#include "TestProgram.h"
#include "mlir-prof/Device/Measure.h"

#include <algorithm>

using namespace mlirprof;
using namespace mlirprof::device;

namespace {

/// Loads, sets the argument, runs, and returns the results.
llvm::Expected<std::vector<HostTensor>> runOnce(Driver &driver,
                                                const Program &program) {
  auto executor = Executor::create(driver, program);
  if (!executor)
    return executor.takeError();
  return (*executor)->runOnce(makeTestArgument());
}

std::string getText(llvm::Error error) {
  return llvm::toString(std::move(error));
}

TEST(DeviceExecutor, computesAndFreesAll) {
  FakeDriver driver;
  addTestKernels(driver);
  Program program = makeTestProgram();
  auto results = llvm::cantFail(runOnce(driver, program));
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(getFloats(results[0]), (std::vector<float>{12, 7, 12, 50}));
  EXPECT_EQ(results[0].shape, (std::vector<int64_t>{2, 2}));
  EXPECT_EQ(getFloats(results[1]), (std::vector<float>{1, -1, 0.5, 8}));
  EXPECT_EQ(driver.getLiveCount(), 0u);
}

TEST(DeviceExecutor, callsTheDriverInOrder) {
  FakeDriver driver;
  Program program = makeTestProgram();
  auto executor = llvm::cantFail(Executor::create(driver, program));
  const std::vector<std::string> load = {
      "countDevices", "open", "createStream", "createEvent", "createEvent",
      // One text is one module.
      "load", "find scale", "describe", "find add", "describe",
      "allowShared 65536",
      // Argument, results, constant, arena; there is no buffer of probes.
      "allocate 16", "allocate 16", "allocate 16", "allocate 16",
      "allocate 272",
      // The constants, once.
      "record", "copyToDevice", "record", "synchronize", "getElapsedPs"};
  EXPECT_EQ(driver.calls, load);
  driver.calls.clear();
  llvm::cantFail(executor->startAll());
  llvm::cantFail(executor->wait());
  EXPECT_EQ(driver.calls,
            (std::vector<std::string>{"launch scale", "launch add",
                                      "copyOnDevice", "synchronize"}));
}

TEST(DeviceExecutor, failsAtEachCallWithoutLeaks) {
  Program program = makeTestProgram();
  FakeDriver counting;
  addTestKernels(counting);
  llvm::cantFail(runOnce(counting, program));
  size_t until = size_t(llvm::find(counting.calls, "copyFromDevice") -
                        counting.calls.begin()) +
                 1;
  for (size_t call = 1; call <= until; ++call)
    for (int code : {2, 719}) {
      FakeDriver driver;
      driver.failAt = call;
      driver.failCode = code;
      auto results = runOnce(driver, program);
      ASSERT_FALSE(bool(results)) << call;
      std::string text = getText(results.takeError());
      EXPECT_NE(text.find("CUDA_ERROR_FAKE"), std::string::npos) << text;
      EXPECT_NE(text.find("hint:"), std::string::npos) << text;
      EXPECT_EQ(driver.getLiveCount(), 0u) << call;
    }
}

TEST(DeviceExecutor, namesTheKernelThatFails) {
  Program program = makeTestProgram();
  FakeDriver driver;
  driver.failCode = 700;
  auto executor = llvm::cantFail(Executor::create(driver, program));
  driver.failAt = driver.calls.size() + 3;
  std::string text = getText(executor->runChecked());
  EXPECT_EQ(text.rfind("kernel 'add' (step 1): a kernel accessed memory that "
                       "is not its own (launch add: CUDA_ERROR_FAKE)",
                       0),
            0u)
      << text;
}

TEST(DeviceExecutor, refusesOtherDevices) {
  Program program = makeTestProgram();
  auto getError = [&](unsigned major, unsigned minor, const char *target) {
    FakeDriver driver;
    driver.info.major = major;
    driver.info.minor = minor;
    program.target = target;
    auto executor = Executor::create(driver, program);
    return executor ? "" : getText(executor.takeError());
  };
  EXPECT_EQ(getError(9, 0, "sm_80"), "");
  EXPECT_EQ(getError(9, 0, "sm_90a"), "");
  EXPECT_EQ(getError(10, 0, "sm_90"), "");
  EXPECT_EQ(getError(7, 5, "sm_80"),
            "device 'Fake': has the compute capability 7.5, and the program is "
            "for sm_80\n  hint: Compile the model with --device-target=sm_75.");
  // The architecture-specific instructions of 9.0 are not those of 10.0.
  EXPECT_NE(getError(10, 0, "sm_90a"), "");
  EXPECT_NE(getError(9, 0, "gfx90a"), "");
}

TEST(DeviceExecutor, refusesMissingDevices) {
  Program program = makeTestProgram();
  FakeDriver driver;
  driver.devices = 0;
  auto executor = Executor::create(driver, program);
  ASSERT_FALSE(bool(executor));
  EXPECT_EQ(getText(executor.takeError()),
            "device 0: the driver has 0 devices\n  hint: Devices are numbered "
            "from 0; nvidia-smi lists them.");
}

TEST(DeviceExecutor, refusesOtherArguments) {
  Program program = makeTestProgram();
  FakeDriver driver;
  auto executor = llvm::cantFail(Executor::create(driver, program));
  EXPECT_EQ(getText(executor->setArguments({})),
            "arguments: there are 0, and the program takes 1");
  HostTensor wrong = makeTestArgument();
  wrong.elementType = "i32";
  EXPECT_EQ(getText(executor->setArguments(wrong)),
            "argument 'x': is 4xi32, and the program takes 4xf32");
}

//===----------------------------------------------------------------------===//
// Measuring
//===----------------------------------------------------------------------===//

DeviceRun measureFake(FakeDriver &driver, const MeasureOptions &options) {
  Program program = makeTestProgram();
  auto executor = llvm::cantFail(Executor::create(driver, program));
  return llvm::cantFail(measure(*executor, options));
}

/// The same times, however the steps are started.
class DeviceMeasure : public testing::TestWithParam<Replay> {};

TEST_P(DeviceMeasure, timesEachStep) {
  FakeDriver driver;
  MeasureOptions options;
  options.replay = GetParam();
  options.iterations = 64;
  options.seconds = 0;
  DeviceRun run = measureFake(driver, options);
  EXPECT_EQ(driver.getLiveCount(), 0u);
  EXPECT_EQ(run.count, 64u);
  ASSERT_EQ(run.iterations.size(), 64u);
  EXPECT_EQ(run.eventPs, 50000);
  // Two launches, a copy, and the event at the end.
  EXPECT_EQ(run.getMedianPs(/*isTimed=*/false), 2250000);
  // Two events more.
  EXPECT_EQ(run.getMedianPs(/*isTimed=*/true), 2350000);
  const Iteration &timed = run.iterations[1];
  EXPECT_FALSE(run.iterations[0].isTimed);
  ASSERT_TRUE(timed.isTimed);
  EXPECT_EQ(timed.stepPs, (std::vector<int64_t>{1050000, 1050000, 250000}));
  EXPECT_EQ(timed.devicePs, 2350000);
  // 4.44 % of every second iteration.
  EXPECT_LE(run.getOverheadPpm(), 32000);
  EXPECT_GE(run.getOverheadPpm(), 15000);
}

TEST_P(DeviceMeasure, limitsTheOverhead) {
  FakeDriver driver;
  driver.launchPs = 100000;
  driver.copyPs = 0;
  driver.eventPs = 100000;
  MeasureOptions options;
  options.replay = GetParam();
  options.iterations = 2000;
  options.seconds = 0;
  DeviceRun run = measureFake(driver, options);
  // A timed iteration takes two thirds longer: every 23rd is within 3 %.
  EXPECT_GT(run.getMedianPs(true), run.getMedianPs(false) * 3 / 2);
  EXPECT_LE(run.getOverheadPpm(), 32000);
  auto timed = llvm::count_if(
      run.iterations, [](const Iteration &each) { return each.isTimed; });
  EXPECT_GE(timed, 2000 / 26);
}

INSTANTIATE_TEST_SUITE_P(All, DeviceMeasure,
                         testing::Values(Replay::Stream, Replay::Graph));

TEST(DeviceMeasure, samplesAfterTheIterations) {
  FakeDriver driver;
  Program program = makeTestProgram();
  auto executor =
      llvm::cantFail(Executor::create(driver, program, 0, Sampling::On));
  // Before any code is loaded.
  auto find = [&](llvm::StringRef call) {
    return llvm::find(driver.calls, call) - driver.calls.begin();
  };
  EXPECT_LT(find("createSampler"), find("load"));
  MeasureOptions options;
  options.iterations = 2;
  options.sampleSeconds = 1e-9;
  DeviceRun run = llvm::cantFail(measure(*executor, options));
  ASSERT_EQ(run.samples.places.size(), 2u);
  EXPECT_EQ(run.samples.places[1].kernel, "scale");
  EXPECT_EQ(run.samples.places[1].line, 7u);
  EXPECT_EQ(run.samples.places[1].samples, llvm::StringRef("one text").size());
  size_t begin = size_t(find("start sampling")),
         end = size_t(find("stop sampling"));
  auto launched = std::count(driver.calls.begin() + begin,
                             driver.calls.begin() + end, "launch add");
  EXPECT_EQ(launched, 16);
}

TEST(DeviceMeasure, keepsTimesWithoutSamples) {
  MeasureOptions options;
  options.iterations = 2;
  options.sampleSeconds = 1e-9;
  Program program = makeTestProgram();
  FakeDriver counting;
  auto first =
      llvm::cantFail(Executor::create(counting, program, 0, Sampling::On));
  llvm::cantFail(measure(*first, options));
  FakeDriver driver;
  driver.failCode = 2;
  driver.failAt = size_t(llvm::find(counting.calls, "stop sampling") -
                         counting.calls.begin()) +
                  1;
  auto executor =
      llvm::cantFail(Executor::create(driver, program, 0, Sampling::On));
  DeviceRun run = llvm::cantFail(measure(*executor, options));
  EXPECT_EQ(run.count, 2u);
  EXPECT_NE(run.samplesFailed.find("stop sampling: CUDA_ERROR_FAKE"),
            std::string::npos);
}

TEST(DeviceMeasure, failsWithoutSampler) {
  FakeDriver driver;
  Program program = makeTestProgram();
  driver.failAt = 6;
  auto executor = Executor::create(driver, program, 0, Sampling::On);
  ASSERT_FALSE(bool(executor));
  EXPECT_EQ(driver.calls.back(), "destroyStream");
  llvm::consumeError(executor.takeError());
  EXPECT_EQ(driver.getLiveCount(), 0u);
}

TEST(DeviceMeasure, failsAtEachCallWithoutLeaks) {
  MeasureOptions options;
  options.iterations = 2;
  options.warmUp = 1;
  Program program = makeTestProgram();
  for (Replay replay : {Replay::Stream, Replay::Graph}) {
    options.replay = replay;
    FakeDriver counting;
    measureFake(counting, options);
    FakeDriver loading;
    llvm::cantFail(Executor::create(loading, program));
    size_t first =
        size_t(llvm::find(loading.calls, "release") - loading.calls.begin());
    size_t last = size_t(llvm::find(counting.calls, "destroyEvent") -
                         counting.calls.begin());
    for (size_t call = first + 1; call <= last; ++call) {
      FakeDriver driver;
      {
        auto executor = llvm::cantFail(Executor::create(driver, program));
        driver.failAt = call;
        auto run = measure(*executor, options);
        ASSERT_FALSE(bool(run)) << driver.calls[call - 1];
        llvm::consumeError(run.takeError());
      }
      EXPECT_EQ(driver.getLiveCount(), 0u) << driver.calls[call - 1];
    }
  }
}

} // namespace
