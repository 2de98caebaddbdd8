//===- SamplerTest.cpp - Tests of sampling models -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Record/Sampling/Sampler.h"
#include "TestModel.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

#include <climits>
#include <linux/perf_event.h>

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::profile;
using namespace mlirprof::record;

namespace {
class SamplerTest : public ::testing::Test {
protected:
  SamplerTest() : context(makeContext()) {
    options.seconds = 0.5;
    options.timeout = 60;
    options.sampler = SamplerKind::Timer;
  }

  void run(llvm::StringRef text, const Signature &signature,
           Arguments arguments = {}) {
    auto compiled = compileText(*context, text, signature);
    ASSERT_TRUE(bool(compiled)) << llvm::toString(compiled.takeError());
    model = std::move(*compiled);
    auto outcome = runModel(model, arguments, options);
    ASSERT_TRUE(bool(outcome)) << llvm::toString(outcome.takeError());
    result = std::move(*outcome);
    EXPECT_EQ(result.exit, ExitKind::Finished) << result.exitReason;
    EXPECT_GT(result.samples.size(), 0u);
  }

  /// Samples of a class whose op is `op`.
  size_t countOp(SampleClass sampleClass, llvm::StringRef op) {
    size_t count = 0;
    for (const Sample &sample : result.samples)
      count += sample.sampleClass == sampleClass &&
               opAt(model, sample.address) == op;
    return count;
  }

  std::unique_ptr<mlir::MLIRContext> context;
  CompiledModel model;
  RunOptions options;
  RunResult result;
};
} // namespace

/// Multiplies in a loop that cannot be shortened: each step needs the one
/// before.
static constexpr const char *kWork = R"(
func.func @main() -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1000000 : index
  %one = arith.constant 1.0 : f32
  %factor = arith.constant 0.999 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %one) -> (f32) {
    %y = arith.mulf %x, %factor : f32
    scf.yield %y : f32
  }
  return %r : f32
})";

static Signature oneScalar() { return {{}, {scalarOf("f32", 4)}}; }

TEST_F(SamplerTest, WorkIsInTheLoop) {
  run(kWork, oneScalar());
  EXPECT_EQ(result.threads, std::vector<std::string>{"main"});
  EXPECT_EQ(result.sampler, SamplerKind::Timer);
  EXPECT_EQ(result.samplePeriodNs, 1000000);
  size_t work = countSamples(result, SampleClass::Work);
  EXPECT_GT(work, result.samples.size() * 9 / 10);
  // Only the chain of products takes time.
  EXPECT_GT(countOp(SampleClass::Work, "llvm.fmul") +
                countOp(SampleClass::Work, "llvm.cond_br") +
                countOp(SampleClass::Work, "llvm.br") +
                countOp(SampleClass::Work, "llvm.icmp") +
                countOp(SampleClass::Work, "llvm.add"),
            work * 9 / 10);
  // In the innermost loop, which does not call functions.
  ASSERT_FALSE(model.program.loops.empty());
  const MachineLoop &loop = model.program.loops.front();
  EXPECT_FALSE(loop.calls);
  int64_t last = 0;
  for (const Sample &sample : result.samples) {
    EXPECT_GE(sample.timeNs, last);
    last = sample.timeNs;
  }
  EXPECT_GE(result.samples.front().timeNs, result.beginNs);
}

TEST_F(SamplerTest, LibraryTimeBelongsToTheCall) {
  run(R"(
    func.func @main() -> f32 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = arith.constant 100000 : index
      %one = arith.constant 1.0 : f32
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %one) -> (f32) {
        %e = math.exp %x : f32
        %s = math.sin %e : f32
        scf.yield %s : f32
      }
      return %r : f32
    })",
      oneScalar());
  size_t library = countSamples(result, SampleClass::Library);
  EXPECT_GT(library, result.samples.size() / 2);
  // Library time may belong to calls only.
  EXPECT_EQ(countOp(SampleClass::Library, "llvm.call"), library);
  bool hasExp = false, hasSin = false;
  for (const Sample &sample : result.samples) {
    if (sample.sampleClass != SampleClass::Library)
      continue;
    ASSERT_LT(sample.symbol, result.symbols.size());
    hasExp |= result.symbols[sample.symbol] == "libm.so.6:expf";
    hasSin |= result.symbols[sample.symbol] == "libm.so.6:sinf";
  }
  EXPECT_TRUE(hasExp && hasSin) << llvm::join(result.symbols, " ");
  ASSERT_EQ(model.program.loops.size(), 1u);
  EXPECT_TRUE(model.program.loops[0].calls);
}

/// An executor that always runs the second dispatch.
static uint32_t runSecondDispatch() { return 1; }

TEST_F(SamplerTest, TimersAskForTheDispatch) {
  options.sampler = SamplerKind::Automatic;
  options.currentInstance = runSecondDispatch;
  auto compiled = compileText(*context, kWork, oneScalar());
  ASSERT_TRUE(bool(compiled)) << llvm::toString(compiled.takeError());
  model = std::move(*compiled);
  model.program.instances.resize(2);
  auto outcome = runModel(model, {Arguments()}, options);
  ASSERT_TRUE(bool(outcome)) << llvm::toString(outcome.takeError());
  EXPECT_EQ(outcome->sampler, SamplerKind::Timer);
  EXPECT_GT(countSamples(*outcome, SampleClass::Work), 0u);
  for (const Sample &sample : outcome->samples)
    EXPECT_EQ(sample.instance, isOfOp(sample.sampleClass) ? 1 : kNoInstance);
}

