//===- ResultCheckTest.cpp - Tests of checking results --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Optimize/ResultCheck.h"
#include "../Record/TestModel.h"
#include "gtest/gtest.h"

#include <cmath>
#include <limits>

using namespace mlirprof;
using namespace mlirprof::optimize;

using Results = std::vector<std::vector<HostTensor>>;

static constexpr float kInfinity = std::numeric_limits<float>::infinity();
static constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

static ResultCheck checkOne(const HostTensor &actual,
                            const HostTensor &expected,
                            double maxError = 1e-6) {
  return checkResults({{actual}}, {{expected}}, maxError);
}

static HostTensor bytesOf(const char *type, std::vector<char> bytes) {
  HostTensor tensor;
  tensor.elementType = type;
  tensor.bytesPerElement = 1;
  tensor.shape = {int64_t(bytes.size())};
  tensor.bytes = std::move(bytes);
  return tensor;
}

TEST(ResultCheck, Right) {
  ResultCheck check = checkOne(tensorOf({3}, {1, -8, 0}),
                               tensorOf({3}, {1, -8, 0}), /*maxError=*/0);
  EXPECT_TRUE(check.isRight()) << check.reason;
  EXPECT_EQ(check.error, 0);
}

TEST(ResultCheck, ErrorIsRelativeToTheLargest) {
  HostTensor expected = tensorOf({3}, {1, -8, 0});
  HostTensor actual = tensorOf({3}, {1, -8, 0.5f});
  ResultCheck check = checkOne(actual, expected, 0.1);
  EXPECT_TRUE(check.isRight());
  EXPECT_EQ(check.error, 0.0625);
  check = checkOne(actual, expected, 0.06);
  EXPECT_FALSE(check.isRight());
  EXPECT_EQ(check.error, 0.0625);
  EXPECT_EQ(check.reason, "result: an error of 6.25e-02 of the largest "
                          "element, where 6.00e-02 is allowed");
}

TEST(ResultCheck, TheWorstOfAll) {
  Results expected = {{tensorOf({1}, {8}), tensorOf({1}, {2})},
                      {tensorOf({1}, {4}), tensorOf({1}, {4})}};
  Results actual = expected;
  actual[0][1] = tensorOf({1}, {2.5f});
  actual[1][0] = tensorOf({1}, {4.5f});
  ResultCheck check = checkResults(actual, expected, 0.25);
  EXPECT_TRUE(check.isRight());
  EXPECT_EQ(check.error, 0.25);
  check = checkResults(actual, expected, 0.2);
  EXPECT_EQ(check.reason.find("result 1 of request 0: an error"), 0u)
      << check.reason;
}

TEST(ResultCheck, NotFinite) {
  for (float wrong : {kNaN, kInfinity}) {
    ResultCheck check = checkOne(tensorOf({2}, {1, wrong}),
                                 tensorOf({2}, {1, 2}), /*maxError=*/1e30);
    EXPECT_EQ(check.reason, "result: 1 of 2 elements are not finite");
  }
  EXPECT_TRUE(checkOne(tensorOf({3}, {1, kNaN, -kInfinity}),
                       tensorOf({3}, {1, kNaN, -kInfinity}))
                  .isRight());
  EXPECT_FALSE(
      checkOne(tensorOf({1}, {3}), tensorOf({1}, {kNaN}), 1e30).isRight());
  EXPECT_FALSE(
      checkOne(tensorOf({1}, {-kInfinity}), tensorOf({1}, {kInfinity}), 1e30)
          .isRight());
}

TEST(ResultCheck, ShapesAndTypes) {
  EXPECT_EQ(checkOne(tensorOf({2, 1}, {1, 2}), tensorOf({2}, {1, 2})).reason,
            "result: is a tensor<2x1xf32> instead of a tensor<2xf32>");
  HostTensor other = tensorOf({2}, {1, 2});
  other.elementType = "i32";
  EXPECT_FALSE(checkOne(other, tensorOf({2}, {1, 2})).isRight());
  EXPECT_FALSE(checkResults({{}}, {{tensorOf({1}, {1})}}, 1).isRight());
  EXPECT_FALSE(checkResults({}, {{tensorOf({1}, {1})}}, 1).isRight());
}

TEST(ResultCheck, IntegersAreEqual) {
  for (const char *type : {"i8", "ui8", "si8"}) {
    EXPECT_TRUE(checkOne(bytesOf(type, {1, 100}), bytesOf(type, {1, 100}), 0)
                    .isRight());
    ResultCheck check =
        checkOne(bytesOf(type, {1, 101}), bytesOf(type, {1, 100}), 1);
    EXPECT_EQ(check.reason, "result: 1 of 2 integers differ, by up to 1");
  }
}

TEST(ResultCheck, UnknownTypesAreTheSameBits) {
  EXPECT_TRUE(checkOne(bytesOf("f8E5M2", {1, 2}), bytesOf("f8E5M2", {1, 2}), 0)
                  .isRight());
  EXPECT_FALSE(checkOne(bytesOf("f8E5M2", {1, 3}), bytesOf("f8E5M2", {1, 2}), 1)
                   .isRight());
}

TEST(SpeedCheck, AbovePeak) {
  EXPECT_EQ(checkSpeed(1e-3, 1e8, 1.5e11), "");
  EXPECT_NE(checkSpeed(1e-3, 1e9, 1.5e11)
                .find("1000.0 Gop/s, which is more "
                      "than the 150.0"),
            std::string::npos);
  EXPECT_NE(checkSpeed(1e-3, 1e9, 1.5e11, 4), "");
  EXPECT_EQ(checkSpeed(2e-3, 1e9, 1.5e11, 4), "");
  // A peak that nobody measured.
  EXPECT_EQ(checkSpeed(1e-3, 1e9, 0), "");
  EXPECT_NE(checkSpeed(0, 1e9, 0), "");
  EXPECT_NE(checkSpeed(std::nan(""), 1e9, 0), "");
}
