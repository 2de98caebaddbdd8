//===- TryInChildTest.cpp - Trying risky actions --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Module/TryInChild.h"
#include "gtest/gtest.h"

#include <csignal>
#include <unistd.h>

using namespace mlirprof;
using namespace mlirprof::module;

namespace {

TEST(TryInChildTest, SaysHowItEnded) {
  ChildLimits limits;
  EXPECT_EQ(tryInChild([] {}, limits), ChildOutcome::Safe);
  EXPECT_EQ(tryInChild([] { confirm(); }, limits), ChildOutcome::Confirmed);
  EXPECT_EQ(tryInChild([] { raise(SIGSEGV); }, limits), ChildOutcome::Crashed);
  EXPECT_EQ(tryInChild([] { raise(SIGABRT); }, limits), ChildOutcome::Crashed);
  EXPECT_EQ(tryInChild([] { _exit(3); }, limits), ChildOutcome::Crashed);
  EXPECT_EQ(tryInChild([] { raise(SIGXCPU); }, limits), ChildOutcome::Limit);
  EXPECT_EQ(tryInChild([] { raise(SIGTERM); }, limits), ChildOutcome::Unknown);
}

/// The parent's work begins when the child reports, and does not change the
/// outcome.
TEST(TryInChildTest, WorksBesideAChildThatReports) {
  ChildLimits limits;
  unsigned done = 0;
  auto beside = [&] { ++done; };
  EXPECT_EQ(tryInChild([] {}, limits, beside), ChildOutcome::Safe);
  EXPECT_EQ(tryInChild([] { raise(SIGSEGV); }, limits, beside),
            ChildOutcome::Crashed);
  EXPECT_EQ(done, 0u);
  auto confirmLater = [] {
    report();
    confirm();
  };
  EXPECT_EQ(tryInChild(confirmLater, limits, beside), ChildOutcome::Confirmed);
  auto crashLater = [] {
    report();
    raise(SIGSEGV);
  };
  EXPECT_EQ(tryInChild(crashLater, limits, beside), ChildOutcome::Crashed);
  EXPECT_EQ(done, 2u);
}

/// An action that waits forever does not use processor time.
TEST(TryInChildTest, EndsWhatWaits) {
  ChildLimits limits;
  limits.wallSeconds = 1;
  auto wait = [] {
    while (true)
      pause();
  };
  EXPECT_EQ(tryInChild(wait, limits), ChildOutcome::Limit);
}

/// The outcome of the child is unknown: that is not a permission.
TEST(TryInChildTest, UnknownIsNotSafe) {
  auto before = std::signal(SIGCHLD, SIG_IGN);
  EXPECT_EQ(tryInChild([] {}, ChildLimits()), ChildOutcome::Unknown);
  std::signal(SIGCHLD, before);
}

} // namespace
