//===- InputsTest.cpp - Arguments and comparisons -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Record/Inputs.h"
#include "mlir-prof/Support/CompareTensors.h"
#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::record;

static ValueSignature value(llvm::StringRef name, llvm::StringRef type,
                            unsigned bytes, std::vector<int64_t> shape) {
  ValueSignature signature;
  signature.name = name.str();
  signature.elementType = type.str();
  signature.bytesPerElement = bytes;
  signature.shape = std::move(shape);
  return signature;
}

/// x: tensor<?x4xf32>, table: tensor<2x3xi64>, flag: i1.
static Signature makeSignature() {
  Signature signature;
  signature.arguments = {value("x", "f32", 4, {INT64_MIN, 4}),
                         value("table", "i64", 8, {2, 3}),
                         value("flag", "i1", 1, {})};
  signature.arguments.back().isScalar = true;
  return signature;
}

static llvm::Expected<std::vector<Arguments>>
make(std::vector<std::string> inputs, std::vector<std::string> shapes) {
  std::vector<InputSpec> inputSpecs;
  for (const std::string &text : inputs)
    inputSpecs.push_back(llvm::cantFail(parseInputSpec(text)));
  std::vector<ShapeSpec> shapeSpecs;
  for (const std::string &text : shapes)
    shapeSpecs.push_back(llvm::cantFail(parseShapeSpec(text)));
  return makeArguments(makeSignature(), inputSpecs, shapeSpecs);
}

static std::string refuse(std::vector<std::string> inputs,
                          std::vector<std::string> shapes) {
  auto made = make(std::move(inputs), std::move(shapes));
  return made ? "" : llvm::toString(made.takeError());
}

/// 2,500 by 4 floats and 6 integers of 8 bytes are 40,049 bytes with the flag,
/// a row of results is 16.
TEST(Inputs, SizesAreComparedWithMemoryFirst) {
  Signature signature = makeSignature();
  signature.results = {value("", "f32", 4, {1, 4})};
  auto shape = llvm::cantFail(parseShapeSpec("x=2500x4"));
  auto refuseWith = [&](uint64_t memory) {
    auto made = makeArguments(signature, {}, {shape}, memory);
    return made ? "" : llvm::toString(made.takeError());
  };
  EXPECT_EQ(refuseWith(40000 + 48 + 1 + 16), "");
  std::string error = refuseWith(40000 + 48 + 1 + 15);
  EXPECT_NE(error.find("argument 'x': "), std::string::npos) << error;
  EXPECT_NE(error.find("raise --max-memory"), std::string::npos) << error;
  // The test does not allocate 48 GiB twice on the way.
  EXPECT_NE(refuse({}, {"x=3221225472x4"}).find("of available memory"),
            std::string::npos);
  // Each request has its own shape.
  auto shapes = llvm::cantFail(parseShapeSpec("x=1500x4,1000x4"));
  auto made = makeArguments(signature, {}, {shapes}, 40000 + 2 * 65);
  EXPECT_TRUE(bool(made));
  made = makeArguments(signature, {}, {shapes}, 40000 + 2 * 65 - 1);
  EXPECT_FALSE(bool(made));
  llvm::consumeError(made.takeError());
}

TEST(Inputs, RandomNumbersAreTheSameEachTimeAndStayInRange) {
  auto one = llvm::cantFail(make({"x=random:7"}, {"x=5x4"}));
  auto two = llvm::cantFail(make({"0=random:7"}, {"5x4"}));
  auto other = llvm::cantFail(make({"x=random:8"}, {"x=5x4"}));
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0][0].bytes, two[0][0].bytes);
  EXPECT_NE(one[0][0].bytes, other[0][0].bytes);
  EXPECT_EQ(one[0][0].shape, (std::vector<int64_t>{5, 4}));
  double bound = std::sqrt(3.0 / 5.0), largest = 0;
  for (uint64_t i = 0; i < 20; ++i)
    largest = std::max(largest, std::fabs(*getElement(one[0][0], i)));
  EXPECT_LE(largest, bound);
  EXPECT_GT(largest, bound / 2);
  for (uint64_t i = 0; i < 6; ++i) {
    double index = *getElement(one[0][1], i);
    EXPECT_TRUE(index == 0 || index == 1) << index;
  }
}

