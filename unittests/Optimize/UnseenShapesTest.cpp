//===- UnseenShapesTest.cpp - Tests of shapes not recorded ----------------
//===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Optimize/UnseenShapes.h"
#include "mlir-prof/Module/ModuleReader.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::module;
using namespace mlirprof::optimize;

namespace {

class UnseenShapesTest : public testing::Test {
protected:
  UnseenShapesTest() { prepareContext(context); }

  mlir::FunctionOpInterface parse(llvm::StringRef text) {
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    return *module->getOps<mlir::func::FuncOp>().begin();
  }

  /// `unused` is an argument that no op uses.
  mlir::FunctionOpInterface
  parseProduct(const std::string &unused = ", %o: tensor<?x?xf32>") {
    return parse(R"(
func.func @main(%x: tensor<?x?xf32>, %w: tensor<?x?xf32>)" +
                 unused + R"()
    -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %w, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%d, %n) : tensor<?x?xf32>
  %m = linalg.matmul ins(%x, %w : tensor<?x?xf32>, tensor<?x?xf32>)
    outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %m : tensor<?x?xf32>
})");
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// m x k times k x n, with an array that no op uses.
ArgumentShapes product(int64_t m, int64_t k, int64_t n) {
  return {{m, k}, {k, n}, {2, 3}};
}

TEST_F(UnseenShapesTest, TheRuleFromTheMostFrequentAndTheLargest) {
  mlir::FunctionOpInterface entry = parseProduct("");
  auto of = [](int64_t m, int64_t k, int64_t n) {
    return ArgumentShapes{{m, k}, {k, n}};
  };
  std::vector<ArgumentShapes> seen(9, of(6, 50, 10));
  seen.push_back(of(33, 77, 65));
  EXPECT_EQ(makeUnseenShapes(entry, seen),
            (std::vector<ArgumentShapes>{
                of(3, 25, 5), of(12, 100, 20), of(9, 75, 15), of(16, 64, 16),
                // Long and thin in each of the three.
                of(36, 56, 16), of(1, 100, 20), of(8, 300, 16), of(12, 1, 20),
                of(8, 56, 60), of(12, 100, 1),
                // Shapes from the largest, up to twelve in all.
                of(16, 38, 32), of(66, 154, 130)}));
  UnseenLimits few;
  few.shapes = 2;
  EXPECT_EQ(makeUnseenShapes(entry, seen, few).size(), 2u);
}

TEST_F(UnseenShapesTest, EqualByChance) {
  // One recording of square matrices: only what the product ties stays equal.
  std::vector<ArgumentShapes> unseen =
      makeUnseenShapes(parseProduct(), {product(64, 64, 64)});
  ASSERT_FALSE(unseen.empty());
  bool differs = false;
  for (const ArgumentShapes &shapes : unseen) {
    EXPECT_EQ(shapes[0][1], shapes[1][0]);
    differs |= shapes[0][0] != shapes[0][1];
  }
  EXPECT_TRUE(differs);
}

TEST_F(UnseenShapesTest, WhatOpsFixStays) {
  mlir::FunctionOpInterface entry = parse(R"(
func.func @main(%x: tensor<?x?xf32>) -> tensor<?x8xf32> {
  %r = tensor.cast %x : tensor<?x?xf32> to tensor<?x8xf32>
  return %r : tensor<?x8xf32>
})");
  // 2, 8, 7 and 16 rows; six times as many; one.
  EXPECT_EQ(makeUnseenShapes(entry, {{{4, 8}}}),
            (std::vector<ArgumentShapes>{
                {{2, 8}}, {{8, 8}}, {{7, 8}}, {{16, 8}}, {{24, 8}}, {{1, 8}}}));
}

TEST_F(UnseenShapesTest, NothingWithoutDynamicDimensions) {
  mlir::FunctionOpInterface entry =
      parse("func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
            "  return %x : tensor<4xf32>\n}\n");
  EXPECT_TRUE(makeUnseenShapes(entry, {{{4}}}).empty());
  EXPECT_TRUE(makeUnseenShapes(parseProduct(), {}).empty());
  // Sizes that no array has, and shapes of other arguments.
  EXPECT_TRUE(makeUnseenShapes(parseProduct(), {product(-1, 2, 3)}).empty());
  EXPECT_TRUE(
      makeUnseenShapes(parseProduct(), {product(1, int64_t(1) << 60, 3)})
          .empty());
  EXPECT_TRUE(makeUnseenShapes(parseProduct(), {{{1, 2}}}).empty());
}

TEST_F(UnseenShapesTest, MemoryAndWork) {
  mlir::FunctionOpInterface entry = parseProduct();
  std::vector<ArgumentShapes> seen = {product(1000, 1000, 1000)};
  for (const ArgumentShapes &shapes : makeUnseenShapes(entry, seen)) {
    int64_t elements =
        shapes[0][0] * shapes[0][1] + shapes[1][0] * shapes[1][1];
    EXPECT_LE(elements, 16 * 2'000'006);
    EXPECT_LE(shapes[0][0] * shapes[0][1] * shapes[1][1], 33'000'000'000);
  }
}

} // namespace
