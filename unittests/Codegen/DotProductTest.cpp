//===- DotProductTest.cpp - Products of bytes and bf16 --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Compile/JitModel.h"
#include "mlir-prof/Codegen/Passes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

#include <cmath>

using namespace mlirprof;
using namespace mlirprof::codegen;
using namespace mlirprof::compile;
using namespace mlirprof::test;

namespace {

/// The features of this machine to use: all of them, or fewer.
enum class Machine { All, Short, NoDots, NoFeatures };

struct Bytes {
  int64_t m, k, n;
  bool isLeftSigned, isRightSigned;
  /// Whether the number of rows is dynamic, weights are stored by columns, and
  /// the result is initialized with something other than zero.
  bool isDynamic, isTurned, isAdded;
};

/// Numbers that include all extremes.
std::vector<double> makeBytes(int64_t count, bool isSigned, uint32_t seed) {
  const double extremes[] = {isSigned ? -128. : 255., isSigned ? 127. : 0.,
                             isSigned ? -128. : 255.};
  std::vector<double> values;
  for (int64_t i = 0; i < count; ++i) {
    seed = seed * 1664525u + 1013904223u;
    double any = double(seed >> 24) - (isSigned ? 128 : 0);
    values.push_back((seed >> 8) % 2 ? any : extremes[(seed >> 10) % 3]);
  }
  return values;
}

std::string toHex(const std::vector<double> &bytes) {
  std::string text;
  for (double value : bytes)
    text.push_back(char(int(value)));
  return "0x" + llvm::toHex(text);
}

TargetModel getTarget(Machine machine) {
  TargetModel target = getHostTarget(1);
  auto remove = [&](llvm::StringRef name) {
    size_t at = target.features.find(("+" + name + ",").str());
    if (at != std::string::npos)
      target.features[at] = '-';
  };
  if (machine == Machine::Short)
    target.vectorBits = std::min(target.vectorBits, 256u);
  if (machine == Machine::NoDots)
    for (llvm::StringRef name : {"avx512vnni", "avxvnni", "avx512bf16"})
      remove(name);
  if (machine == Machine::NoFeatures) {
    target.features = "";
    target.vectorBits = 128;
    target.vectorRegisters = 16;
  }
  return target;
}

std::string getModel(const Bytes &product, const std::string &weights) {
  std::string m = product.isDynamic ? "?" : std::to_string(product.m);
  std::string left = llvm::formatv("tensor<{0}x{1}xi8>", m, product.k);
  std::string right =
      product.isTurned
          ? llvm::formatv("tensor<{0}x{1}xi8>", product.n, product.k)
          : llvm::formatv("tensor<{0}x{1}xi8>", product.k, product.n);
  std::string out = llvm::formatv("tensor<{0}x{1}xi32>", m, product.n);
  std::string text = llvm::formatv(
      "func.func @main(%a: {0}, %c: {1}) -> {1} {{\n"
      "  %zero = arith.constant 0 : i32\n"
      "  %w = arith.constant dense<\"{2}\"> : {3}\n"
      "  %f = linalg.fill ins(%zero : i32) outs(%c : {1}) -> {1}\n",
      left, out, weights, right);
  text += llvm::formatv(
      "  %p = linalg.generic {{indexing_maps = [affine_map<(m, n, k) -> (m, "
      "k)>, affine_map<(m, n, k) -> ({0})>, affine_map<(m, n, k) -> (m, n)>], "
      "iterator_types = [\"parallel\", \"parallel\", \"reduction\"]} "
      "ins(%a, %w : {1}, {2}) outs({3} : {4}) {{\n"
      "  ^bb0(%x: i8, %y: i8, %s: i32):\n"
      "    %0 = arith.{5} %x : i8 to i32\n"
      "    %1 = arith.{6} %y : i8 to i32\n"
      "    %2 = arith.muli %0, %1 : i32\n"
      "    %3 = arith.addi %s, %2 : i32\n"
      "    linalg.yield %3 : i32\n  } -> {4}\n"
      "  return %p : {4}\n}\n",
      product.isTurned ? "n, k" : "k, n", left, right,
      product.isAdded ? "%c" : "%f", out,
      product.isLeftSigned ? "extsi" : "extui",
      product.isRightSigned ? "extsi" : "extui");
  return text;
}

/// The value as stored, and thus as returned.
double wrap(int64_t value) { return double(int32_t(uint32_t(value))); }

class BytesTest : public ::testing::TestWithParam<std::tuple<Bytes, Machine>> {
};

/// How many elements of the product differ when it is compiled by `pipeline`.
int64_t countWrong(const Bytes &product, Machine machine,
                   llvm::StringRef pipeline) {
  auto [m, k, n, isLeftSigned, isRightSigned, isDynamic, isTurned, isAdded] =
      product;
  TypedTensor left{"i8", {m, k}, makeBytes(m * k, isLeftSigned, 3)};
  TypedTensor start{"i32", {m, n}, makeBytes(m * n, true, 5)};
  // Sums that wrap around.
  for (double &value : start.values)
    value *= 16777216.;
  std::vector<double> right = makeBytes(k * n, isRightSigned, 4);
  mlir::MLIRContext context;
  CompileOptions options;
  options.target = getTarget(machine);
  options.pipeline = pipeline.str();
  auto model = compileText(context, getModel(product, toHex(right)), options);
  if (!model) {
    ADD_FAILURE() << llvm::toString(model.takeError());
    return -1;
  }
  auto results = run(*model, std::vector<TypedTensor>{left, start});
  if (!results) {
    ADD_FAILURE() << llvm::toString(results.takeError());
    return -1;
  }
  int64_t wrong = 0;
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      int64_t sum = isAdded ? int64_t(start.values[i * n + j]) : 0;
      for (int64_t l = 0; l < k; ++l)
        sum += int64_t(left.values[i * k + l]) *
               int64_t(right[isTurned ? j * k + l : l * n + j]);
      wrong += results->front().values[i * n + j] != wrap(sum);
    }
  return wrong;
}

