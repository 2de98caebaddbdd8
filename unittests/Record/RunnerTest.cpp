//===- RunnerTest.cpp - Tests of running models ---------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestModel.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "mlir-prof/Scope/Recording.h"
#include "mlir-prof/Scope/Scope.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"

#include <cmath>
#include <csignal>
#include <map>
#include <numeric>
#include <set>
#include <thread>
#include <unistd.h>

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::record;

namespace {
class RunnerTest : public ::testing::Test {
protected:
  RunnerTest() : context(makeContext()) {
    options.iterations = 3;
    options.seconds = 0;
    options.timeout = 60;
    options.sampler = SamplerKind::None;
  }

  void compile(llvm::StringRef text, const Signature &signature) {
    auto compiled = compileText(*context, text, signature);
    ASSERT_TRUE(bool(compiled)) << llvm::toString(compiled.takeError());
    model = std::move(*compiled);
  }

  void run(std::vector<Arguments> requests) {
    auto outcome = runModel(model, requests, options);
    ASSERT_TRUE(bool(outcome)) << llvm::toString(outcome.takeError());
    result = std::move(*outcome);
  }

  std::string runError(std::vector<Arguments> requests) {
    auto outcome = runModel(model, requests, options);
    return outcome ? "" : llvm::toString(outcome.takeError());
  }

  std::unique_ptr<mlir::MLIRContext> context;
  CompiledModel model;
  RunOptions options;
  RunResult result;
};
} // namespace

static constexpr const char *kAddOne = R"(
func.func @main(%in: memref<2x3xf32>) -> memref<2x3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1.0 : f32
  %out = memref.alloc() : memref<2x3xf32>
  scf.for %i = %c0 to %c2 step %c1 {
    scf.for %j = %c0 to %c3 step %c1 {
      %x = memref.load %in[%i, %j] : memref<2x3xf32>
      %y = arith.addf %x, %one : f32
      memref.store %y, %out[%i, %j] : memref<2x3xf32>
    }
  }
  return %out : memref<2x3xf32>
})";

