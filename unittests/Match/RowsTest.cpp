//===- RowsTest.cpp - Rows of ops: paths, positions, costs ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recordings.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

#include <map>
#include <random>

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::match;
using namespace mlirprof::profile;
using namespace mlirprof::test;

namespace {

Ownership describe(const std::string &text) {
  LoadedModule module = parseText(text);
  return module.root ? matchProfile(Profile(), *module.root) : Ownership();
}

const MlirOp *findPath(const Ownership &ownership, llvm::StringRef path,
                       llvm::StringRef op) {
  for (const MlirOp &row : ownership.ops)
    if (row.path == path && row.op == op)
      return &row;
  ADD_FAILURE() << "no " << op.str() << " at " << path.str();
  return nullptr;
}

uint64_t getCost(const std::string &op) {
  Ownership ownership = describe("module { " + op + " }");
  return ownership.ops.size() > 1 ? ownership.ops.back().cost : 0;
}

TEST(RowsTest, JaxPathsGoThroughCalls) {
  Profile profile = loadProfile("jax/loop");
  LoadedModule module = loadModule(getPath("jax/loop", "model.generic.mlir"));
  ASSERT_TRUE(module.root);
  Ownership ownership = matchProfile(profile, *module.root);
  EXPECT_EQ(ownership.ops[0].op, "builtin.module");
  const MlirOp *dot =
      findPath(ownership, "jit(f)/while/body/closed_call/cell/dot_general",
               "stablehlo.dot_general");
  ASSERT_TRUE(dot);
  EXPECT_EQ(dot->file, "/data/workloads/record.py");
  EXPECT_EQ(dot->line, 239u);
  EXPECT_EQ(dot->location,
            "cell/dot_general (/data/workloads/record.py:239:62)");
  EXPECT_EQ(ownership.ops[dot->parent].op, "func.func");
}

/// TensorFlow writes call chains in reverse; the user's line is the last one
/// outside of TensorFlow.
TEST(RowsTest, TensorFlowLinesAreTheUsers) {
  Profile profile = loadProfile("tf/mlp");
  LoadedModule module = loadModule(getPath("tf/mlp", "model.tf.mlir"));
  ASSERT_TRUE(module.root);
  Ownership ownership = matchProfile(profile, *module.root);
  const MlirOp *relu = findPath(ownership, "layer1/Relu", "tf.Relu");
  ASSERT_TRUE(relu);
  EXPECT_EQ(relu->file, "/data/workloads/record.py");
  EXPECT_EQ(relu->line, 38u);
}

TEST(RowsTest, TensorFlowPathsGoThroughLoops) {
  Profile profile = loadProfile("tf/loop");
  LoadedModule module = loadModule(getPath("tf/loop", "model.tf.mlir"));
  ASSERT_TRUE(module.root);
  Ownership ownership = matchProfile(profile, *module.root);
  EXPECT_TRUE(
      findPath(ownership, "while/body/_#/while/cell/MatMul", "tf.MatMul"));
}

/// Makes values of the given types, then `op`, which uses %v#0, %v#1 and so on.
uint64_t getCostOf(const std::string &types, const std::string &op) {
  return getCost("%v:2 = \"x.y\"() : () -> (" + types + ")\n" + op);
}

TEST(CostTest, ContractionsCountTheirSums) {
  const uint64_t flops = 2 * 4 * 16 * 8;
  EXPECT_EQ(getCostOf("tensor<4x8xf32>, tensor<8x16xf32>",
                      "%r = \"tf.MatMul\"(%v#0, %v#1) : (tensor<4x8xf32>, "
                      "tensor<8x16xf32>) -> tensor<4x16xf32>"),
            flops);
  // Batches are already in the result.
  EXPECT_EQ(getCostOf("tensor<3x4x8xf32>, tensor<3x8x16xf32>",
                      "%r = \"tf.BatchMatMulV2\"(%v#0, %v#1) : "
                      "(tensor<3x4x8xf32>, tensor<3x8x16xf32>) -> "
                      "tensor<3x4x16xf32>"),
            3 * flops);
  // An opaque attribute names the summed dimensions.
  EXPECT_EQ(getCostOf("tensor<4x8xf32>, tensor<8x16xf32>",
                      "%r = \"stablehlo.dot_general\"(%v#0, %v#1) "
                      "<{dot_dimension_numbers = #stablehlo.dot<"
                      "lhs_contracting_dimensions = [1], "
                      "rhs_contracting_dimensions = [0]>}> : (tensor<4x8xf32>, "
                      "tensor<8x16xf32>) -> tensor<4x16xf32>"),
            flops);
}

TEST(CostTest, LinalgCountsItsLoops) {
  Ownership ownership = describe(
      "module { %v:3 = \"x.y\"() : () -> (tensor<4x8xf32>, "
      "tensor<8x16xf32>, tensor<4x16xf32>)\n"
      "%r = linalg.matmul ins(%v#0, %v#1 : tensor<4x8xf32>, "
      "tensor<8x16xf32>) outs(%v#2 : tensor<4x16xf32>) -> tensor<4x16xf32> }");
  ASSERT_GT(ownership.ops.size(), 2u);
  EXPECT_EQ(ownership.ops[2].op, "linalg.matmul");
  EXPECT_EQ(ownership.ops[2].cost, 2u * 4 * 16 * 8);
}

TEST(CostTest, ConvolutionsCountTheirWindows) {
  // 3 * 3 * 16 multiplications for each of 2 * 8 * 8 * 32 elements.
  EXPECT_EQ(getCostOf("tensor<2x8x8x16xf32>, tensor<3x3x16x32xf32>",
                      "%r = \"stablehlo.convolution\"(%v#0, %v#1) "
                      "<{dimension_numbers = #stablehlo.conv<"
                      "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>}> : "
                      "(tensor<2x8x8x16xf32>, tensor<3x3x16x32xf32>) -> "
                      "tensor<2x8x8x32xf32>"),
            2u * 2 * 8 * 8 * 32 * 3 * 3 * 16);
}

TEST(CostTest, WhatDoesNoWorkCostsNothing) {
  EXPECT_EQ(getCost("%c = arith.constant dense<0.0> : tensor<1024xf32>"), 0u);
  EXPECT_EQ(getCostOf("tensor<4x8xf32>, tensor<1xf32>",
                      "%r = \"stablehlo.reshape\"(%v#0) : (tensor<4x8xf32>) "
                      "-> tensor<32xf32>"),
            0u);
  // A sum over one element.
  EXPECT_EQ(getCostOf("tensor<1x8xf32>, tensor<f32>",
                      "%r = \"stablehlo.reduce\"(%v#0, %v#1) : "
                      "(tensor<1x8xf32>, tensor<f32>) -> tensor<8xf32>"),
            0u);
}

TEST(CostTest, DynamicAndHugeShapes) {
  EXPECT_GT(getCostOf("tensor<*xf32>, tensor<?x?xf32>",
                      "%r = \"tf.MatMul\"(%v#0, %v#1) : (tensor<*xf32>, "
                      "tensor<?x?xf32>) -> tensor<*xf32>"),
            0u);
  std::string huge = "tensor<4611686018427387904x4611686018427387904xf32>";
  EXPECT_EQ(getCostOf(huge + ", " + huge, "%r = \"tf.MatMul\"(%v#0, %v#1) : (" +
                                              huge + ", " + huge + ") -> " +
                                              huge),
            uint64_t(1) << 48);
  EXPECT_GT(getCostOf("tensor<0x4xf32>, tensor<4x0xf32>",
                      "%r = \"tf.MatMul\"(%v#0, %v#1) : (tensor<0x4xf32>, "
                      "tensor<4x0xf32>) -> tensor<0x0xf32>"),
            0u);
}

/// A profile may mix measurements of several producers, in any order.
TEST(RowsTest, EachKindHasItsMatcher) {
  LoadedModule module = parseText(R"(module {
    %0 = "my.add"() : () -> i32 loc("net/add"("m.py":3:1))
  })");
  ASSERT_TRUE(module.root);
  Profile profile;
  profile.opKeys = {
      OpKey("o", "", UnknownKey{"\x08\x4d"}),
      OpKey("net/add", "", GraphNodeKey()),
      makeOutsideKey("futex", OutsideKind::Waiting),
      makeSourceLineKey(SourcePosition{"dir/m.py", 3, 0, "f"}, "main"),
      OpKey("add.1", "", HloInstructionKey{"jit_f"}),
      OpKey("d", "", DispatchKey()),
      OpKey("main+0x0", "", CodeKey{"p"}),
      OpKey("sleep", "", FrameworkCallKey()),
      OpKey("net/add", "Add", OnnxNodeKey()),
      OpKey("f", "", ProbeKey{"p"}),
  };
  std::mt19937 random(1);
  for (int round = 0; round != 4; ++round) {
    Ownership ownership = matchProfile(profile, *module.root);
    std::map<size_t, std::string> reasons;
    std::map<size_t, std::vector<uint32_t>> ops;
    for (auto [key, match] :
         llvm::zip_equal(profile.opKeys, ownership.matches)) {
      reasons[key.details.index()] = match.reason;
      ops[key.details.index()] = match.ops;
    }
    EXPECT_EQ(ops[getKindIndex<GraphNodeKey>()], std::vector<uint32_t>{1});
    EXPECT_EQ(ops[getKindIndex<SourceLineKey>()], std::vector<uint32_t>{1});
    EXPECT_EQ(ops[getKindIndex<OnnxNodeKey>()], std::vector<uint32_t>{1});
    EXPECT_EQ(reasons[getKindIndex<UnknownKey>()],
              "this version does not know this kind of op key");
    EXPECT_EQ(reasons[getKindIndex<OutsideKey>()], "waiting for other threads");
    EXPECT_EQ(reasons[getKindIndex<HloInstructionKey>()],
              "the profile does not have HLO module jit_f");
    EXPECT_EQ(reasons[getKindIndex<CodeKey>()],
              "of a program that the profile does not contain");
    EXPECT_EQ(reasons[getKindIndex<ProbeKey>()],
              "of a program that the profile does not contain");
    EXPECT_EQ(reasons[getKindIndex<DispatchKey>()].find("a dispatch"), 0u);
    EXPECT_EQ(reasons[getKindIndex<FrameworkCallKey>()],
              "code without a relation to the module");
    std::shuffle(profile.opKeys.begin(), profile.opKeys.end(), random);
  }
}

} // namespace