TEST(Inputs, RangesAndZeros) {
  auto made =
      llvm::cantFail(make({"table=random:1:10:12", "x=zeros"}, {"x=2x4"}));
  bool low = false, high = false;
  for (uint64_t i = 0; i < 6; ++i) {
    double number = *getElement(made[0][1], i);
    low |= number == 10;
    high |= number == 11;
    EXPECT_TRUE(number == 10 || number == 11) << number;
  }
  EXPECT_TRUE(low && high);
  EXPECT_EQ(made[0][0].bytes, std::vector<char>(32, 0));
}

TEST(Inputs, RangesBeyondIntegersAreCut) {
  auto above = llvm::cantFail(make({"table=random:1:1e30:1e30"}, {"x=2x4"}));
  auto below = llvm::cantFail(make({"table=random:1:-1e30:-1e30"}, {"x=2x4"}));
  auto top = llvm::cantFail(make(
      {"table=random:1:9223372036854775808:9223372036854775808"}, {"x=2x4"}));
  for (uint64_t i = 0; i < 6; ++i) {
    uint64_t bits[3];
    std::memcpy(&bits[0], &above[0][1].bytes[8 * i], 8);
    std::memcpy(&bits[1], &below[0][1].bytes[8 * i], 8);
    std::memcpy(&bits[2], &top[0][1].bytes[8 * i], 8);
    EXPECT_EQ(bits[0], ~uint64_t(0));
    EXPECT_EQ(bits[1], uint64_t(1) << 63);
    EXPECT_EQ(bits[2], uint64_t(1) << 63);
  }
}

TEST(Inputs, ShapesTakeTurns) {
  auto made = llvm::cantFail(make({}, {"x=1x4,8x4,3x4"}));
  ASSERT_EQ(made.size(), 3u);
  EXPECT_EQ(made[1][0].shape, (std::vector<int64_t>{8, 4}));
  EXPECT_EQ(made[2][0].size(), 12u);
  // Arguments that do not vary are the same for all.
  EXPECT_EQ(made[0][1].bytes, made[2][1].bytes);
}

