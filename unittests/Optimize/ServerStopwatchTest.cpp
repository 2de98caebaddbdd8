//===- ServerStopwatchTest.cpp - Tests of timing servers ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Optimize/ServerStopwatch.h"
#include "../Record/TestModel.h"
#include "mlir-prof/Record/ModelServer.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::optimize;
using namespace mlirprof::record;
using namespace mlirprof::tuning;

namespace {
class ServerStopwatchTest : public ::testing::Test {
protected:
  ServerStopwatchTest() : context(makeContext()) {
    options.buildSeconds = options.runSeconds = 60;
  }

  /// A chain of `length` additions, which nothing can shorten, for each of
  /// `requests` requests.
  std::unique_ptr<ModelServer> start(const char *length, size_t requests = 1) {
    std::string text = std::string(R"(
      func.func @main(%in: memref<1xf32>) -> f32 {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %n = arith.constant )") +
                       length + R"( : index
        %x = memref.load %in[%c0] : memref<1xf32>
        %sum = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> f32 {
          %b = arith.addf %a, %x : f32
          scf.yield %b : f32
        }
        return %sum : f32
      })";
    Signature signature = {{arrayOf({1})}, {scalarOf("f32", 4)}};
    std::vector<Arguments> all(requests, {tensorOf({1}, {0.5f})});
    return llvm::cantFail(ModelServer::start(
        [&] { return compileText(*context, text, signature); }, all, options));
  }

  std::unique_ptr<mlir::MLIRContext> context;
  ServerOptions options;
};
} // namespace

TEST_F(ServerStopwatchTest, MoreWorkTakesLonger) {
  auto incumbent = start("500000"), candidate = start("5000");
  auto stopwatch = llvm::cantFail(
      ServerStopwatch::create(*incumbent, *candidate, /*seconds=*/1e-3));
  EXPECT_GE(stopwatch.getIterations(), 1u);
  double begin = stopwatch.now();
  Comparison result = llvm::cantFail(compare(stopwatch));
  EXPECT_GT(stopwatch.now(), begin);
  EXPECT_EQ(result.verdict, Verdict::Faster);
  EXPECT_LT(result.ratio, 0.1);
  EXPECT_GT(result.incumbentSeconds, 10 * result.candidateSeconds);
}

TEST_F(ServerStopwatchTest, AllRequestsEquallyOften) {
  auto incumbent = start("20000", 3), candidate = start("1000", 3);
  auto stopwatch = llvm::cantFail(
      ServerStopwatch::create(*incumbent, *candidate, /*seconds=*/1e-3));
  EXPECT_GT(stopwatch.getIterations(), 3u);
  EXPECT_EQ(stopwatch.getIterations() % 3, 0u);
  auto other = start("1000", 2);
  auto mixed = ServerStopwatch::create(*incumbent, *other);
  EXPECT_FALSE(bool(mixed));
  llvm::consumeError(mixed.takeError());
}

TEST_F(ServerStopwatchTest, AServerWithItself) {
  auto server = start("20000");
  auto stopwatch =
      llvm::cantFail(ServerStopwatch::create(*server, *server, 1e-4));
  ComparisonOptions few;
  few.maxRounds = 12;
  few.firstLook = 12;
  few.worthwhileGain = 0;
  Comparison result = llvm::cantFail(compare(stopwatch, few));
  EXPECT_EQ(result.rounds, 12u);
  EXPECT_GT(result.ratio, 0.1);
  EXPECT_LT(result.ratio, 10);
}

TEST_F(ServerStopwatchTest, AServerThatEndsEndsTheComparison) {
  options.runSeconds = 1;
  auto incumbent = start("1000"), candidate = start("9000000000000");
  auto stopwatch = ServerStopwatch::create(*incumbent, *candidate, 1e-3);
  ASSERT_FALSE(bool(stopwatch));
  std::string error = llvm::toString(stopwatch.takeError());
  EXPECT_NE(error.find("took longer than 1 s"), std::string::npos) << error;
}
