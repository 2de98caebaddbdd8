//===- TimingManagerTest.cpp - Tests of timers as scopes ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Scope/ReadScopes.h"
#include "mlir-prof/PassScope/PassScopes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

#include <thread>

using namespace mlirprof;
using namespace mlirprof::passscope;
using scope::Recording;
using scope::ScopeEvent;
using scope::simulatedNs;

TEST(ScopeTimingManager, NestsTimersAndAddsUpTheirTimes) {
  scope::SimulatedClock clock;
  prof_scope_start(nullptr, nullptr);
  {
    ScopeTimingManager manager("driver");
    mlir::TimingScope root = manager.getRootScope();
    simulatedNs += 10;
    mlir::TimingScope parse = root.nest("Parse");
    simulatedNs += 100;
    parse.stop();
    for (int i = 0; i < 3; ++i) {
      mlir::TimingScope pass = root.nest("Pass");
      simulatedNs += 5;
      mlir::TimingScope inner = pass.nest("Inner");
      simulatedNs += 7;
    }
  }
  prof_scope_stop(nullptr);
  Recording recording = scope::readScopes();
  ScopeEvent root = scope::findEvent(recording, "driver");
  EXPECT_EQ(root.getDurationPs(), 146'000);
  EXPECT_EQ(root.selfPs, 10'000);
  EXPECT_EQ(scope::findEvent(recording, "Parse").getDurationPs(), 100'000);
  for (const ScopeEvent &event : scope::findEvents(recording, "Inner"))
    EXPECT_EQ(scope::getParent(recording, event), "Pass");
  EXPECT_EQ(scope::findEvents(recording, "Pass").size(), 3u);
  EXPECT_EQ(scope::findEvents(recording, "Pass")[1].selfPs, 5'000);
  EXPECT_TRUE(recording.losses.empty());
}

TEST(ScopeTimingManager, LinksTimersOfOtherThreads) {
  prof_scope_start(nullptr, nullptr);
  {
    ScopeTimingManager manager("driver");
    mlir::TimingScope root = manager.getRootScope();
    mlir::TimingScope batch = root.nest("Batch");
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i)
      threads.emplace_back([&] {
        for (int j = 0; j < 50; ++j) {
          mlir::TimingScope work = batch.nest("Work");
          mlir::TimingScope part = work.nest(llvm::StringRef("Part"));
        }
      });
    for (std::thread &thread : threads)
      thread.join();
  }
  prof_scope_stop(nullptr);
  Recording recording = scope::readScopes();
  EXPECT_EQ(scope::findEvents(recording, "Work").size(), 400u);
  for (const ScopeEvent &event : scope::findEvents(recording, "Work")) {
    EXPECT_EQ(scope::getParent(recording, event), "Batch");
    EXPECT_TRUE(event.isLinked);
  }
  EXPECT_EQ(scope::findEvents(recording, "Part").size(), 400u);
  for (const ScopeEvent &event : scope::findEvents(recording, "Part"))
    EXPECT_EQ(scope::getParent(recording, event), "Work");
  EXPECT_TRUE(recording.losses.empty());
}

TEST(ScopeTimingManager, ServesPassManagers) {
  mlir::MLIRContext context;
  context.loadDialect<mlir::func::FuncDialect>();
  std::string text;
  for (int i = 0; i < 100; ++i)
    text += "func.func @f" + std::to_string(i) + "() { return }\n";
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  prof_scope_start(nullptr, nullptr);
  {
    ScopeTimingManager timing("driver");
    mlir::TimingScope root = timing.getRootScope();
    mlir::PassManager manager(&context);
    manager.enableTiming(root);
    manager.addNestedPass<mlir::func::FuncOp>(mlir::createCSEPass());
    manager.addPass(mlir::createSymbolDCEPass());
    ASSERT_TRUE(succeeded(manager.run(*module)));
  }
  prof_scope_stop(nullptr);
  Recording recording = scope::readScopes();
  // The names are those of MLIR's timing report.
  EXPECT_EQ(scope::findEvents(recording, "CSEPass").size() +
                scope::findEvents(recording, "CSE").size(),
            100u);
  EXPECT_EQ(scope::findEvents(recording, "'func.func' Pipeline").size(), 100u);
  for (const ScopeEvent &event : recording.events)
    EXPECT_EQ(event.parent == scope::kNoScope,
              recording.sites[event.site].name == "driver");
  EXPECT_TRUE(recording.losses.empty());
}