TEST_P(BytesTest, AreExact) {
  auto [product, machine] = GetParam();
  EXPECT_EQ(countWrong(product, machine, "default"), 0);
}

// Grouped weights, flipped signs and the results' initial values are the same
// arithmetic, by whichever pipeline.
TEST_P(BytesTest, AreExactInGroupsByPlainLoops) {
  auto [product, machine] = GetParam();
  registerMLIRProfCodegenPasses();
  TargetModel target = getTarget(machine);
  std::string pipeline =
      "builtin.module(cpu-group-weights{features=" + target.features + "})";
  EXPECT_EQ(countWrong(product, machine, pipeline), 0);
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, BytesTest,
    ::testing::Combine(
        ::testing::Values(Bytes{77, 100, 197, true, true, false, false, false},
                          Bytes{77, 101, 197, true, true, false, false, true},
                          Bytes{9, 33, 100, false, true, false, false, false},
                          Bytes{9, 34, 48, true, false, false, true, false},
                          Bytes{13, 35, 77, false, false, false, false, false},
                          Bytes{8, 64, 1000, false, false, true, true, true},
                          Bytes{31, 333, 64, true, true, true, false, false},
                          Bytes{1, 197, 100, true, true, false, true, false},
                          Bytes{1, 3, 2, true, true, true, false, true},
                          Bytes{16, 1, 5, true, true, false, false, false},
                          Bytes{5, 7, 1, true, true, false, false, false}),
        ::testing::Values(Machine::All, Machine::Short, Machine::NoDots,
                          Machine::NoFeatures)));

//===----------------------------------------------------------------------===//
// Convolutions and batches
//===----------------------------------------------------------------------===//

