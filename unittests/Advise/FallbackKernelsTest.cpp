//===- FallbackKernelsTest.cpp - Kernels that are not made for speed ------===//
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
using namespace mlirprof::profile;
using namespace mlirprof::trace;

static constexpr llvm::StringLiteral kRule = "fallback-kernels";

TEST(FallbackKernelsTest, ByKernel) {
  Data data;
  data.addOp(nodeKey("net/conv", "ref:any"), 2 * kUs);
  data.addOp(nodeKey("net/reference", "Conv"), 98 * kUs);
  EXPECT_EQ(data.ask(kRule), "1000000 fallback_ps=2000000 fallback_ppm=20000 "
                             "around_ps=0 ops=1 [net/conv:ref:any 2000000]\n");
}

TEST(FallbackKernelsTest, ScalarCallsOfLibm) {
  Data data = makeRecording({{"math.tanh", "t", kUs, 0, 0}});
  EXPECT_EQ(data.ask(kRule), "silent");
  data.profile.opKeys[0].kernel = "__tanhf_fma";
  EXPECT_EQ(data.ask(kRule),
            "8750000 fallback_ps=10000000 fallback_ppm=1000000 around_ps=0 "
            "ops=1 [__tanhf_fma in main+0 10000000]\n");
  // The loop around the calls, of 20 us, is not in vectors either: 7/8 of 30.
  data.ownership.ops.resize(2);
  data.matchLast(MatchClass::Unique, {1});
  OpKey around = data.profile.opKeys[0];
  around.kernel.clear();
  around.node = 1;
  data.addOp(around, 2 * kUs, 10);
  data.matchLast(MatchClass::Unique, {1});
  EXPECT_EQ(data.ask(kRule).substr(0, 75),
            "26250000 fallback_ps=10000000 fallback_ppm=333333 "
            "around_ps=20000000 ops=1 ");
}

TEST(FallbackKernelsTest, CallsThatNoPolynomialReplaces) {
  Data data = makeRecording({{"math.sin", "s", kUs, 0, 0}});
  for (const char *kernel :
       {"__sinf_fma", "__cosf_fma", "tanf", "__powf_fma", "__exp2f_fma"}) {
    data.profile.opKeys[0].kernel = kernel;
    EXPECT_EQ(data.ask(kRule), "silent") << kernel;
  }
  data.profile.opKeys[0].kernel = "__expf_fma";
  EXPECT_NE(data.ask(kRule), "silent");
}

TEST(FallbackKernelsTest, SilentBelow) {
  Data data;
  data.addOp(callKey("aten::_fallback"), 2 * kUs - kNs);
  data.addOp(callKey("aten::mm"), 98 * kUs + kNs);
  EXPECT_EQ(data.ask(kRule), "silent");
}

TEST(FallbackKernelsTest, NeedsTimes) {
  EXPECT_EQ(Data().ask(kRule), "no data");
}
