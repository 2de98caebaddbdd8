//===- TosaOpsTest.cpp - Tosa ops against their specification -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expected results are computed in integers by the pseudocode of the TOSA
// specification 1.0.
//
//===----------------------------------------------------------------------===//

#include "JitModel.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

#include <functional>

using namespace mlirprof;
using namespace mlirprof::test;

namespace {

class TosaOpsTest : public ::testing::TestWithParam<std::string> {
protected:
  /// The first result of `text`, compiled by the pipeline of this test.
  std::vector<double> compute(llvm::StringRef text,
                              const std::vector<TypedTensor> &arguments) {
    auto results = test::compute(GetParam(), text, arguments);
    return results.empty() ? std::vector<double>() : results.front().values;
  }

  static TypedTensor makeTensor(const char *element, std::vector<int64_t> shape,
                                std::function<int64_t(int64_t)> value) {
    TypedTensor tensor{element, std::move(shape), {}};
    int64_t count = 1;
    for (int64_t size : tensor.shape)
      count *= size;
    for (int64_t i = 0; i < count; ++i)
      tensor.values.push_back(double(value(i)));
    return tensor;
  }
};

/// apply_scale_32 of the specification.
int64_t applyScale(int64_t value, int64_t multiplier, int64_t shift,
                   bool isDouble) {
  int64_t round = int64_t(1) << (shift - 1);
  if (isDouble && shift > 31)
    round += value >= 0 ? int64_t(1) << 30 : -(int64_t(1) << 30);
  return (value * multiplier + round) >> shift;
}

constexpr int64_t kMultipliers[] = {1073754169, 2147483647, 1518500250},
                  kShifts[] = {38, 36, 34};

// Each input pixel adds its product with the filter to the result; a filter of
// 3x2 is not a multiple of the stride of 2x3.
TEST_P(TosaOpsTest, TransposedConvolutionsOfSixteenByEightBits) {
  TypedTensor input = makeTensor(
      "i16", {2, 3, 4, 2}, [](int64_t i) { return (i * 7919) % 6001 - 3000; });
  TypedTensor filter = makeTensor(
      "i8", {3, 3, 2, 2}, [](int64_t i) { return (i * 53) % 255 - 127; });
  for (int64_t zero : {0, 3}) {
    std::vector<double> actual = compute(
        R"(func.func @main(%x: tensor<2x3x4x2xi16>, %w: tensor<3x3x2x2xi8>) -> tensor<2x7x10x3xi32> {
  %b = "tosa.const"() {values = dense<[5, -7, 90]> : tensor<3xi48>} : () -> tensor<3xi48>
  %xz = "tosa.const"() {values = dense<0> : tensor<1xi16>} : () -> tensor<1xi16>
  %wz = "tosa.const"() {values = dense<)" +
            std::to_string(zero) + R"(> : tensor<1xi8>} : () -> tensor<1xi8>
  %r = tosa.transpose_conv2d %x, %w, %b, %xz, %wz {acc_type = i48, out_pad = array<i64: -1, 1, 0, -1>, stride = array<i64: 2, 3>} : (tensor<2x3x4x2xi16>, tensor<3x3x2x2xi8>, tensor<3xi48>, tensor<1xi16>, tensor<1xi8>) -> tensor<2x7x10x3xi48>
  %c = tosa.cast %r : (tensor<2x7x10x3xi48>) -> tensor<2x7x10x3xi32>
  return %c : tensor<2x7x10x3xi32>
})",
        {input, filter});
    ASSERT_EQ(actual.size(), size_t(2 * 7 * 10 * 3));
    std::vector<double> expected;
    for (int64_t i = 0; i < 2 * 7 * 10; ++i)
      expected.insert(expected.end(), {5, -7, 90});
    for (int64_t i = 0; i < 2 * 3 * 4 * 3 * 3 * 2 * 2; ++i) {
      int64_t in = i % 2, kx = i / 2 % 2, ky = i / 4 % 3, out = i / 12 % 3;
      int64_t x = i / 36 % 4, y = i / 144 % 3, image = i / 432;
      int64_t ox = x * 3 + kx, oy = y * 2 - 1 + ky;
      if (oy < 0 || oy >= 7 || ox >= 10)
        continue;
      expected[((image * 7 + oy) * 10 + ox) * 3 + out] +=
          input.values[((image * 3 + y) * 4 + x) * 2 + in] *
          (filter.values[((out * 3 + ky) * 2 + kx) * 2 + in] - double(zero));
    }
    EXPECT_EQ(actual, expected) << zero;
  }
}

