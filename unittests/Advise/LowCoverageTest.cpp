//===- LowCoverageTest.cpp - Gaps in the profile --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestData.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::test;

static constexpr llvm::StringLiteral kRule = "low-coverage";

static Data makeMatched(int64_t unmatchedPs, int64_t partialPs) {
  Data data;
  data.ownership.ops.resize(2);
  data.addOp(callKey("aten::mm"), 100 * kUs - unmatchedPs - partialPs);
  data.matchLast(MatchClass::Unique, {1});
  data.addOp(callKey("aten::relu"), unmatchedPs);
  data.ownership.matches.back().reason = "no op has this name";
  data.addOp(callKey("aten::add"), partialPs);
  data.matchLast(MatchClass::Partial, {1});
  return data;
}

TEST(LowCoverageTest, TimeWithoutOwner) {
  EXPECT_EQ(makeMatched(8 * kUs, 2 * kUs).ask(kRule),
            "unknown unmatched_ps=8000000 partial_ps=2000000 "
            "unowned_ppm=100000 ops=2 "
            "[aten::relu at no op has this name 8000000] "
            "[aten::add 2000000]\n");
}

TEST(LowCoverageTest, SilentBelow) {
  EXPECT_EQ(makeMatched(8 * kUs - kNs, 2 * kUs).ask(kRule), "silent");
  // Time outside of the model does not belong to any op.
  Data data = makeMatched(0, 0);
  data.addOp(outsideKey("poll"), 50 * kUs);
  EXPECT_EQ(data.ask(kRule), "silent");
}

TEST(LowCoverageTest, NoModuleOwnsWhatFrameworksDoAroundOps) {
  for (const char *reason : {"the framework's own work around ops",
                             "part of the optimizer's step"}) {
    Data data = makeMatched(50 * kUs, 0);
    data.ownership.matches[1].reason = reason;
    EXPECT_EQ(data.ask(kRule), "silent") << reason;
  }
}

TEST(LowCoverageTest, NeedsAModuleAndTimes) {
  EXPECT_EQ(Data().ask(kRule), "no data");
  // Without a module, ops cannot have an owner; losses belong to another rule.
  Data data;
  data.addOp(callKey("aten::mm"), 100 * kUs);
  data.run().losses = {{"events that were cut", 3, 50 * kUs}};
  EXPECT_EQ(data.ask(kRule), "no data");
}