TEST_F(RunnerTest, ComputesResults) {
  compile(kAddOne, {{arrayOf({2, 3})}, {arrayOf({2, 3})}});
  options.keep = KeptValues::OutputsAndArguments;
  run({{tensorOf({2, 3}, {1, 2, 3, 4, 5, 6})}});
  EXPECT_EQ(result.exit, ExitKind::Finished) << result.exitReason;
  EXPECT_EQ(result.iterations, 3u);
  EXPECT_EQ(result.iterationNs.size(), 3u);
  ASSERT_EQ(result.results.size(), 1u);
  EXPECT_EQ(result.results[0].shape, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(floatsOf(result.results[0]),
            (std::vector<float>{2, 3, 4, 5, 6, 7}));
  ASSERT_EQ(result.arguments.size(), 1u);
  EXPECT_EQ(floatsOf(result.arguments[0]),
            (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

TEST_F(RunnerTest, ArgumentsAreNotOutputsBesideResults) {
  compile(kAddOne, {{arrayOf({2, 3})}, {arrayOf({2, 3})}});
  run({{tensorOf({2, 3}, {1, 2, 3, 4, 5, 6})}});
  EXPECT_EQ(result.results.size(), 1u);
  EXPECT_TRUE(result.arguments.empty());
  EXPECT_TRUE(result.losses.empty());
}

TEST_F(RunnerTest, RequestsTakeTurns) {
  compile(R"(
    func.func @main(%in: memref<?xf32>) -> memref<?xf32> {
      return %in : memref<?xf32>
    })",
          {{arrayOf({INT64_MIN})}, {arrayOf({INT64_MIN})}});
  options.iterations = 4;
  run({{tensorOf({1}, {7})}, {tensorOf({2}, {8, 9})}});
  ASSERT_EQ(result.results.size(), 1u);
  EXPECT_EQ(floatsOf(result.results[0]), (std::vector<float>{8, 9}));
}

TEST_F(RunnerTest, ResultsWithoutElements) {
  compile(R"(
    func.func @main(%in: memref<3x0x5xf32>) -> memref<3x0x5xf32> {
      return %in : memref<3x0x5xf32>
    })",
          {{arrayOf({3, 0, 5})}, {arrayOf({3, 0, 5})}});
  run({{tensorOf({3, 0, 5}, {})}});
  ASSERT_EQ(result.results.size(), 1u);
  EXPECT_EQ(result.results[0].shape, (std::vector<int64_t>{3, 0, 5}));
  EXPECT_TRUE(result.results[0].bytes.empty());
  EXPECT_TRUE(result.losses.empty());
}

TEST_F(RunnerTest, ScalarsAndSeveralResults) {
  compile(R"(
    func.func @main(%a: i1, %b: f64, %c: index)
        -> (f64, memref<f32>, i1, index) {
      %two = arith.constant 2.0 : f64
      %p = arith.mulf %b, %two : f64
      %q = arith.truncf %p : f64 to f32
      %m = memref.alloc() : memref<f32>
      memref.store %q, %m[] : memref<f32>
      %true = arith.constant true
      %n = arith.xori %a, %true : i1
      %s = arith.addi %c, %c : index
      return %p, %m, %n, %s : f64, memref<f32>, i1, index
    })",
          {{scalarOf("i1", 1), scalarOf("f64", 8), scalarOf("index", 8)},
           {scalarOf("f64", 8), arrayOf({}), scalarOf("i1", 1),
            scalarOf("index", 8)}});
  auto scalar = [](const char *type, auto value) {
    HostTensor tensor;
    tensor.elementType = type;
    tensor.bytesPerElement = sizeof value;
    tensor.bytes.resize(sizeof value);
    std::memcpy(tensor.bytes.data(), &value, sizeof value);
    return tensor;
  };
  run({{scalar("i1", char(1)), scalar("f64", 1.5),
        scalar("index", int64_t(21))}});
  ASSERT_EQ(result.results.size(), 4u) << result.exitReason;
  double doubled;
  std::memcpy(&doubled, result.results[0].bytes.data(), sizeof doubled);
  EXPECT_EQ(doubled, 3.0);
  EXPECT_EQ(floatsOf(result.results[1]), std::vector<float>{3.0f});
  EXPECT_EQ(result.results[2].bytes, std::vector<char>{0});
  int64_t sum;
  std::memcpy(&sum, result.results[3].bytes.data(), sizeof sum);
  EXPECT_EQ(sum, 42);
}

TEST_F(RunnerTest, GathersStridedResults) {
  compile(R"(
    func.func @main(%in: memref<3x2xf32>) -> memref<3xf32, strided<[2], offset: 1>> {
      %v = memref.subview %in[0, 1] [3, 1] [1, 1]
          : memref<3x2xf32> to memref<3xf32, strided<[2], offset: 1>>
      return %v : memref<3xf32, strided<[2], offset: 1>>
    })",
          {{arrayOf({3, 2})}, {arrayOf({3})}});
  run({{tensorOf({3, 2}, {0, 1, 2, 3, 4, 5})}});
  ASSERT_EQ(result.results.size(), 1u);
  EXPECT_EQ(floatsOf(result.results[0]), (std::vector<float>{1, 3, 5}));
}

TEST_F(RunnerTest, GathersRowsOfALargerArray) {
  compile(R"(
    func.func @main(%in: memref<3x3xf32>) -> memref<2x2xf32, strided<[3, 1], offset: 3>> {
      %v = memref.subview %in[1, 0] [2, 2] [1, 1]
          : memref<3x3xf32> to memref<2x2xf32, strided<[3, 1], offset: 3>>
      return %v : memref<2x2xf32, strided<[3, 1], offset: 3>>
    })",
          {{arrayOf({3, 3})}, {arrayOf({2, 2})}});
  run({{tensorOf({3, 3}, {0, 1, 2, 3, 4, 5, 6, 7, 8})}});
  ASSERT_EQ(result.results.size(), 1u);
  EXPECT_EQ(floatsOf(result.results[0]), (std::vector<float>{3, 4, 6, 7}));
}

