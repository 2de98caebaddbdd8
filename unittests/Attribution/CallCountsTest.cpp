//===- CallCountsTest.cpp - How often ops ran -----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Profile/CallCounts.h"
#include "mlir-prof/Attribution/Ownership.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

namespace {

FrameworkCallKey &getCall(OpKey &key) { return key.get<FrameworkCallKey>(); }

/// Builds a profile and its ownership.
struct Calls {
  Profile profile;
  Ownership ownership;

  Calls() {
    profile.runs.resize(1);
    ownership.ops.resize(4);
  }
  OpKey &add(uint32_t owner, uint64_t count, std::vector<std::string> callers,
             llvm::StringRef op, std::vector<std::string> scope = {"Net"}) {
    OpSummary sum;
    sum.op = uint32_t(profile.opKeys.size());
    for (uint64_t i = 0; i < count; ++i)
      sum.get(Quantity::Execute).add(10);
    profile.runs[0].ops.push_back(sum);
    Match match;
    match.matchClass = MatchClass::Unique;
    match.ops = {owner};
    ownership.matches.push_back(match);
    OpKey &key = profile.opKeys.emplace_back();
    key.op = op.str();
    key.make(FrameworkCallKey{std::move(scope), std::move(callers)});
    return key;
  }
  uint64_t count(uint32_t owner) const {
    return attribute(profile, ownership).ops[owner].count;
  }
};

// Three steps of a compiled model: a kernel reorders the input of a
// convolution, another one is a part of it and of its neighbors. The softmax
// consists of two kernels only.
TEST(CallCountsTest, KernelsOfTorchCompileArePartsOfTheirOps) {
  Calls calls;
  calls.add(1, 3, {}, "graph_0_cpp_fused_convolution_0");
  calls.add(1, 3, {}, "aten::convolution");
  calls.add(1, 3, {"aten::convolution"}, "aten::_convolution");
  calls.add(1, 3, {}, "graph_0_cpp_fused_convolution_relu_1");
  calls.add(2, 3, {}, "graph_0_cpp_fused_softmax_2");
  calls.add(2, 3, {}, "triton_per_fused__softmax_3");
  EXPECT_EQ(calls.count(1), 3u);
  EXPECT_EQ(calls.count(2), 3u);
}

// Ten calls of linear, each of which calls three ops, one of them two more.
TEST(CallCountsTest, WhatACallCallsIsPartOfIt) {
  Calls calls;
  calls.add(1, 10, {}, "aten::linear");
  calls.add(1, 10, {"aten::linear"}, "aten::t");
  calls.add(1, 10, {"aten::linear", "aten::t"}, "aten::transpose");
  calls.add(1, 10, {"aten::linear", "aten::t", "aten::transpose"},
            "aten::as_strided");
  calls.add(1, 20, {"aten::linear"}, "aten::addmm");
  calls.add(2, 10, {}, "aten::gelu");
  EXPECT_EQ(calls.count(1), 10u);
  EXPECT_EQ(calls.count(2), 10u);
}

// After a decomposition aten::t and its callees belong to a separate op.
TEST(CallCountsTest, OwnersOfPartsCountTheseParts) {
  Calls calls;
  calls.add(1, 10, {"aten::linear"}, "aten::t");
  calls.add(1, 10, {"aten::linear", "aten::t"}, "aten::transpose");
  calls.add(2, 10, {"aten::linear"}, "aten::addmm");
  calls.add(3, 10, {}, "aten::linear");
  EXPECT_EQ(calls.count(1), 10u);
  EXPECT_EQ(calls.count(2), 10u);
}

// Two calls in one module are one op of the model that runs twice as often, and
// two of the same name in other modules are others.
TEST(CallCountsTest, SeveralCallsAddUp) {
  Calls calls;
  getCall(calls.add(1, 10, {}, "aten::linear")).ordinal = 0;
  getCall(calls.add(1, 10, {"aten::linear"}, "aten::addmm")).ordinal = 1;
  getCall(calls.add(1, 10, {}, "aten::linear")).ordinal = 2;
  calls.add(2, 5, {}, "aten::linear", {"Net", "Layer"});
  EXPECT_EQ(calls.count(1), 20u);
  EXPECT_EQ(calls.count(2), 5u);
}

TEST(CallCountsTest, KernelsAreOfTheCallThatStartedThem) {
  Calls calls;
  calls.add(1, 10, {}, "aten::mm");
  calls.add(1, 30, {}, "aten::mm").kernel = "sgemm";
  calls.add(2, 7, {}, "aten::add").kernel = "elementwise";
  EXPECT_EQ(calls.count(1), 10u);
  // In a recording of the device alone only the kernels are known.
  EXPECT_EQ(calls.count(2), 7u);
}

TEST(CallCountsTest, BackwardIsNoFurtherCall) {
  Calls calls;
  calls.add(1, 10, {}, "aten::linear");
  getCall(calls.add(1, 10, {}, "AddmmBackward0")).phase = CallPhase::Backward;
  getCall(calls.add(2, 10, {}, "AccumulateGrad")).phase = CallPhase::Backward;
  EXPECT_EQ(calls.count(1), 10u);
  EXPECT_EQ(calls.count(2), 10u);
}

TEST(CallCountsTest, OtherRecordingsCountEvents) {
  Calls calls;
  calls.add(1, 10, {}, "fusion.1").make<HloInstructionKey>();
  calls.add(1, 10, {}, "fusion.2").make<HloInstructionKey>();
  EXPECT_EQ(calls.count(1), 20u);
}

} // namespace