TEST(Inputs, ErrorsSayWhatToDo) {
  auto contains = [](const std::string &text, const char *part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(contains(refuse({}, {}), "--shape=x=DIMxDIM"));
  EXPECT_TRUE(contains(refuse({}, {"x=3x5"}),
                       "shape 3x5 does not fit argument 'x' of type "
                       "tensor<?x4xf32>"));
  EXPECT_TRUE(contains(refuse({}, {"x=3"}), "does not fit"));
  EXPECT_TRUE(contains(refuse({"y=zeros"}, {"x=1x4"}),
                       "the model does not have an argument 'y'"));
  EXPECT_TRUE(
      contains(refuse({"x=zeros", "0=zeros"}, {"x=1x4"}), "is given twice"));
  EXPECT_TRUE(contains(refuse({"zeros", "zeros", "zeros", "zeros"}, {"x=1x4"}),
                       "more arguments than the model has"));
  EXPECT_TRUE(contains(refuse({"x=/nowhere.npy"}, {}), "/nowhere.npy"));
  // Written by NumPy: int16.
  EXPECT_TRUE(contains(
      refuse({"x=" MLIRPROF_TEST_DIR "/data/fuzz/npy/fortran.npy"}, {}),
      "holds i16 where argument 'x' is tensor<?x4xf32>"));
  EXPECT_TRUE(contains(refuse({}, {"x=9223372036854775807x4"}), "would take"));
  for (const char *bad : {"x=", "x=random:a", "x=random:1:2", "x=random:1:5:2",
                          "x=random:1:nan:2"}) {
    auto spec = parseInputSpec(bad);
    EXPECT_FALSE(bool(spec)) << bad;
    llvm::consumeError(spec.takeError());
  }
  for (const char *bad : {"x=", "x=ax2", "x=2x", "x=-1x2"}) {
    auto spec = parseShapeSpec(bad);
    EXPECT_FALSE(bool(spec)) << bad;
    llvm::consumeError(spec.takeError());
  }
}

template <typename T>
static HostTensor tensorOf(llvm::StringRef type, std::vector<T> values) {
  HostTensor tensor;
  tensor.elementType = type.str();
  tensor.bytesPerElement = sizeof(T);
  tensor.shape = {int64_t(values.size())};
  tensor.bytes.resize(values.size() * sizeof(T));
  std::memcpy(tensor.bytes.data(), values.data(), tensor.bytes.size());
  return tensor;
}

TEST(Compare, ErrorsAreMeasuredAgainstTheLargestElement) {
  auto result = llvm::cantFail(
      compareTensors(tensorOf<float>("f32", {1, 2.5, -4}),
                     tensorOf<double>("f64", {1, 2, -4}), 0.1, 0));
  EXPECT_EQ(result.elements, 3u);
  EXPECT_EQ(result.different, 1u);
  EXPECT_DOUBLE_EQ(result.maxAbsolute, 0.5);
  EXPECT_DOUBLE_EQ(result.relativeToMax, 0.125);
  EXPECT_FALSE(result.isEqual());
}

TEST(Compare, NothingThatIsNotFinitePasses) {
  float nan = std::numeric_limits<float>::quiet_NaN();
  float inf = std::numeric_limits<float>::infinity();
  auto result = llvm::cantFail(
      compareTensors(tensorOf<float>("f32", {nan, inf, inf, nan}),
                     tensorOf<float>("f32", {1, 1, inf, nan}), 1e9, 1e9));
  EXPECT_EQ(result.notFinite, 2u);
  EXPECT_EQ(result.different, 2u);
}

TEST(Compare, NoToleranceReachesInfinity) {
  float inf = std::numeric_limits<float>::infinity();
  float nan = std::numeric_limits<float>::quiet_NaN();
  auto result = llvm::cantFail(
      compareTensors(tensorOf<float>("f32", {1, -inf, 1, inf}),
                     tensorOf<float>("f32", {inf, inf, nan, inf}), 1, 1));
  EXPECT_EQ(result.different, 3u);
  EXPECT_EQ(result.notFinite, 0u);
  EXPECT_FALSE(result.isEqual());
}

static HostTensor complexOf(std::vector<float> parts) {
  HostTensor tensor = tensorOf<float>("complex<f32>", parts);
  tensor.bytesPerElement = 8;
  tensor.shape = {int64_t(parts.size() / 2)};
  return tensor;
}

// 3+4i, 5 and -5 have the same magnitude.
TEST(Compare, ComplexNumbersLieInThePlane) {
  auto result = llvm::cantFail(compareTensors(
      complexOf({3, 4, -5, 0, 1, 1}), complexOf({5, 0, 5, 0, 1, 1}), 0.1, 0.1));
  EXPECT_EQ(result.elements, 3u);
  EXPECT_EQ(result.different, 2u);
  EXPECT_DOUBLE_EQ(result.maxAbsolute, 10);
  EXPECT_DOUBLE_EQ(result.relativeToMax, 2);
}

TEST(Compare, IntegersOf64BitsAreExact) {
  constexpr int64_t kLarge = int64_t(1) << 60;
  auto result = llvm::cantFail(compareTensors(
      tensorOf<int64_t>("i64", {kLarge + 1, kLarge, INT64_MIN}),
      tensorOf<int64_t>("i64", {kLarge, kLarge, INT64_MAX}), 0, 0));
  EXPECT_EQ(result.different, 2u);
  auto mixed = llvm::cantFail(
      compareTensors(tensorOf<int64_t>("i64", {-1}),
                     tensorOf<uint64_t>("ui64", {UINT64_MAX}), 0, 0));
  EXPECT_EQ(mixed.different, 1u);
  EXPECT_DOUBLE_EQ(mixed.maxAbsolute, 0x1p64);
}

TEST(Compare, AllElementTypes) {
  EXPECT_EQ(getElement(tensorOf<int8_t>("i8", {-3}), 0), -3.0);
  EXPECT_EQ(getElement(tensorOf<uint8_t>("ui8", {253}), 0), 253.0);
  EXPECT_EQ(getElement(tensorOf<uint16_t>("bf16", {0x3fc0}), 0), 1.5);
  EXPECT_EQ(getElement(tensorOf<uint16_t>("f16", {0xc100}), 0), -2.5);
  EXPECT_EQ(getElement(tensorOf<int64_t>("index", {42}), 0), 42.0);
  EXPECT_EQ(getElement(tensorOf<uint8_t>("i1", {1}), 0), 1.0);
  EXPECT_FALSE(getElement(tensorOf<int>("i32", {1}), 1).has_value());
}