TEST_P(TosaOpsTest, RescalesRoundOnceAndTwice) {
  TypedTensor input = makeTensor("i32", {41, 3}, [](int64_t i) {
    return (i - 61) * 977 + i * i * (i % 2 ? 3 : -3);
  });
  for (bool isDouble : {false, true}) {
    std::string mode = isDouble ? "DOUBLE_ROUND" : "SINGLE_ROUND";
    std::vector<double> actual = compute(
        R"(func.func @main(%a: tensor<41x3xi32>) -> tensor<41x3xi8> {
  %m = "tosa.const"() {values = dense<[1073754169, 2147483647, 1518500250]> : tensor<3xi32>} : () -> tensor<3xi32>
  %s = "tosa.const"() {values = dense<[38, 36, 34]> : tensor<3xi8>} : () -> tensor<3xi8>
  %iz = "tosa.const"() {values = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>
  %oz = "tosa.const"() {values = dense<-7> : tensor<1xi8>} : () -> tensor<1xi8>
  %r = tosa.rescale %a, %m, %s, %iz, %oz {input_unsigned = false, output_unsigned = false, per_channel = true, rounding_mode = )" +
            mode +
            R"(, scale32 = true} : (tensor<41x3xi32>, tensor<3xi32>, tensor<3xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<41x3xi8>
  return %r : tensor<41x3xi8>
})",
        {input});
    ASSERT_EQ(actual.size(), input.values.size()) << mode;
    for (size_t i = 0; i < actual.size(); ++i) {
      int64_t scaled = applyScale(int64_t(input.values[i]), kMultipliers[i % 3],
                                  kShifts[i % 3], isDouble);
      EXPECT_EQ(actual[i], double(std::clamp<int64_t>(scaled - 7, -128, 127)))
          << mode << " of " << input.values[i];
    }
  }
}

TEST_P(TosaOpsTest, ProductsShiftWithRounding) {
  TypedTensor a = makeTensor("i32", {3, 1, 5},
                             [](int64_t i) { return (i - 7) * 40009; }),
              b = makeTensor("i32", {1, 4, 1},
                             [](int64_t i) { return (2 * i - 3) * 30011; });
  std::vector<double> actual = compute(
      R"(func.func @main(%a: tensor<3x1x5xi32>, %b: tensor<1x4x1xi32>) -> tensor<3x4x5xi32> {
  %s = "tosa.const"() {values = dense<5> : tensor<1xi8>} : () -> tensor<1xi8>
  %r = tosa.mul %a, %b, %s : (tensor<3x1x5xi32>, tensor<1x4x1xi32>, tensor<1xi8>) -> tensor<3x4x5xi32>
  return %r : tensor<3x4x5xi32>
})",
      {a, b});
  ASSERT_EQ(actual.size(), 60u);
  for (int64_t i = 0; i < 60; ++i) {
    int64_t product =
        int64_t(a.values[i / 20 * 5 + i % 5]) * int64_t(b.values[i / 5 % 4]);
    EXPECT_EQ(actual[i], double((product + 16) >> 5)) << i;
  }
}

TEST_P(TosaOpsTest, ScatterWritesRows) {
  TypedTensor values =
                  makeTensor("i16", {2, 6, 4}, [](int64_t i) { return i; }),
              rows{"i32", {2, 3}, {5, 0, 2, 1, 4, 3}},
              input = makeTensor("i16", {2, 3, 4},
                                 [](int64_t i) { return 100 + i; });
  std::vector<double> actual = compute(
      R"(func.func @main(%a: tensor<2x6x4xi16>, %i: tensor<2x3xi32>, %v: tensor<2x3x4xi16>) -> tensor<2x6x4xi16> {
  %r = tosa.scatter %a, %i, %v : (tensor<2x6x4xi16>, tensor<2x3xi32>, tensor<2x3x4xi16>) -> tensor<2x6x4xi16>
  return %r : tensor<2x6x4xi16>
})",
      {values, rows, input});
  std::vector<double> expected = values.values;
  for (int64_t n = 0; n < 2; ++n)
    for (int64_t w = 0; w < 3; ++w)
      for (int64_t c = 0; c < 4; ++c)
        expected[(n * 6 + int64_t(rows.values[n * 3 + w])) * 4 + c] =
            input.values[(n * 3 + w) * 4 + c];
  EXPECT_EQ(actual, expected);
}

