//===- PackWeightsTest.cpp - Products with constant factors ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Compile/JitModel.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

#include <cmath>

using namespace mlirprof;
using namespace mlirprof::codegen;
using namespace mlirprof::compile;
using namespace mlirprof::test;

namespace {

/// The layout of the weights in the module.
enum class Layout {
  /// W[k][n].
  Plain,
  /// W[n][k], read as such.
  Columns,
  /// W[n][k], and a transpose of it.
  Transposed,
};

struct Product {
  int64_t m, k, n;
  Layout layout;
  bool dynamic;
  unsigned vectorBits;
};

std::string hexOf(const Tensor &tensor) {
  llvm::StringRef bytes(reinterpret_cast<const char *>(tensor.values.data()),
                        tensor.values.size() * sizeof(float));
  return "0x" + llvm::toHex(bytes);
}

std::string makeModel(const Product &product, const Tensor &weights) {
  bool isPlain = product.layout == Layout::Plain;
  bool isTransposed = product.layout == Layout::Transposed;
  std::string m = product.dynamic ? "?" : std::to_string(product.m);
  std::string kn = llvm::formatv("tensor<{0}x{1}xf32>", product.k, product.n);
  std::string nk = llvm::formatv("tensor<{0}x{1}xf32>", product.n, product.k);
  std::string in = llvm::formatv("tensor<{0}x{1}xf32>", m, product.k);
  std::string out = llvm::formatv("tensor<{0}x{1}xf32>", m, product.n);
  std::string text = llvm::formatv(
      "func.func @main(%a: {0}) -> {1} {{\n"
      "  %zero = arith.constant 0.0 : f32\n"
      "  %c0 = arith.constant 0 : index\n"
      "  %m = tensor.dim %a, %c0 : {0}\n"
      "  %e = tensor.empty({2}) : {1}\n"
      "  %f = linalg.fill ins(%zero : f32) outs(%e : {1}) -> {1}"
      "\n  %w = arith.constant dense<\"{3}\"> : {4}\n",
      in, out, product.dynamic ? "%m" : "", hexOf(weights), isPlain ? kn : nk);
  if (isTransposed)
    text += llvm::formatv(
        "  %b = tensor.empty() : {1}\n"
        "  %t = linalg.transpose ins(%w : {0}) outs(%b : {1}) permutation = "
        "[1, 0]\n",
        nk, kn);
  text += llvm::formatv(
      "  %p = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, "
      "affine_map<(m, n, k) -> {0}>, affine_map<(m, n, k) -> (m, n)>] "
      "ins(%a, {1} : {2}, {3}) outs(%f : {4}) -> {4}\n"
      "  return %p : {4}\n}\n",
      product.layout == Layout::Columns ? "(n, k)" : "(k, n)",
      isTransposed ? "%t" : "%w", in,
      product.layout == Layout::Columns ? nk : kn, out);
  return text;
}

class PackWeightsTest : public ::testing::TestWithParam<Product> {};

/// Compares with the same computation in doubles.
TEST_P(PackWeightsTest, Numbers) {
  const Product &product = GetParam();
  bool isPlain = product.layout == Layout::Plain;
  Tensor weights = isPlain ? makeTensor({product.k, product.n}, 5)
                           : makeTensor({product.n, product.k}, 5);
  Tensor input = makeTensor({product.m, product.k}, 6);
  mlir::MLIRContext context;
  CompileOptions options;
  options.target = getHostTarget(1);
  options.target.vectorBits = product.vectorBits;
  auto model = compileText(context, makeModel(product, weights), options);
  ASSERT_TRUE(bool(model)) << llvm::toString(model.takeError());
  auto result = run(*model, {input}, 2);
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  ASSERT_EQ(result->shape, (std::vector<int64_t>{product.m, product.n}));
  double worst = 0;
  for (int64_t i = 0; i < product.m; ++i)
    for (int64_t j = 0; j < product.n; ++j) {
      double sum = 0;
      for (int64_t l = 0; l < product.k; ++l)
        sum += double(input.values[i * product.k + l]) *
               weights.values[isPlain ? l * product.n + j : j * product.k + l];
      double error = sum - result->values[i * product.n + j];
      worst = std::isfinite(error) ? std::max(worst, std::abs(error)) : 1e9;
    }
  EXPECT_LT(worst, 1e-5);
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, PackWeightsTest,
    ::testing::Values(Product{77, 100, 197, Layout::Plain, false, 512},
                      Product{77, 100, 197, Layout::Columns, false, 512},
                      Product{77, 100, 197, Layout::Transposed, false, 512},
                      Product{77, 100, 197, Layout::Transposed, false, 256},
                      Product{77, 100, 197, Layout::Columns, false, 128},
                      Product{13, 33, 1000, Layout::Plain, true, 512},
                      Product{1, 64, 100, Layout::Columns, true, 512},
                      Product{1, 64, 100, Layout::Plain, false, 512},
                      Product{8, 16, 33, Layout::Plain, false, 256},
                      Product{8, 16, 32, Layout::Plain, false, 512},
                      Product{8, 16, 5, Layout::Transposed, false, 512},
                      Product{2, 3, 1, Layout::Transposed, false, 512}));

} // namespace
