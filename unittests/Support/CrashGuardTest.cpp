//===- CrashGuardTest.cpp - Tests of recovering from crashes --------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Support/CrashGuard.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "gtest/gtest.h"

#include <cstdlib>

using namespace mlirprof;

namespace {

// A kernel's code is compiled within the region of its model's passes.
TEST(CrashGuard, RegionStaysAfterOneWithinItEnds) {
  CrashRecovery outer;
  {
    CrashRecovery inner;
  }
  llvm::CrashRecoveryContext region;
  EXPECT_FALSE(region.RunSafely([] { abort(); }));
}

TEST(CrashGuard, TellsTheSignal) {
  EXPECT_EQ(runGuarded([] { abort(); }), "SIGABRT");
  EXPECT_EQ(runGuarded([] {}), std::nullopt);
}

} // namespace
