//===- TrialLoopTest.cpp - All trials of a search -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Optimize/Search/TrialLoop.h"
#include "SearchParts.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::test;

namespace {

/// Runs all trials on a model that was measured.
struct Loop {
  explicit Loop(FakeMachine &machine,
                llvm::function_ref<void(OptimizerOptions &)> tune = nullptr)
      : parts(machine, tune) {
    parts.start();
  }

  llvm::Error run() { return trials.run(parts.proposals); }
  /// The choices that were tried, in their order.
  std::vector<std::string> getOrder() const {
    std::vector<std::string> order;
    for (const Receipt &receipt : parts.journal.getReceipts())
      order.push_back(receipt.choice.at("index"));
    return order;
  }

  SearchParts parts;
  TrialRunner runner{parts.machine.getSites(),
                     parts.options,
                     parts.keys,
                     parts.budget,
                     parts.builder,
                     parts.comparer,
                     parts.reference,
                     parts.unseen,
                     parts.incumbent};
  TrialLoop trials{parts.machine.getSites(), parts.options, parts.budget,
                   parts.comparer,           parts.unseen,  parts.incumbent,
                   parts.progress,           runner,        parts.journal};
};

using Order = std::vector<std::string>;

TEST(TrialLoopTest, TriesAllOnce) {
  FakeMachine machine({{0.1}, {0}, {-0.1}}, 1, kQuiet);
  Loop loop(machine);
  double begin = machine.now();
  llvm::cantFail(loop.run());
  EXPECT_EQ(loop.getOrder(), (Order{"0", "1", "2"}));
  EXPECT_EQ(loop.trials.getStopReason(), StopReason::NothingLeft);
  EXPECT_NEAR(loop.trials.getSeconds(), machine.now() - begin, 1e-9);
  EXPECT_EQ(loop.parts.incumbent.get().choices.size(), 1u);
  // There is nothing left to try.
  llvm::cantFail(loop.run());
  EXPECT_EQ(loop.getOrder().size(), 3u);
}

TEST(TrialLoopTest, RepeatsWhereAsked) {
  FakeMachine machine({{0}}, 1, kQuiet);
  Loop loop(machine,
            [](OptimizerOptions &options) { options.isRepeated = true; });
  llvm::cantFail(loop.run());
  llvm::cantFail(loop.run());
  EXPECT_EQ(loop.getOrder(), (Order{"0", "0"}));
}

TEST(TrialLoopTest, SizeComesFirstWhereBuildsAreSlow) {
  auto getOrder = [](double buildSeconds) {
    FakeMachine machine({{0.05}, {0, Fault::None, 0.9}}, 1, kQuiet);
    machine.buildSeconds = buildSeconds;
    Loop loop(machine);
    llvm::cantFail(loop.run());
    return loop.getOrder();
  };
  EXPECT_EQ(getOrder(0.5), (Order{"0", "1"}));
  // More than a twentieth of the budget.
  EXPECT_EQ(getOrder(51), (Order{"1", "0"}));
}

TEST(TrialLoopTest, SaysForWhatTheBudgetIsTooShort) {
  FakeMachine machine({{0.1}, {0, Fault::None, 0.9}}, 1, kQuiet);
  machine.buildSeconds = 2;
  Loop loop(machine,
            [](OptimizerOptions &options) { options.budgetSeconds = 6; });
  llvm::cantFail(loop.run());
  EXPECT_TRUE(loop.getOrder().empty());
  EXPECT_EQ(loop.trials.getStopReason(), StopReason::BudgetUsed);
  // A build of two seconds, and what follows.
  ASSERT_TRUE(loop.trials.getMissingSeconds());
  EXPECT_GT(*loop.trials.getMissingSeconds(), 2);
}

TEST(TrialLoopTest, AnInterruptionKeepsWhatWasTried) {
  FakeMachine machine({{0.1}, {0.1}, {0.1}}, 1, kQuiet);
  unsigned trials = 0;
  Loop loop(machine, [&](OptimizerOptions &options) {
    options.isInterrupted = [&] { return trials == 2; };
    options.onProgress = [&](const OptimizerProgress &progress) {
      trials += progress.phase == "trial";
    };
  });
  llvm::Error error = loop.run();
  EXPECT_TRUE(error.isA<InterruptedError>());
  llvm::consumeError(std::move(error));
  EXPECT_EQ(loop.getOrder(), Order{"0"});
}

} // namespace