TEST_F(RunnerTest, ConstantsStandOutside) {
  compile(R"(
    memref.global "private" constant @w : memref<1024xf32> = dense<0.5>
    memref.global "private" constant @k : memref<512xi16> = dense<7>
    memref.global "private" constant @b : memref<2048xi1> = dense<true>
    memref.global "private" constant @small : memref<2xf32> = dense<[3.0, 4.0]>
    func.func @main() -> (f32, i16, i1, f32) {
      %i = arith.constant 500 : index
      %c1 = arith.constant 1 : index
      %w = memref.get_global @w : memref<1024xf32>
      %k = memref.get_global @k : memref<512xi16>
      %b = memref.get_global @b : memref<2048xi1>
      %s = memref.get_global @small : memref<2xf32>
      %0 = memref.load %w[%i] : memref<1024xf32>
      %1 = memref.load %k[%i] : memref<512xi16>
      %2 = memref.load %b[%i] : memref<2048xi1>
      %3 = memref.load %s[%c1] : memref<2xf32>
      return %0, %1, %2, %3 : f32, i16, i1, f32
    })",
          {{},
           {scalarOf("f32", 4), scalarOf("i16", 2), scalarOf("i1", 1),
            scalarOf("f32", 4)}});
  EXPECT_EQ(model.constants.size(), 3u);
  run({{}});
  ASSERT_EQ(result.results.size(), 4u) << result.exitReason;
  EXPECT_EQ(floatsOf(result.results[0]), std::vector<float>{0.5f});
  EXPECT_EQ(result.results[1].bytes, (std::vector<char>{7, 0}));
  EXPECT_EQ(result.results[2].bytes, std::vector<char>{1});
  EXPECT_EQ(floatsOf(result.results[3]), std::vector<float>{4.0f});
}

TEST_F(RunnerTest, MemoryIsReused) {
  compile(R"(
    func.func @main() -> memref<1048576xf32> {
      %one = arith.constant 1.0 : f32
      %t = memref.alloc() : memref<1048576xf32>
      %out = memref.alloc() : memref<1048576xf32>
      linalg.fill ins(%one : f32) outs(%t : memref<1048576xf32>)
      memref.copy %t, %out : memref<1048576xf32> to memref<1048576xf32>
      memref.dealloc %t : memref<1048576xf32>
      return %out : memref<1048576xf32>
    })",
          {{}, {arrayOf({1048576})}});
  options.iterations = 20;
  run({{}});
  EXPECT_EQ(result.exit, ExitKind::Finished) << result.exitReason;
  // 4 MiB are 1024 pages; each iteration would touch as many again.
  EXPECT_LT(result.pageFaults, 100u);
}

//===----------------------------------------------------------------------===//
// Errors of models
//===----------------------------------------------------------------------===//

TEST_F(RunnerTest, CrashNamesOpAndKeepsWhatWasMeasured) {
  compile(kFifthCallCrashes, {{arrayOf({1})}, {}});
  options.warmUp = 1;
  options.iterations = 100;
  run({{tensorOf({1}, {0})}});
  EXPECT_EQ(result.exit, ExitKind::Signal);
  EXPECT_EQ(result.iterations, 3u);
  EXPECT_EQ(result.iterationNs.size(), 3u);
  EXPECT_NE(result.exitReason.find("killed by SIGSEGV in iteration 4 at main+"),
            std::string::npos)
      << result.exitReason;
  EXPECT_NE(result.exitReason.find("(llvm.store)"), std::string::npos)
      << result.exitReason;
  EXPECT_TRUE(result.results.empty());
}

TEST_F(RunnerTest, Abort) {
  compile(R"(
    llvm.func @abort()
    func.func @main() { llvm.call @abort() : () -> () return })",
          {});
  run({{}});
  EXPECT_EQ(result.exit, ExitKind::Signal);
  EXPECT_NE(result.exitReason.find(
                "killed by SIGABRT in the warm-up in a call at main+"),
            std::string::npos)
      << result.exitReason;
}

TEST_F(RunnerTest, Exit) {
  compile(kExits, {});
  run({{}});
  EXPECT_EQ(result.exit, ExitKind::Exited);
  EXPECT_EQ(result.exitReason, "the model called exit(3) in the warm-up");
}

TEST_F(RunnerTest, OutOfMemory) {
  compile(kAllocates, {{scalarOf("index", 8)}, {arrayOf({INT64_MIN})}});
  HostTensor size = indexOf(int64_t(1) << 50);
  run({{size}});
  EXPECT_EQ(result.exit, ExitKind::Exited);
  EXPECT_NE(result.exitReason.find("asked for 4503599627370496"),
            std::string::npos)
      << result.exitReason;
}

