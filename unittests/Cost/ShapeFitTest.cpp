//===- ShapeFitTest.cpp - Shapes that ops cannot have ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Cost/ShapeFit.h"
#include "../Match/Recordings.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::cost;
using namespace mlirprof::test;

namespace {

using Shapes = std::vector<std::vector<int64_t>>;
using Views = std::vector<llvm::ArrayRef<int64_t>>;

class ShapeFitTest : public testing::Test {
protected:
  /// Takes the last function of `text`.
  void parse(llvm::StringRef text) {
    // The module before must go before its context.
    loaded.root = {};
    loaded = parseText(text);
    ASSERT_TRUE(loaded.root);
    auto module = llvm::cast<mlir::ModuleOp>(*loaded.root);
    for (auto function : module.getOps<mlir::func::FuncOp>())
      entry = function;
  }

  ShapeFit check(const Shapes &shapes) {
    return checkShapes(entry, Views(shapes.begin(), shapes.end()));
  }

  /// "OP: REASON", or "".
  std::string refute(const Shapes &shapes) {
    auto found = findMisfit(entry, Views(shapes.begin(), shapes.end()));
    return found ? found->op->getName().getStringRef().str() + ": " +
                       found->reason
                 : "";
  }

  LoadedModule loaded;
  mlir::FunctionOpInterface entry;
};

const char *const kProduct = R"(
func.func private @product(%x: tensor<?x?xf32>, %w: tensor<?x?xf32>)
    -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %w, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%d, %n) : tensor<?x?xf32>
  %m = linalg.matmul ins(%x, %w : tensor<?x?xf32>, tensor<?x?xf32>)
    outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %m : tensor<?x?xf32>
})";

TEST_F(ShapeFitTest, OneLoopHasOneLength) {
  parse(kProduct);
  EXPECT_EQ(check({{2, 3}, {3, 4}}), ShapeFit::Fits);
  EXPECT_EQ(check({{2, 3}, {4, 5}}), ShapeFit::Misfits);
  EXPECT_EQ(refute({{2, 3}, {3, 4}}), "");
  EXPECT_EQ(refute({{3, 4}, {2, 6}}),
            "linalg.matmul: dimension 1 of operand 0 is 4, and dimension 0 of "
            "operand 1 is 2, but both are one loop");
}

TEST_F(ShapeFitTest, CalledFunctionsAreLookedAt) {
  parse(std::string(kProduct) + R"(
func.func @main(%x: tensor<?x?xf32>, %w: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = call @product(%w, %x) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
})");
  EXPECT_EQ(refute({{4, 2}, {3, 4}}), "");
  EXPECT_NE(refute({{3, 4}, {4, 2}}), "");
}

TEST_F(ShapeFitTest, OpsThatACallMaySkipRefuteNothing) {
  parse(R"(
func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>, %c: i1) -> tensor<?xf32> {
  %r = scf.if %c -> tensor<?xf32> {
    %s = linalg.add ins(%x, %y : tensor<?xf32>, tensor<?xf32>)
      outs(%x : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %s : tensor<?xf32>
  } else {
    scf.yield %x : tensor<?xf32>
  }
  return %r : tensor<?xf32>
})");
  EXPECT_EQ(check({{3}, {4}, {}}), ShapeFit::Misfits);
  EXPECT_EQ(refute({{3}, {4}, {}}), "");
}

// Three outputs of a window of four need six inputs.
TEST_F(ShapeFitTest, LoopsStayInAConvolutionsInput) {
  parse(R"(
func.func @main(%x: tensor<?xf32>, %w: tensor<?xf32>, %o: tensor<?xf32>)
    -> tensor<?xf32> {
  %r = linalg.conv_1d ins(%x, %w : tensor<?xf32>, tensor<?xf32>)
    outs(%o : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
})");
  EXPECT_EQ(check({{6}, {4}, {3}}), ShapeFit::Fits);
  EXPECT_EQ(refute({{5}, {4}, {3}}),
            "linalg.conv_1d: dimension 0 of operand 0 is 5, but element 5 of "
            "it is accessed");
  EXPECT_EQ(check({{0}, {4}, {0}}), ShapeFit::Fits);
}

TEST_F(ShapeFitTest, CastsNeedTheirSize) {
  parse(R"(
func.func @main(%x: tensor<?xf32>) -> tensor<4xf32> {
  %r = tensor.cast %x : tensor<?xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
})");
  EXPECT_EQ(refute({{4}}), "");
  EXPECT_EQ(refute({{5}}),
            "tensor.cast: dimension 0 is 5, but the result's is 4");
}

TEST_F(ShapeFitTest, SlicesAndReshapes) {
  parse(R"(
func.func @main(%x: tensor<?xf32>, %n: index) -> (tensor<4xf32>, tensor<?x4xf32>) {
  %s = tensor.extract_slice %x[2] [4] [2] : tensor<?xf32> to tensor<4xf32>
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %r = arith.divui %d, %c4 : index
  %e = tensor.expand_shape %x [[0, 1]] output_shape [%r, 4]
    : tensor<?xf32> into tensor<?x4xf32>
  return %s, %e : tensor<4xf32>, tensor<?x4xf32>
})");
  // The last of the slice is element 8; four divide the size.
  EXPECT_EQ(check({{12}, {}}), ShapeFit::Fits);
  EXPECT_EQ(check({{8}, {}}), ShapeFit::Misfits);
  EXPECT_EQ(check({{13}, {}}), ShapeFit::Misfits);
  parse(R"(
func.func @main(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %s = tensor.extract_slice %x[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  return %s : tensor<?xf32>
})");
  EXPECT_EQ(check({{12}, {}}), ShapeFit::Unknown);
}

} // namespace
