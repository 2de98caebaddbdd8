//===- WinogradTest.cpp - Convolutions with fewer multiplications ---------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Codegen/Winograd/CookToom.h"
#include "../Compile/JitModel.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "gtest/gtest.h"

#include <cmath>

using namespace mlirprof;
using namespace mlirprof::codegen;
using namespace mlirprof::compile;
using namespace mlirprof::test;

namespace {

/// The largest difference between F(m, 3) and a plain convolution.
double getDifference(const CookToom &transform) {
  std::vector<double> taps = {0.75, -2, 3.5}, input, products;
  for (unsigned i = 0; i < transform.products; ++i)
    input.push_back(i * i % 7 - 2.5);
  for (unsigned i = 0; i < transform.products; ++i) {
    double g = 0, d = 0;
    for (unsigned k = 0; k < 3; ++k)
      g += transform.filter.at(i, k) * taps[k];
    for (unsigned k = 0; k < transform.products; ++k)
      d += transform.input.at(i, k) * input[k];
    products.push_back(g * d);
  }
  double worst = 0;
  for (unsigned i = 0; i < transform.outputs; ++i) {
    double sum = 0, expected = 0;
    for (unsigned k = 0; k < transform.products; ++k)
      sum += transform.output.at(i, k) * products[k];
    for (unsigned k = 0; k < 3; ++k)
      expected += taps[k] * input[i + k];
    worst = std::max(worst, std::abs(sum - expected));
  }
  return worst;
}

TEST(CookToomTest, IsAConvolution) {
  EXPECT_LT(getDifference(getCookToom(2)), 1e-13);
  EXPECT_LT(getDifference(getCookToom(4)), 1e-13);
  EXPECT_LT(getDifference(makeCookToom({0, 1, -1, 2, -2, 3}, 3)), 1e-10);
  EXPECT_EQ(getCookToom(4).products, 6u);
}

struct Image {
  int64_t batch, height, width, channels, filters;
  /// Weights as filter, row, column, channel instead of the filter last.
  bool filterFirst;
  double maxError;
  /// Weights per channel and filter after the transform, which show the
  /// algorithm used.
  unsigned places;
};

class WinogradTest : public ::testing::TestWithParam<Image> {};

Tensor makeWeights(const Image &image) {
  return image.filterFirst
             ? makeTensor({image.filters, 3, 3, image.channels}, 7)
             : makeTensor({3, 3, image.channels, image.filters}, 7);
}

Tensor makeInput(const Image &image) {
  return makeTensor({image.batch, image.height, image.width, image.channels},
                    8);
}

/// The terms that a layer adds to a convolution before its activation.
struct Layer {
  Tensor bias, other;
};

/// The code from a convolution to the result, which may take the memory of
/// another sum.
std::string makeLayer(const std::string &type, int64_t filters) {
  return llvm::formatv(
      "  %o = linalg.add ins(%y, %y : {0}, {0}) outs(%e : {0}) -> {0}\n"
      "  %l = linalg.generic {{indexing_maps = [#i, #c, #i, #i], "
      "iterator_types "
      "= [\"parallel\", \"parallel\", \"parallel\", \"parallel\"]}\n"
      "    ins(%r, %k, %o : {0}, tensor<{1}xf32>, {0}) outs(%e : {0}) {{\n"
      "  ^bb0(%s: f32, %t: f32, %u: f32, %out: f32):\n"
      "    %0 = arith.addf %s, %t : f32\n    %1 = arith.addf %0, %u : f32\n"
      "    %2 = arith.maximumf %1, %zero : f32\n    linalg.yield %2 : f32\n"
      "  } -> {0}\n  return %l : {0}\n}\n",
      type, filters);
}

std::string makeModel(const Image &image, const Tensor &weights,
                      const Layer *layer = nullptr) {
  std::string in = llvm::formatv("tensor<{0}x{1}x{2}x{3}xf32>", image.batch,
                                 image.height, image.width, image.channels);
  std::string padded =
      llvm::formatv("tensor<{0}x{1}x{2}x{3}xf32>", image.batch,
                    image.height + 2, image.width + 2, image.channels);
  std::string out = llvm::formatv("tensor<{0}x{1}x{2}x{3}xf32>", image.batch,
                                  image.height, image.width, image.filters);
  std::string filter = image.filterFirst
                           ? llvm::formatv("tensor<{1}x3x3x{0}xf32>",
                                           image.channels, image.filters)
                                 .str()
                           : llvm::formatv("tensor<3x3x{0}x{1}xf32>",
                                           image.channels, image.filters)
                                 .str();
  llvm::StringRef bytes(reinterpret_cast<const char *>(weights.values.data()),
                        weights.values.size() * sizeof(float));
  return llvm::formatv(
      "#i = affine_map<(n, h, w, c) -> (n, h, w, c)>\n"
      "#c = affine_map<(n, h, w, c) -> (c)>\n"
      "func.func @main(%x: {0}{6}) -> {2} {{\n"
      "  %zero = arith.constant 0.0 : f32\n"
      "  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {{\n"
      "  ^bb0(%a: index, %b: index, %c: index, %d: index):\n"
      "    tensor.yield %zero : f32\n  } : {0} to {1}\n"
      "  %e = tensor.empty() : {2}\n"
      "  %f = linalg.fill ins(%zero : f32) outs(%e : {2}) -> {2}\n"
      "  %w = arith.constant dense<\"0x{4}\"> : {3}\n"
      "  %r = linalg.conv_2d_nhwc_{5} ins(%p, %w : {1}, {3}) outs(%f : {2}) -> "
      "{2}\n{7}",
      in, padded, out, filter, llvm::toHex(bytes),
      image.filterFirst ? "fhwc" : "hwcf",
      layer
          ? llvm::formatv(", %k: tensor<{0}xf32>, %y: {1}", image.filters, out)
                .str()
          : "",
      layer ? makeLayer(out, image.filters) : "  return %r : " + out + "\n}\n");
}

/// The largest error, relative to the largest result.
double getError(const Image &image, const Tensor &x, const Tensor &weights,
                const Tensor &result, const Layer *layer = nullptr) {
  double worst = 0, largest = 0;
  size_t at = 0;
  auto isInside = [](int64_t i, int64_t size) { return i >= 0 && i < size; };
  for (int64_t n = 0; n < image.batch; ++n)
    for (int64_t i = 0; i < image.height; ++i)
      for (int64_t j = 0; j < image.width; ++j)
        for (int64_t f = 0; f < image.filters; ++f, ++at) {
          double sum = 0;
          for (int64_t a = 0; a < 3; ++a)
            for (int64_t b = 0; b < 3; ++b)
              for (int64_t c = 0; c < image.channels; ++c) {
                int64_t row = i + a - 1, column = j + b - 1;
                if (!isInside(row, image.height) ||
                    !isInside(column, image.width))
                  continue;
                int64_t pixel = (n * image.height + row) * image.width + column;
                int64_t tap =
                    image.filterFirst
                        ? ((f * 3 + a) * 3 + b) * image.channels + c
                        : ((a * 3 + b) * image.channels + c) * image.filters +
                              f;
                sum += double(x.values[pixel * image.channels + c]) *
                       weights.values[tap];
              }
          if (layer)
            sum = std::max(sum + layer->bias.values[f] +
                               2.0 * layer->other.values[at],
                           0.0);
          double error = sum - result.values[at];
          worst = std::isfinite(error) ? std::max(worst, std::abs(error)) : 1e9;
          largest = std::max(largest, std::abs(sum));
        }
  return worst / largest;
}

TEST_P(WinogradTest, Numbers) {
  const Image &image = GetParam();
  Tensor weights = makeWeights(image);
  Tensor x = makeInput(image);
  mlir::MLIRContext context;
  CompileOptions options;
  options.target = getHostTarget(1);
  options.target.vectorBits = 512;
  options.maxError = image.maxError;
  auto model = compileText(context, makeModel(image, weights), options);
  ASSERT_TRUE(bool(model)) << llvm::toString(model.takeError());
  // The transformed weights are in panels of 32 filters.
  bool isTransformed = image.places != 9;
  int64_t filters =
      isTransformed ? llvm::alignTo(image.filters, 32) : image.filters;
  uint64_t largest = 0;
  for (const ExternalConstant &constant : model->constants)
    largest = std::max<uint64_t>(largest, constant.bytes.size());
  EXPECT_EQ(largest, image.places * image.channels * filters * sizeof(float));
  auto result = run(*model, {x}, 4);
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  EXPECT_LT(getError(image, x, weights, *result),
            std::max(image.maxError, 1e-6));
}

TEST_P(WinogradTest, NarrowVectors) {
  const Image &image = GetParam();
  Tensor weights = makeWeights(image);
  Tensor x = makeInput(image);
  for (unsigned bits : {128, 256}) {
    mlir::MLIRContext context;
    CompileOptions options;
    options.target = getNarrowTarget(bits);
    options.maxError = image.maxError;
    auto model = compileText(context, makeModel(image, weights), options);
    ASSERT_TRUE(bool(model)) << llvm::toString(model.takeError());
    auto result = run(*model, {x}, 4);
    ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
    EXPECT_LT(getError(image, x, weights, *result),
              std::max(image.maxError, 1e-6));
  }
}

TEST_P(WinogradTest, WholeLayers) {
  const Image &image = GetParam();
  Tensor weights = makeWeights(image);
  Tensor x = makeInput(image);
  Layer layer{
      makeTensor({image.filters}, 9),
      makeTensor({image.batch, image.height, image.width, image.filters}, 10)};
  for (const char *pipeline : {"default", "single-function"})
    for (unsigned bits : {128, 512}) {
      mlir::MLIRContext context;
      CompileOptions options;
      options.pipeline = pipeline;
      options.target = bits == 512 ? getHostTarget(1) : getNarrowTarget(bits);
      options.maxError = image.maxError;
      auto model =
          compileText(context, makeModel(image, weights, &layer), options);
      ASSERT_TRUE(bool(model)) << llvm::toString(model.takeError());
      auto result = run(*model, {x, layer.bias, layer.other}, 4);
      ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
      EXPECT_LT(getError(image, x, weights, *result, &layer),
                std::max(image.maxError, 1e-6))
          << pipeline << ", " << bits;
    }
}

/// A module for other tools: it parses where only MLIR's own dialects are.
TEST_P(WinogradTest, PreparedModelsAreOfStockDialects) {
  const Image &image = GetParam();
  Tensor weights = makeWeights(image);
  for (const char *pipeline : {"default", "single-function"}) {
    mlir::DialectRegistry stock;
    mlir::registerAllDialects(stock);
    mlir::MLIRContext context(stock);
    CompileOptions options;
    options.pipeline = pipeline;
    options.maxError = image.maxError;
    options.identities = false;
    auto prepared = prepareModel(mlir::parseSourceString<mlir::ModuleOp>(
                                     makeModel(image, weights), &context),
                                 options, StageForm::Prepared);
    ASSERT_TRUE(bool(prepared)) << llvm::toString(prepared.takeError());
    std::string text;
    llvm::raw_string_ostream(text) << **prepared;
    mlir::MLIRContext other(stock);
    EXPECT_TRUE(mlir::parseSourceString<mlir::ModuleOp>(text, &other))
        << pipeline;
    bool isTransformed = image.places != 9;
    EXPECT_EQ(text.find("linalg.conv") == std::string::npos, isTransformed);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, WinogradTest,
    ::testing::Values(Image{1, 8, 12, 32, 32, false, 2e-6, 36},
                      Image{2, 7, 9, 16, 48, false, 2e-6, 36},
                      Image{1, 14, 14, 16, 32, true, 2e-6, 36},
                      Image{1, 9, 6, 20, 36, false, 2e-6, 36},
                      Image{1, 7, 8, 64, 32, false, 1e-6, 16},
                      Image{1, 8, 8, 32, 32, false, 0, 9}));

} // namespace