// The first row and column begin before the input, where floor and rounding
// toward zero differ.
TEST_P(TosaOpsTest, ResizesOfIntegersMayBeginBeforeTheInput) {
  constexpr int64_t kSize = 3, kResult = 5, kUp = 4, kDown = 2, kOffset = -1;
  TypedTensor input = makeTensor("i8", {1, kSize, kSize, 1},
                                 [](int64_t i) { return i * 25 - 100; });
  std::vector<double> actual = compute(
      R"(func.func @main(%a: tensor<1x3x3x1xi8>) -> tensor<1x5x5x1xi32> {
  %s = tosa.const_shape {values = dense<[4, 2, 4, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %o = tosa.const_shape {values = dense<[-1, -1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %b = tosa.const_shape {values = dense<[-1, -1]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %r = tosa.resize %a, %s, %o, %b {mode = BILINEAR} : (tensor<1x3x3x1xi8>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x5x5x1xi32>
  return %r : tensor<1x5x5x1xi32>
})",
      {input});
  ASSERT_EQ(actual.size(), size_t(kResult * kResult));
  auto split = [&](int64_t at) {
    int64_t scaled = at * kDown + kOffset;
    int64_t first = scaled < 0 ? -1 : scaled / kUp;
    return std::tuple(std::max<int64_t>(first, 0),
                      std::min<int64_t>(first + 1, kSize - 1),
                      scaled - first * kUp);
  };
  for (int64_t i = 0; i < kResult * kResult; ++i) {
    auto [y0, y1, dy] = split(i / kResult);
    auto [x0, x1, dx] = split(i % kResult);
    auto at = [&, &values = input.values](int64_t y, int64_t x) {
      return int64_t(values[y * kSize + x]);
    };
    EXPECT_EQ(actual[i],
              double(at(y0, x0) * (kUp - dy) * (kUp - dx) +
                     at(y0, x1) * (kUp - dy) * dx +
                     at(y1, x0) * dy * (kUp - dx) + at(y1, x1) * dy * dx))
        << i;
  }
}

// The ops of an integer softmax; and a module attribute that LLVM does not
// support, a target.
TEST_P(TosaOpsTest, TablesAndLeadingZerosOfATarget) {
  TypedTensor table = makeTensor("i16", {513},
                                 [](int64_t i) { return i * i / 9 - 12000; }),
              index = makeTensor("i16", {37},
                                 [](int64_t i) { return i * 1771 - 32768; });
  std::vector<double> actual = compute(
      R"(module attributes {tosa.target_env = #tosa.target_env<specification_version = "1.0", level = none, profiles = [pro_int], extensions = [int16]>} {
func.func @main(%a: tensor<37xi16>, %t: tensor<513xi16>) -> tensor<37xi32> {
  %r = tosa.table %a, %t : (tensor<37xi16>, tensor<513xi16>) -> tensor<37xi32>
  %z = tosa.clz %r : (tensor<37xi32>) -> tensor<37xi32>
  %s = tosa.add %r, %z : (tensor<37xi32>, tensor<37xi32>) -> tensor<37xi32>
  return %s : tensor<37xi32>
}
})",
      {index, table});
  ASSERT_EQ(actual.size(), 37u);
  for (size_t i = 0; i < actual.size(); ++i) {
    int64_t shifted = int64_t(index.values[i]) + 32768;
    auto base = int64_t(table.values[shifted >> 7]),
         next = int64_t(table.values[(shifted >> 7) + 1]);
    int64_t value = base * 128 + (next - base) * (shifted & 127);
    int64_t zeros = 0;
    while (zeros < 32 && !(uint32_t(value) >> (31 - zeros) & 1))
      ++zeros;
    EXPECT_EQ(actual[i], double(value + zeros)) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Pipelines, TosaOpsTest,
                         ::testing::Values("naive", "default",
                                           "single-function"),
                         [](const auto &info) {
                           return llvm::join(llvm::split(info.param, '-'), "_");
                         });

} // namespace
