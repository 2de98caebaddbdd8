//===- ModelBuilderTest.cpp - Builds of the model, each in a process ------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Optimize/Search/ModelBuilder.h"
#include "StubServer.h"
#include "gtest/gtest.h"

using namespace mlirprof::compile;
using namespace mlirprof::optimize;
using namespace mlirprof::record;
using namespace mlirprof::test;
using namespace mlirprof;

namespace {

/// Remembers what it was asked to build.
class ModelBuilderTest : public testing::Test {
protected:
  ModelBuilderTest() {
    options.requests.resize(1);
    options.memory = 123;
    options.compile.target.threads = 3;
    tools.clock = [this] { return now; };
    tools.serve = [this](mlir::ModuleOp, const CompileOptions &compile,
                         llvm::ArrayRef<Arguments> requests,
                         const ServerOptions &how)
        -> llvm::Expected<std::unique_ptr<ModelServer>> {
      ++builds;
      pipeline = compile.pipeline;
      requestCount = requests.size();
      server = how;
      return std::make_unique<StubServer>();
    };
  }

  double now = 0;
  OptimizerOptions options;
  SearchTools tools;
  unsigned builds = 0;
  std::string pipeline;
  size_t requestCount = 0;
  ServerOptions server;
};

TEST_F(ModelBuilderTest, LimitsGoByTheBudget) {
  TimeBudget budget(tools.clock, /*totalSeconds=*/100, 0, 1);
  ModelBuilder builder(nullptr, options, tools, budget);
  options.buildSeconds = 90;
  llvm::cantFail(builder.build(ChoiceMap()));
  EXPECT_EQ(server.buildSeconds, 90);
  EXPECT_EQ(server.memory, 123u);
  EXPECT_EQ(server.threads, 3u);
  // Ten seconds, and five for the request.
  EXPECT_EQ(server.runSeconds, 15);
  // The rest of the budget, and twenty seconds more.
  now = 60;
  llvm::cantFail(builder.build(ChoiceMap()));
  EXPECT_EQ(server.buildSeconds, 60);
  // A setup says less.
  BuildSetup setup = {options.compile, /*runSeconds=*/7, /*buildSeconds=*/5};
  setup.compile.pipeline = "naive";
  llvm::cantFail(builder.build(setup, options.requests));
  EXPECT_EQ(server.buildSeconds, 5);
  EXPECT_EQ(server.runSeconds, 7);
  EXPECT_EQ(pipeline, "naive");
  // Nothing is built after the budget.
  now = 200;
  unsigned before = builds;
  auto late = builder.build(ChoiceMap());
  EXPECT_TRUE(late.errorIsA<BudgetError>());
  llvm::consumeError(late.takeError());
  EXPECT_EQ(builds, before);
}

TEST_F(ModelBuilderTest, BuildsAgainOnlyWhatHasEnded) {
  TimeBudget budget(tools.clock, 100, 0, 1);
  ModelBuilder builder(nullptr, options, tools, budget);
  StubServer built;
  std::vector<Arguments> requests(2);
  llvm::cantFail(builder.startAgain(built, ChoiceMap(), requests));
  EXPECT_EQ(builds, 0u);
  built.isDead = true;
  llvm::cantFail(builder.startAgain(built, ChoiceMap(), requests));
  EXPECT_EQ(builds, 1u);
  EXPECT_EQ(requestCount, 2u);
  auto results =
      llvm::cantFail(builder.computeResults(built, ChoiceMap(), requests));
  EXPECT_EQ(builds, 2u);
  EXPECT_EQ(results.size(), 1u);
}

} // namespace
