//===- TryInChildTest.cpp - Trying what may crash -------------------------===//
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
  EXPECT_EQ(tryInChild([] { raise(SIGSEGV); }, limits), ChildOutcome::Crashed);
  EXPECT_EQ(tryInChild([] { raise(SIGABRT); }, limits), ChildOutcome::Crashed);
  EXPECT_EQ(tryInChild([] { _exit(3); }, limits), ChildOutcome::Crashed);
  EXPECT_EQ(tryInChild([] { raise(SIGXCPU); }, limits), ChildOutcome::Limit);
  EXPECT_EQ(tryInChild([] { raise(SIGTERM); }, limits), ChildOutcome::Unknown);
}

/// What waits for ever uses no processor time.
TEST(TryInChildTest, EndsWhatWaits) {
  ChildLimits limits;
  limits.wallSeconds = 1;
  auto wait = [] {
    while (true)
      pause();
  };
  EXPECT_EQ(tryInChild(wait, limits), ChildOutcome::Limit);
}

/// Nobody gets to know how the child ended: that is no permission.
TEST(TryInChildTest, UnknownIsNotSafe) {
  auto before = std::signal(SIGCHLD, SIG_IGN);
  EXPECT_EQ(tryInChild([] {}, ChildLimits()), ChildOutcome::Unknown);
  std::signal(SIGCHLD, before);
}

} // namespace