TEST_F(RunnerTest, DoubleFree) {
  compile(R"(
    func.func @main(%m: memref<4xf32>) {
      memref.dealloc %m : memref<4xf32>
      return
    })",
          {{arrayOf({4})}, {}});
  options.warmUp = 1;
  run({{tensorOf({4}, {1, 2, 3, 4})}});
  EXPECT_EQ(result.exit, ExitKind::Exited);
  EXPECT_EQ(result.exitReason.find("the model freed 0x"), 0u)
      << result.exitReason;
  EXPECT_NE(result.exitReason.find("in iteration 1"), std::string::npos)
      << result.exitReason;
}

/// Forks in each call; only the original returns at once if `condition` says
/// which one loops forever.
static std::string makeForking(llvm::StringRef condition) {
  return (R"(
    llvm.func @fork() -> i32
    func.func @main(%n: memref<1xf32>) -> memref<1xf32> {
      %c0 = arith.constant 0 : index
      %one = arith.constant 1.0 : f32
      %zero = arith.constant 0 : i32
      %true = arith.constant true
      %x = memref.load %n[%c0] : memref<1xf32>
      %y = arith.addf %x, %one : f32
      memref.store %y, %n[%c0] : memref<1xf32>
      %pid = llvm.call @fork() : () -> i32
      %false = arith.constant false
      %isCopy = arith.cmpi eq, %pid, %zero : i32
      cf.cond_br )" +
          condition + R"(, ^loop, ^end
    ^loop:
      llvm.inline_asm has_side_effects "nop", "" : () -> ()
      cf.br ^loop
    ^end:
      return %n : memref<1xf32>
    })")
      .str();
}

/// The process groups of this session. (Numbers do not tell their age: they
/// start again at their limit.)
static std::set<pid_t> getGroups() {
  std::set<pid_t> groups;
  std::error_code code;
  for (llvm::sys::fs::directory_iterator it("/proc", code), end;
       it != end && !code; it.increment(code)) {
    pid_t pid = 0;
    if (!llvm::sys::path::filename(it->path()).getAsInteger(10, pid) &&
        getsid(pid) == getsid(0))
      groups.insert(getpgid(pid));
  }
  return groups;
}

/// The number of groups that did not exist `before`.
static unsigned countOthers(const std::set<pid_t> &before) {
  return llvm::count_if(getGroups(),
                        [&](pid_t group) { return !before.count(group); });
}

TEST_F(RunnerTest, CopiesOfAModelThatForksAreNotMeasured) {
  // Copies that return end; those that do not return end with the original.
  for (const char *who : {"%false", "%isCopy"}) {
    compile(makeForking(who), {{arrayOf({1})}, {arrayOf({1})}});
    options.warmUp = 1;
    options.iterations = 6;
    std::set<pid_t> before = getGroups();
    run({{tensorOf({1}, {0})}});
    EXPECT_EQ(result.exit, ExitKind::Finished) << result.exitReason;
    EXPECT_EQ(result.iterations, 6u);
    ASSERT_EQ(result.results.size(), 1u);
    EXPECT_EQ(floatsOf(result.results[0]), std::vector<float>{7});
    // Other processes reap them, which takes a moment.
    for (unsigned i = 0; i != 2000 && countOthers(before) != 0; ++i)
      usleep(1000);
    EXPECT_EQ(countOthers(before), 0u) << who;
  }
}

TEST_F(RunnerTest, CopiesDoNotHideFromTheTimeLimit) {
  compile(makeForking("%true"), {{arrayOf({1})}, {arrayOf({1})}});
  options.timeout = 0.5;
  run({{tensorOf({1}, {0})}});
  EXPECT_EQ(result.exit, ExitKind::Timeout);
  EXPECT_NE(result.exitReason.find("at main+"), std::string::npos)
      << result.exitReason;
}

TEST_F(RunnerTest, StackOverflowNamesOp) {
  // Frames of 4 KiB, so that the end is also met between two of them.
  compile(R"(
    func.func @deep(%n: index, %own: memref<1024xf32>) -> index {
      %c1 = arith.constant 1 : index
      %c0 = arith.constant 0 : index
      %m = memref.alloca() : memref<1024xf32>
      %v = memref.load %own[%c1] : memref<1024xf32>
      memref.store %v, %m[%c0] : memref<1024xf32>
      %k = arith.addi %n, %c1 : index
      %r = func.call @deep(%k, %m) : (index, memref<1024xf32>) -> index
      %s = arith.muli %r, %k : index
      return %s : index
    }
    func.func @main(%a: memref<1024xf32>) -> index {
      %c0 = arith.constant 0 : index
      %r = func.call @deep(%c0, %a) : (index, memref<1024xf32>) -> index
      return %r : index
    })",
          {{arrayOf({1024})}, {scalarOf("index", 8)}});
  run({{tensorOf({1024}, std::vector<float>(1024, 1))}});
  EXPECT_EQ(result.exit, ExitKind::Signal);
  EXPECT_NE(result.exitReason.find("killed by SIGSEGV (stack overflow) in the "
                                   "warm-up at deep+"),
            std::string::npos)
      << result.exitReason;
  EXPECT_NE(result.exitReason.find("(llvm."), std::string::npos)
      << result.exitReason;
}

