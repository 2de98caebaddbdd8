//===- TosaTest.cpp - Models of tosa --------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JitModel.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::test;

namespace {

/// A convolution, a pooling, a product and a softmax built of single ops; $ is
/// the batch.
constexpr const char *kNet = R"mlir(
func.func @main(%image: tensor<$x9x11x3xf32>, %filter: tensor<5x3x3x3xf32>,
                %bias: tensor<5xf32>, %weights: tensor<1x45x7xf32>)
    -> (tensor<$x7xf32>, tensor<$x1xf32>) {
  %zero = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %conv = tosa.conv2d %image, %filter, %bias, %zero, %zero
    {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>,
     stride = array<i64: 2, 2>}
    : (tensor<$x9x11x3xf32>, tensor<5x3x3x3xf32>, tensor<5xf32>, tensor<1xf32>, tensor<1xf32>)
    -> tensor<$x5x6x5xf32>
  %relu = tosa.clamp %conv {min_val = 0.0 : f32, max_val = 3.4e38 : f32}
    : (tensor<$x5x6x5xf32>) -> tensor<$x5x6x5xf32>
  %pool = tosa.max_pool2d %relu
    {kernel = array<i64: 3, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 2>}
    : (tensor<$x5x6x5xf32>) -> tensor<$x3x3x5xf32>
  %shape = tosa.const_shape {values = dense<[1, -1, 45]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %flat = tosa.reshape %pool, %shape : (tensor<$x3x3x5xf32>, !tosa.shape<3>) -> tensor<1x$x45xf32>
  %product = tosa.matmul %flat, %weights, %zero, %zero
    : (tensor<1x$x45xf32>, tensor<1x45x7xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x$x7xf32>
  %max = tosa.reduce_max %product {axis = 2 : i32} : (tensor<1x$x7xf32>) -> tensor<1x$x1xf32>
  %difference = tosa.sub %product, %max : (tensor<1x$x7xf32>, tensor<1x$x1xf32>) -> tensor<1x$x7xf32>
  %power = tosa.exp %difference : (tensor<1x$x7xf32>) -> tensor<1x$x7xf32>
  %sum = tosa.reduce_sum %power {axis = 2 : i32} : (tensor<1x$x7xf32>) -> tensor<1x$x1xf32>
  %inverse = tosa.reciprocal %sum : (tensor<1x$x1xf32>) -> tensor<1x$x1xf32>
  %shift = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %soft = tosa.mul %power, %inverse, %shift : (tensor<1x$x7xf32>, tensor<1x$x1xf32>, tensor<1xi8>) -> tensor<1x$x7xf32>
  %two = tosa.const_shape {values = dense<[-1, 7]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %result = tosa.reshape %soft, %two : (tensor<1x$x7xf32>, !tosa.shape<2>) -> tensor<$x7xf32>
  %one = tosa.const_shape {values = dense<[-1, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %most = tosa.reshape %max, %one : (tensor<1x$x1xf32>, !tosa.shape<2>) -> tensor<$x1xf32>
  return %result, %most : tensor<$x7xf32>, tensor<$x1xf32>
}
)mlir";

class TosaTest : public ::testing::TestWithParam<std::string> {
protected:
  std::vector<TypedTensor> compute(llvm::StringRef pipeline) {
    std::string text;
    for (const char *c = kNet; *c; ++c)
      text += *c == '$' ? GetParam() : std::string(1, *c);
    mlir::MLIRContext context;
    CompileOptions options;
    options.pipeline = pipeline.str();
    options.target = codegen::getHostTarget(1);
    auto model = compileText(context, text, options);
    if (!model) {
      ADD_FAILURE() << llvm::toString(model.takeError());
      return {};
    }
    std::vector<TypedTensor> arguments;
    uint32_t seed = 1;
    for (std::vector<int64_t> shape :
         {std::vector<int64_t>{3, 9, 11, 3}, std::vector<int64_t>{5, 3, 3, 3},
          std::vector<int64_t>{5}, std::vector<int64_t>{1, 45, 7}}) {
      Tensor tensor = makeTensor(shape, seed++);
      arguments.push_back(
          {"f32", shape, {tensor.values.begin(), tensor.values.end()}});
    }
    auto results = run(*model, arguments);
    if (!results) {
      ADD_FAILURE() << llvm::toString(results.takeError());
      return {};
    }
    return *results;
  }
};

TEST_P(TosaTest, PipelinesComputeTheSame) {
  std::vector<TypedTensor> naive = compute("naive"),
                           actual = compute("default");
  ASSERT_EQ(naive.size(), 2u);
  ASSERT_EQ(actual.size(), 2u);
  EXPECT_EQ(actual[0].shape, (std::vector<int64_t>{3, 7}));
  EXPECT_EQ(actual[1].shape, (std::vector<int64_t>{3, 1}));
  for (unsigned result = 0; result < 2; ++result)
    for (auto [a, n] :
         llvm::zip_equal(actual[result].values, naive[result].values))
      EXPECT_NEAR(a, n, 1e-5);
  // Properties of a softmax.
  for (unsigned row = 0; row < 3; ++row) {
    double sum = 0;
    for (unsigned column = 0; column < 7; ++column)
      sum += actual[0].values[row * 7 + column];
    EXPECT_NEAR(sum, 1, 1e-5);
  }
}

INSTANTIATE_TEST_SUITE_P(Batches, TosaTest, ::testing::Values("3", "?"));

} // namespace
