//===- ProductsTest.cpp - Products of matrices in a module ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Cost/Products.h"
#include "../Match/Recordings.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::cost;
using namespace mlirprof::profile;
using namespace mlirprof::test;

/// "rows depth columns" of each product; ? is not known.
static std::string productsOf(llvm::StringRef text) {
  LoadedModule module = parseText(text);
  if (!module.root) {
    ADD_FAILURE() << "does not parse";
    return "";
  }
  auto print = [](std::optional<int64_t> size) {
    return size ? std::to_string(*size) : std::string("?");
  };
  std::string result;
  for (const MatrixProduct &product : collectProducts(*module.root))
    result += print(product.rows) + " " + print(product.depth) + " " +
              print(product.columns) + "\n";
  return result;
}

TEST(ProductsTest, Matrices) {
  EXPECT_EQ(productsOf(R"(
    func.func @main(%a: tensor<?x7xf32>, %b: tensor<7x3xf32>,
                    %c: tensor<?x3xf32>) -> tensor<?x3xf32> {
      %d = linalg.matmul ins(%a, %b : tensor<?x7xf32>, tensor<7x3xf32>)
                         outs(%c : tensor<?x3xf32>) -> tensor<?x3xf32>
      return %d : tensor<?x3xf32>
    })"),
            "? 7 3\n");
}

TEST(ProductsTest, ConvolutionsOfFewPlaces) {
  // A fully connected layer of 640 to 128 as TOSA writes it.
  EXPECT_EQ(productsOf(R"(
    func.func @main(%x: tensor<1x1x1x640xf32>, %w: tensor<128x1x1x640xf32>,
                    %b: tensor<128xf32>, %z: tensor<1xf32>)
        -> tensor<1x1x1x128xf32> {
      %y = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f32,
          dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>,
          stride = array<i64: 1, 1>}
          : (tensor<1x1x1x640xf32>, tensor<128x1x1x640xf32>, tensor<128xf32>,
             tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x1x128xf32>
      return %y : tensor<1x1x1x128xf32>
    })"),
            "1 640 128\n");
  // Two images of one place each, 3x3 of 5 channels, to 32.
  EXPECT_EQ(productsOf(R"(
    func.func @main(%x: tensor<2x3x3x5xf32>, %w: tensor<3x3x5x32xf32>,
                    %y: tensor<2x1x1x32xf32>) -> tensor<2x1x1x32xf32> {
      %z = linalg.conv_2d_nhwc_hwcf
          ins(%x, %w : tensor<2x3x3x5xf32>, tensor<3x3x5x32xf32>)
          outs(%y : tensor<2x1x1x32xf32>) -> tensor<2x1x1x32xf32>
      return %z : tensor<2x1x1x32xf32>
    })"),
            "2 45 32\n");
}

TEST(ProductsTest, ImagesAreNoWeights) {
  // 36 places and 3 filters; one filter a channel; a pooling.
  EXPECT_EQ(productsOf(R"(
    func.func @main(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x3xf32>,
                    %y: tensor<1x6x6x3xf32>, %v: tensor<8x8x4xf32>,
                    %u: tensor<1x1x1x4xf32>) -> tensor<1x6x6x3xf32> {
      %z = linalg.conv_2d_nhwc_hwcf
          ins(%x, %w : tensor<1x8x8x4xf32>, tensor<3x3x4x3xf32>)
          outs(%y : tensor<1x6x6x3xf32>) -> tensor<1x6x6x3xf32>
      %d = linalg.depthwise_conv_2d_nhwc_hwc
          ins(%x, %v : tensor<1x8x8x4xf32>, tensor<8x8x4xf32>)
          outs(%u : tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
      %e = tensor.empty() : tensor<8x8xf32>
      %p = linalg.pooling_nhwc_sum
          ins(%x, %e : tensor<1x8x8x4xf32>, tensor<8x8xf32>)
          outs(%u : tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
      return %z : tensor<1x6x6x3xf32>
    })"),
            "");
}