TEST_F(RunnerTest, StackOverflowOnAnotherThread) {
  compile(R"(
    func.func @deep(%n: index, %own: memref<1024xf32>) -> index {
      %c1 = arith.constant 1 : index
      %c0 = arith.constant 0 : index
      %m = memref.alloca() : memref<1024xf32>
      %v = memref.load %own[%c1] : memref<1024xf32>
      memref.store %v, %m[%c0] : memref<1024xf32>
      %k = arith.addi %n, %c1 : index
      %r = func.call @deep(%k, %m) : (index, memref<1024xf32>) -> index
      %s = arith.muli %r, %k : index
      return %s : index
    }
    func.func @visit(%i: index, %a: memref<1024xf32>, %out: memref<2xindex>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      // The first iteration is the main thread's.
      %isOther = arith.cmpi eq, %i, %c1 : index
      scf.if %isOther {
        %r = func.call @deep(%c0, %a) : (index, memref<1024xf32>) -> index
        memref.store %r, %out[%i] : memref<2xindex>
      }
      return
    }
    func.func @main(%a: memref<1024xf32>, %out: memref<2xindex>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
        func.call @visit(%i, %a, %out)
            : (index, memref<1024xf32>, memref<2xindex>) -> ()
        scf.reduce
      }
      return
    })",
          {{arrayOf({1024}), arrayOf({2})}, {}});
  model.signature.arguments[1].elementType = "index";
  model.signature.arguments[1].bytesPerElement = 8;
  options.threads = 2;
  HostTensor out = indexOf(0);
  out.shape = {2};
  out.bytes.resize(16);
  run({{tensorOf({1024}, std::vector<float>(1024, 1)), out}});
  EXPECT_EQ(result.exit, ExitKind::Signal);
  EXPECT_NE(result.exitReason.find("killed by SIGSEGV (stack overflow) in the "
                                   "warm-up at deep+"),
            std::string::npos)
      << result.exitReason;
}

TEST_F(RunnerTest, FarAccessIsNoStackOverflow) {
  compile(kFifthCallCrashes, {{arrayOf({1})}, {}});
  options.iterations = 100;
  run({{tensorOf({1}, {0})}});
  EXPECT_EQ(result.exit, ExitKind::Signal);
  EXPECT_EQ(result.exitReason.find("stack overflow"), std::string::npos)
      << result.exitReason;
}

TEST_F(RunnerTest, TimeoutKeepsSamples) {
  // Forever from the second call on.
  compile(R"(
    func.func @main(%n: memref<1xf32>) {
      %c0 = arith.constant 0 : index
      %one = arith.constant 1.0 : f32
      %x = memref.load %n[%c0] : memref<1xf32>
      memref.store %one, %n[%c0] : memref<1xf32>
      %again = arith.cmpf oge, %x, %one : f32
      cf.cond_br %again, ^loop, ^end
    ^loop:
      llvm.inline_asm has_side_effects "nop", "" : () -> ()
      cf.br ^loop
    ^end:
      return
    })",
          {{arrayOf({1})}, {}});
  options.warmUp = 1;
  options.timeout = 1;
  options.sampler = SamplerKind::Timer;
  run({{tensorOf({1}, {0})}});
  EXPECT_EQ(result.exit, ExitKind::Timeout);
  EXPECT_NE(result.exitReason.find("in iteration 1 at main+"),
            std::string::npos)
      << result.exitReason;
  EXPECT_GT(countSamples(result, SampleClass::Work), 0u);
}