/// One of two threads is idle.
static constexpr const char *kUnbalanced = R"(
func.func @main(%out: memref<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = arith.constant 1000000 : index
  %one = arith.constant 1.0 : f32
  %factor = arith.constant 0.999 : f32
  scf.parallel (%t) = (%c0) to (%c2) step (%c1) {
    %m = arith.muli %t, %n : index
    %r = scf.for %i = %c0 to %m step %c1 iter_args(%x = %one) -> (f32) {
      %y = arith.mulf %x, %factor : f32
      scf.yield %y : f32
    }
    memref.store %r, %out[%t] : memref<2xf32>
    scf.reduce
  }
  return
})";

TEST_F(SamplerTest, WaitingIsNotWork) {
  options.threads = 2;
  Arguments arguments = {tensorOf({2}, {0, 0})};
  run(kUnbalanced, {{arrayOf({2})}, {}}, arguments);
  EXPECT_TRUE(model.usesOpenMP);
  ASSERT_EQ(result.threads.size(), 2u);
  EXPECT_EQ(result.threads[1], "worker 1");
  size_t work[2] = {0, 0}, wait[2] = {0, 0};
  for (const Sample &sample : result.samples) {
    work[sample.thread] += sample.sampleClass == SampleClass::Work;
    wait[sample.thread] += sample.sampleClass == SampleClass::Wait;
    // A waiting thread waits for an op of the model.
    if (sample.sampleClass == SampleClass::Wait) {
      EXPECT_NE(opAt(model, sample.address), "");
    }
  }
  // All of the work is the second iteration, the worker's.
  EXPECT_GT(wait[0], work[0]);
  EXPECT_GT(work[1], work[0]);
  ASSERT_EQ(result.arguments.size(), 1u);
  EXPECT_EQ(floatsOf(result.arguments[0])[0], 1.0f);
}

TEST_F(SamplerTest, PerfEventWhereTheKernelAllowsIt) {
  options.sampler = SamplerKind::PerfEvent;
  auto compiled = compileText(*context, kWork, oneScalar());
  ASSERT_TRUE(bool(compiled)) << llvm::toString(compiled.takeError());
  model = std::move(*compiled);
  Arguments none;
  auto outcome = runModel(model, none, options);
  if (!outcome) {
    // The only other possible outcome.
    EXPECT_NE(llvm::toString(outcome.takeError()).find("perf_event"),
              std::string::npos);
    return;
  }
  EXPECT_EQ(outcome->sampler, SamplerKind::PerfEvent);
  EXPECT_GT(countSamples(*outcome, SampleClass::Work), 0u);
}

TEST_F(SamplerTest, RatesThatTheKernelDoesNotGiveAreRefused) {
  EXPECT_FALSE(canSampleKernel(UINT_MAX));
  auto compiled = compileText(*context, kWork, oneScalar());
  ASSERT_TRUE(bool(compiled)) << llvm::toString(compiled.takeError());
  options.rate = UINT_MAX;
  options.sampler = SamplerKind::PerfEvent;
  Arguments none;
  auto outcome = runModel(*compiled, none, options);
  ASSERT_FALSE(bool(outcome));
  std::string error = llvm::toString(outcome.takeError());
  EXPECT_NE(error.find("perf_event takes at most"), std::string::npos) << error;
}

// Records as perf_event_open(2) lays them out.
TEST(PerfReaderTest, LostAndThrottledTimeIsLost) {
  auto run = llvm::cantFail(SharedRunMapping::create(2));
  CodeMap map;
  PerfReader reader(run, map, /*thread=*/1, /*periodNs=*/1000);
  auto read = [&](uint32_t type, std::vector<uint64_t> words) {
    reader.read(type, /*inKernel=*/false,
                {reinterpret_cast<const uint8_t *>(words.data()),
                 words.size() * sizeof(uint64_t)});
  };
  ThreadSamples &own = run->threadSamples[1];
  read(PERF_RECORD_LOST, {/*id=*/7, /*lost=*/3});
  EXPECT_EQ(own.lost, 3u);
  read(PERF_RECORD_THROTTLE, {/*time=*/10000, /*id=*/7, /*stream=*/7});
  EXPECT_EQ(own.lost, 3u);
  read(PERF_RECORD_UNTHROTTLE, {14500, 7, 7});
  EXPECT_EQ(own.lost, 7u);
  // Sampling that does not resume is lost until the end.
  read(PERF_RECORD_THROTTLE, {20000, 7, 7});
  reader.finish(22000);
  EXPECT_EQ(own.lost, 9u);
  reader.finish(30000);
  EXPECT_EQ(own.lost, 9u);
  EXPECT_EQ(own.count, 0u);
}

TEST_F(SamplerTest, AutomaticSamples) {
  options.sampler = SamplerKind::Automatic;
  run(kWork, oneScalar());
  EXPECT_TRUE(result.sampler == SamplerKind::Timer ||
              result.sampler == SamplerKind::PerfEvent);
  EXPECT_GT(countSamples(result, SampleClass::Work), 0u);
}
