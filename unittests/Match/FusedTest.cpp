//===- FusedTest.cpp - Members of TensorFlow's fused kernels --------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recordings.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::match;
using namespace mlirprof::profile;
using namespace mlirprof::test;
using namespace mlirprof::trace;

namespace {

// An activation that uses its input three times, after a product of a measured
// node: only the ops between the product and the last op are fused.
const char *const kGelu = R"(
module {
  func.func @main(%x: tensor<4x4xf32>, %w: tensor<4x4xf32>, %b: tensor<4xf32>) -> tensor<4x4xf32> {
    %0 = "tf.Relu"(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32> loc("before")
    %1 = "tf.MatMul"(%0, %w) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32> loc("dense/MatMul")
    %2 = "tf.BiasAdd"(%1, %b) : (tensor<4x4xf32>, tensor<4xf32>) -> tensor<4x4xf32> loc("dense/BiasAdd")
    %c = "tf.Const"() : () -> tensor<f32> loc("dense/half")
    %3 = "tf.Mul"(%c, %2) : (tensor<f32>, tensor<4x4xf32>) -> tensor<4x4xf32> loc("dense/mul")
    %4 = "tf.Pow"(%2, %c) : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32> loc("dense/Pow")
    %5 = "tf.AddV2"(%2, %4) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32> loc("dense/add")
    %6 = "tf.Tanh"(%5) : (tensor<4x4xf32>) -> tensor<4x4xf32> loc("dense/Tanh")
    %7 = "tf.Mul"(%3, %6) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32> loc("dense/mul_1")
    return %7 : tensor<4x4xf32>
  }
})";

TEST(FusedTest, TakesAllBetweenBaseAndLastOp) {
  LoadedModule module = parseText(kGelu);
  ASSERT_TRUE(module.root);
  Profile profile;
  for (auto [op, kernel] : {std::pair("before", "Relu"),
                            std::pair("dense/mul_1", "_MklNativeFusedMatMul")})
    profile.opKeys.emplace_back(op, kernel, GraphNodeKey());
  Ownership ownership = matchProfile(profile, *module.root);
  ASSERT_EQ(ownership.matches.size(), 2u);
  // 0 module, 1 main, 2 Relu, 3 MatMul, 4 BiasAdd, 5 Const, 6 Mul, 7 Pow,
  // 8 AddV2, 9 Tanh, 10 Mul.
  EXPECT_EQ(ownership.matches[0].ops, std::vector<uint32_t>{2});
  EXPECT_EQ(ownership.matches[1].ops,
            (std::vector<uint32_t>{3, 4, 6, 7, 8, 9, 10}));
  EXPECT_EQ(ownership.matches[1].matchClass, MatchClass::Fused);
}

} // namespace