TEST_F(RunnerTest, InterruptEndsAfterTheIteration) {
  compile(kAddOne, {{arrayOf({2, 3})}, {arrayOf({2, 3})}});
  options.iterations = 0;
  pid_t self = getpid();
  // The child must not inherit a busy thread: this one only sleeps and kills.
  std::thread killer([self] {
    usleep(300000);
    kill(self, SIGINT);
  });
  run({{tensorOf({2, 3}, {1, 2, 3, 4, 5, 6})}});
  killer.join();
  EXPECT_EQ(result.exit, ExitKind::Interrupted);
  EXPECT_GT(result.iterations, 0u);
  EXPECT_EQ(result.results.size(), 1u);
}

TEST_F(RunnerTest, SecondInterruptKills) {
  compile(kForever, {});
  pid_t self = getpid();
  std::thread killer([self] {
    usleep(300000);
    kill(self, SIGINT);
    usleep(100000);
    kill(self, SIGINT);
  });
  run({{}});
  killer.join();
  EXPECT_EQ(result.exit, ExitKind::Interrupted);
  EXPECT_EQ(result.iterations, 0u);
}

TEST_F(RunnerTest, OneInterruptEndsAModelThatHangs) {
  compile(kForever, {});
  options.interruptGrace = 0.1;
  pid_t self = getpid();
  std::thread killer([self] {
    usleep(300000);
    kill(self, SIGTERM);
  });
  run({{}});
  killer.join();
  EXPECT_EQ(result.exit, ExitKind::Interrupted);
  EXPECT_EQ(result.exitReason.find("interrupted, and still running 0.1"), 0u)
      << result.exitReason;
  // The child itself has reported its place.
  EXPECT_NE(result.exitReason.find("in the warm-up at main+"),
            std::string::npos)
      << result.exitReason;
}

TEST_F(RunnerTest, MissingSymbol) {
  compile(R"(
    llvm.func @no_such_function()
    func.func @main() { llvm.call @no_such_function() : () -> () return })",
          {});
  std::string error = runError({{}});
  EXPECT_NE(error.find("symbol no_such_function: the model calls it"),
            std::string::npos)
      << error;
}

TEST_F(RunnerTest, WrongArguments) {
  compile(kAddOne, {{arrayOf({2, 3})}, {arrayOf({2, 3})}});
  EXPECT_NE(runError({{}}).find("0 given, 1 expected"), std::string::npos);
  EXPECT_NE(
      runError({{tensorOf({3, 2}, {1, 2, 3, 4, 5, 6})}}).find("takes 2x3xf32"),
      std::string::npos);
  EXPECT_NE(runError({{tensorOf({2, 3}, {1})}}).find("of 4 bytes"),
            std::string::npos);
  EXPECT_NE(runError({}).find("no request"), std::string::npos);
}

/// The names around an event, outermost first.
static std::string getPath(const scope::Recording &recording, uint32_t event) {
  std::string path;
  for (; event != scope::kNoScope; event = recording.events[event].parent)
    path = "/" + recording.sites[recording.events[event].site].name + path;
  return path;
}

TEST_F(RunnerTest, RecordsAScopeOfEachCall) {
  compile(kAddOne, {{arrayOf({2, 3})}, {arrayOf({2, 3})}});
  model.program.entry = "main";
  options.scopes = true;
  options.warmUp = 2;
  // With a caller that records scopes itself, these are around the calls.
  for (bool hasCaller : {false, true}) {
    if (hasCaller)
      prof_scope_start(nullptr, nullptr);
    {
      PROF_SCOPE("serve");
      run({{tensorOf({2, 3}, {1, 2, 3, 4, 5, 6})}});
    }
    if (hasCaller)
      prof_scope_stop(nullptr);
    ASSERT_TRUE(result.scopes);
    const scope::Recording &scopes = *result.scopes;
    std::map<std::string, int> paths;
    for (uint32_t index = 0; index != scopes.events.size(); ++index) {
      const scope::Site &site = scopes.sites[scopes.events[index].site];
      if (scope::ScopeType(site.type) != scope::ScopeType::Model)
        continue;
      ++paths[getPath(scopes, index)];
      EXPECT_EQ(site.file, profile::fingerprintProgram(model.program));
    }
    std::string around = hasCaller ? "/serve/run" : "";
    std::map<std::string, int> expected = {{around + "/warm-up/main", 2},
                                           {around + "/measured/main", 3}};
    EXPECT_EQ(paths, expected);
    EXPECT_TRUE(scopes.losses.empty());
  }
}
