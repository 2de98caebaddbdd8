//===- FallbackKernelsTest.cpp - Kernels not made for speed ---------------===//
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
  EXPECT_EQ(data.ask(kRule), "unknown fallback_ps=2000000 fallback_ppm=20000 "
                             "around_ps=0 ops=1 [net/conv:ref:any 2000000]\n");
}

TEST(FallbackKernelsTest, ScalarCallsOfLibm) {
  Data data = makeRecording({{"math.tanh", "t", kUs, 0, 0}});
  EXPECT_EQ(data.ask(kRule), "silent");
  data.profile.opKeys[0].kernel = "__tanhf_fma";
  // Polynomials take 1.7 % of a loop of calls.
  EXPECT_EQ(data.ask(kRule),
            "9830000 fallback_ps=10000000 fallback_ppm=1000000 around_ps=0 "
            "ops=1 [__tanhf_fma in main+0 10000000]\n");
  // The loop around the calls, of 20 us, is not in vectors either. At 95 % in
  // the calls, 10.53 of 30 us are calling, and the rest takes an eighth.
  data.ownership.ops.resize(2);
  data.matchLast(MatchClass::Unique, {1});
  OpKey around = data.profile.opKeys[0];
  around.kernel.clear();
  around.get<CodeKey>().instruction = 1;
  data.addOp(around, 2 * kUs, 10);
  data.matchLast(MatchClass::Unique, {1});
  EXPECT_EQ(data.ask(kRule).substr(0, 75),
            "27386842 fallback_ps=10000000 fallback_ppm=333333 "
            "around_ps=20000000 ops=1 ");
}

TEST(FallbackKernelsTest, PolynomialsCostWhatTheyDo) {
  // For expm1, lowered to expf, they take 55.3 % of a loop with 40 % in calls;
  // vectors of half the length take twice as much, which is not a gain.
  Data data = makeRecording({{"math.expm1", "e", kUs, 0, 0}});
  data.profile.opKeys[0].kernel = "libm.so.6:expf";
  EXPECT_EQ(data.ask(kRule).substr(0, 8), "4470000 ");
  data.run().machine.features = {"avx", "avx2"};
  EXPECT_EQ(data.ask(kRule), "silent");
  data.run().machine.features = {"avx", "avx512f"};
  EXPECT_EQ(data.ask(kRule).substr(0, 8), "4470000 ");
}

TEST(FallbackKernelsTest, CallsThatNoPolynomialReplaces) {
  Data data = makeRecording({{"math.sin", "s", kUs, 0, 0}});
  for (const char *kernel :
       {"__sinf_fma", "__cosf_fma", "tanf", "__powf_fma", "__exp2f_fma"}) {
    data.profile.opKeys[0].kernel = kernel;
    EXPECT_EQ(data.ask(kRule), "silent") << kernel;
  }
  // A function of f64, or a call that the model makes itself, does not count.
  data = makeRecording({{"math.exp", "e", kUs, 0, 0}});
  for (const char *kernel : {"__exp_fma", "exp", "tanh", "log1p"}) {
    data.profile.opKeys[0].kernel = kernel;
    EXPECT_EQ(data.ask(kRule), "silent") << kernel;
  }
  data.profile.opKeys[0].kernel = "__expf_fma";
  EXPECT_NE(data.ask(kRule), "silent");
  data = makeRecording({{"func.call", "e", kUs, 0, 0}});
  data.profile.opKeys[0].kernel = "__expf_fma";
  EXPECT_EQ(data.ask(kRule), "silent");
}

TEST(FallbackKernelsTest, ArgumentsOfNamesTellNothing) {
  Data data;
  data.addOp(callKey("call<std::reference_wrapper<S const>>(Reference)"), kUs);
  EXPECT_EQ(data.ask(kRule), "silent");
  data.addOp(callKey("tflite::reference_ops::Sum<float>(Shape)"), kUs);
  EXPECT_EQ(data.ask(kRule).substr(0, 28), "unknown fallback_ps=1000000 ");
}

TEST(FallbackKernelsTest, OperatorsAreNotBrackets) {
  // A bracket of an operator's name neither begins nor ends arguments.
  for (const char *name :
       {"S::operator<(S const&)::reference_sum(S)",
        "operator<< <char>(S)::naive", "S::operator->() const::naive",
        "S::operator()(int) const::naive", "S::operator<=>(S)::naive"}) {
    Data data;
    data.addOp(callKey(name), kUs);
    EXPECT_EQ(data.ask(kRule).substr(0, 28), "unknown fallback_ps=1000000 ")
        << name;
  }
  for (const char *name :
       {"call<&S::operator> >(Reference)", "call<&S::operator->, Reference>()",
        "my_operator<Reference>()", "S::operator()(Reference)"}) {
    Data data;
    data.addOp(callKey(name), kUs);
    EXPECT_EQ(data.ask(kRule), "silent") << name;
  }
}

TEST(FallbackKernelsTest, KernelsAndCallsAreTold) {
  Data data = makeRecording({{"math.tanh", "t", kUs, 0, 0}});
  data.profile.opKeys[0].kernel = "tanhf";
  data.addOp(callKey("aten::_fallback"), 10 * kUs);
  std::string said = data.ask(kRule);
  EXPECT_NE(said.find("fallback_ps=10000000 fallback_ppm=500000"),
            std::string::npos);
  EXPECT_NE(said.find("\nunknown fallback_ps=10000000"), std::string::npos);
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