/// The number of columns is known from the filter only, which loses it when
/// grouped.
TEST(ConvolutionOfBytes, WithUnknownColumns) {
  const int64_t c = 8, f = 16;
  std::vector<double> filter = makeBytes(9 * c * f, true, 8);
  std::string text = llvm::formatv(
      "func.func @main(%a: tensor<1x6x6x8xi8>, %o: tensor<1x4x4x?xi32>) -> "
      "tensor<1x4x4x?xi32> {{\n"
      "  %k = arith.constant dense<\"{0}\"> : tensor<3x3x8x16xi8>\n"
      "  %r = linalg.conv_2d_nhwc_hwcf ins(%a, %k : tensor<1x6x6x8xi8>, "
      "tensor<3x3x8x16xi8>) outs(%o : tensor<1x4x4x?xi32>) -> "
      "tensor<1x4x4x?xi32>\n  return %r : tensor<1x4x4x?xi32>\n}\n",
      toHex(filter));
  TypedTensor image{"i8", {1, 6, 6, c}, makeBytes(6 * 6 * c, true, 9)};
  TypedTensor start{"i32", {1, 4, 4, f}, makeBytes(4 * 4 * f, true, 5)};
  mlir::MLIRContext context;
  CompileOptions options;
  options.target = getHostTarget(1);
  auto model = compileText(context, text, options);
  ASSERT_TRUE(bool(model)) << llvm::toString(model.takeError());
  auto results = run(*model, std::vector<TypedTensor>{image, start});
  ASSERT_TRUE(bool(results)) << llvm::toString(results.takeError());
  int64_t wrong = 0;
  for (int64_t at = 0; at < 4 * 4 * f; ++at) {
    int64_t y = at / f / 4, x = at / f % 4, o = at % f;
    double sum = start.values[at];
    for (int64_t i = 0; i < 9 * c; ++i)
      sum += image.values[((y + i / c / 3) * 6 + x + i / c % 3) * c + i % c] *
             filter[i * f + o];
    wrong += results->front().values[at] != sum;
  }
  EXPECT_EQ(wrong, 0);
}

class ConvolutionOfBytesTest : public ::testing::TestWithParam<Machine> {};

TEST_P(ConvolutionOfBytesTest, IsExact) {
  const int64_t h = 9, w = 12, c = 10, f = 33, s = 2;
  const int64_t oh = (h - 3) / s + 1, ow = (w - 3) / s + 1;
  std::vector<double> filter = makeBytes(9 * c * f, true, 8);
  std::string out = llvm::formatv("tensor<2x{0}x{1}x{2}xi32>", oh, ow, f);
  std::string text = llvm::formatv(
      "func.func @main(%a: tensor<2x{0}x{1}x{2}xi8>) -> {3} {{\n"
      "  %zero = arith.constant 0 : i32\n"
      "  %k = arith.constant dense<\"{4}\"> : tensor<3x3x{2}x{5}xi8>\n"
      "  %e = tensor.empty() : {3}\n"
      "  %z = linalg.fill ins(%zero : i32) outs(%e : {3}) -> {3}\n",
      h, w, c, out, toHex(filter), f);
  text +=
      llvm::formatv("  %r = linalg.conv_2d_nhwc_hwcf {{strides = dense<{0}> : "
                    "tensor<2xi64>} ins(%a, %k : tensor<2x{1}x{2}x{3}xi8>, "
                    "tensor<3x3x{3}x{4}xi8>) outs(%z : {5}) -> {5}\n"
                    "  return %r : {5}\n}\n",
                    s, h, w, c, f, out);
  TypedTensor image{"i8", {2, h, w, c}, makeBytes(2 * h * w * c, true, 9)};
  mlir::MLIRContext context;
  CompileOptions options;
  options.target = getTarget(GetParam());
  auto model = compileText(context, text, options);
  ASSERT_TRUE(bool(model)) << llvm::toString(model.takeError());
  auto results = run(*model, std::vector<TypedTensor>{image});
  ASSERT_TRUE(bool(results)) << llvm::toString(results.takeError());
  int64_t wrong = 0, at = 0;
  for (int64_t b = 0; b < 2; ++b)
    for (int64_t y = 0; y < oh; ++y)
      for (int64_t x = 0; x < ow; ++x)
        for (int64_t o = 0; o < f; ++o) {
          double sum = 0;
          for (int64_t i = 0; i < 3 * 3 * c; ++i) {
            int64_t ky = i / c / 3, kx = i / c % 3, channel = i % c;
            sum += image.values[((b * h + y * s + ky) * w + x * s + kx) * c +
                                channel] *
                   filter[i * f + o];
          }
          wrong += results->front().values[at++] != sum;
        }
  EXPECT_EQ(wrong, 0);
}

