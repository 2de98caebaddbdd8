//===- ModelCallsTest.cpp - Tests of the parts of a model's calls ---------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Report/ModelCalls.h"
#include "ProgramData.h"
#include "gtest/gtest.h"

#include <numeric>

using namespace mlirprof;
using namespace mlirprof::report;
using namespace mlirprof::test;

static std::string describe(const ModelParts &model) {
  std::string text;
  for (const ModelPart &part : model.parts)
    text +=
        (part.parent == kNone ? "" : model.parts[part.parent].name + " / ") +
        part.name + ": " + std::to_string(part.timePs) + "\n";
  return text;
}

TEST(ModelCallsTest, PartsAreOpsThenInstructions) {
  Profile profile = makeRecording();
  ModelCalls calls(profile);
  const ModelParts *model = calls.find(profile.programs[0].fingerprint);
  ASSERT_TRUE(model);
  EXPECT_EQ(calls.find("another"), nullptr);
  // As ProgramData.h says; what waits or is outside is not the model's.
  EXPECT_EQ(describe(*model), "linalg.matmul (fc1): 0\n"
                              "linalg.matmul (fc1) / main+0x0 vmulps: 5000\n"
                              "linalg.matmul (fc1) / main+0x4 jne: 3000\n"
                              "arith.maximumf: 0\n"
                              "arith.maximumf / main+0x8 vmaxps: 2000\n"
                              "linalg.matmul (fc1) / main+0xc vaddps: 1000\n"
                              "linalg.generic (exp): 0\n"
                              "linalg.generic (exp) / main+0x10 callq: 4000\n"
                              "main+0x14: 1000\n");
}

TEST(ModelCallsTest, SharesAddUpExactly) {
  ModelParts model;
  for (int64_t time : {300, 0, 500}) {
    model.parts.emplace_back();
    model.parts.back().timePs = time;
  }
  // A fifth of the runs is outside of the parts.
  model.wholePs = 1000;
  EXPECT_EQ(model.split(2000), (std::vector<int64_t>{600, 0, 1000}));
  // 5 of 7 picoseconds are covered: 1.875 and 3.125.
  EXPECT_EQ(model.split(7), (std::vector<int64_t>{2, 0, 3}));
  EXPECT_EQ(model.split(0), (std::vector<int64_t>{0, 0, 0}));
  // On several threads the parts may have more time than the runs.
  model.wholePs = 800;
  std::vector<int64_t> shares = model.split(INT64_MAX);
  EXPECT_EQ(std::accumulate(shares.begin(), shares.end(), int64_t(0)),
            INT64_MAX);
}