INSTANTIATE_TEST_SUITE_P(Machines, ConvolutionOfBytesTest,
                         ::testing::Values(Machine::All, Machine::Short,
                                           Machine::NoDots,
                                           Machine::NoFeatures));

//===----------------------------------------------------------------------===//
// bf16
//===----------------------------------------------------------------------===//

struct Halves {
  int64_t batch, m, k, n;
  double maxError;
};

class HalvesTest
    : public ::testing::TestWithParam<std::tuple<Halves, Machine>> {};

/// Multiples of 2^-7 in (-1, 1), which are exact in bf16; and the same as bf16.
std::vector<double> makeHalves(int64_t count, uint32_t seed) {
  std::vector<double> values = makeBytes(count, true, seed);
  for (double &value : values)
    value /= 128;
  return values;
}

std::string toHalfHex(const std::vector<double> &values) {
  std::string text;
  for (double value : values) {
    float number = float(value);
    uint32_t bits;
    std::memcpy(&bits, &number, 4);
    text.push_back(char(bits >> 16));
    text.push_back(char(bits >> 24));
  }
  return "0x" + llvm::toHex(text);
}

/// Products of multiples of 2^-7 have 14 bits after the point, and sums of less
/// than 512 of them fit a float: they are exact in any order.
TEST_P(HalvesTest, AreExactWhereFloatsAre) {
  auto [product, machine] = GetParam();
  auto [batch, m, k, n, maxError] = product;
  TypedTensor left{"bf16", {batch, m, k}, makeHalves(batch * m * k, 3)};
  std::vector<double> right = makeHalves(batch * k * n, 4);
  std::string text = llvm::formatv(
      "func.func @main(%a: tensor<{0}x{1}x{2}xbf16>) -> "
      "tensor<{0}x{1}x{3}xf32> {{\n"
      "  %zero = arith.constant 0.0 : f32\n"
      "  %w = arith.constant dense<\"{4}\"> : tensor<{0}x{2}x{3}xbf16>\n"
      "  %e = tensor.empty() : tensor<{0}x{1}x{3}xf32>\n"
      "  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<{0}x{1}x{3}xf32>) "
      "-> tensor<{0}x{1}x{3}xf32>\n",
      batch, m, k, n, toHalfHex(right));
  text += llvm::formatv(
      "  %p = linalg.batch_matmul ins(%a, %w : tensor<{0}x{1}x{2}xbf16>, "
      "tensor<{0}x{2}x{3}xbf16>) outs(%f : tensor<{0}x{1}x{3}xf32>) -> "
      "tensor<{0}x{1}x{3}xf32>\n"
      "  return %p : tensor<{0}x{1}x{3}xf32>\n}\n",
      batch, m, k, n);
  mlir::MLIRContext context;
  CompileOptions options;
  options.target = getTarget(machine);
  options.maxError = maxError;
  auto model = compileText(context, text, options);
  ASSERT_TRUE(bool(model)) << llvm::toString(model.takeError());
  auto results = run(*model, std::vector<TypedTensor>{left});
  ASSERT_TRUE(bool(results)) << llvm::toString(results.takeError());
  int64_t wrong = 0;
  for (int64_t b = 0; b < batch; ++b)
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        double sum = 0;
        for (int64_t l = 0; l < k; ++l)
          sum += left.values[(b * m + i) * k + l] * right[(b * k + l) * n + j];
        wrong += results->front().values[(b * m + i) * n + j] != sum;
      }
  EXPECT_EQ(wrong, 0);
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, HalvesTest,
    ::testing::Combine(::testing::Values(Halves{1, 77, 100, 197, 2e-6},
                                         Halves{3, 9, 33, 100, 2e-6},
                                         Halves{2, 1, 197, 77, 2e-6},
                                         Halves{2, 8, 1, 5, 2e-6},
                                         Halves{2, 13, 77, 50, 0}),
                       ::testing::Values(Machine::All, Machine::Short,
                                         Machine::NoDots,
                                         Machine::NoFeatures)));

} // namespace
