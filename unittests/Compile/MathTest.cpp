//===- MathTest.cpp - Functions as polynomials ----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares the default pipeline's code for the functions of the math dialect
// with the host's functions in doubles: over all exponents, densely where
// models use them, and for special values. The largest allowed error is stated
// with each function, in units in the last place of a float.
//
//===----------------------------------------------------------------------===//

#include "JitModel.h"
#include "gtest/gtest.h"

#include <cmath>
#include <limits>

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::test;

namespace {

struct Function {
  const char *name;
  double (*exact)(double);
  /// In units in the last place.
  double most;
};

double cubeRoot(double x) { return std::cbrt(x); }

const Function kFunctions[] = {
    {"exp", std::exp, 5},
    {"expm1", std::expm1, 5},
    {"log", std::log, 2},
    {"log2", std::log2, 2},
    {"log10", std::log10, 2},
    {"log1p", std::log1p, 2},
    {"tanh", std::tanh, 4},
    {"erf", std::erf, 4},
    {"erfc", std::erfc, 3},
    {"sqrt", std::sqrt, 0.5},
    {"rsqrt", [](double x) { return 1 / std::sqrt(x); }, 2},
    {"cbrt", cubeRoot, 1},
    {"sin", std::sin, 1},
    {"cos", std::cos, 1},
    {"tan", std::tan, 1},
    {"asin", std::asin, 2},
    {"acos", std::acos, 2},
    {"atan", std::atan, 41},
};

std::vector<float> makeArguments() {
  float infinity = std::numeric_limits<float>::infinity();
  std::vector<float> values = {0.0f,          -0.0f, infinity, -infinity,
                               std::nanf(""), 1.0f,  -1.0f};
  for (int exponent = -149; exponent < 128; ++exponent)
    for (int part = 0; part < 64; ++part) {
      float value = std::ldexp(1 + part / 64.0f, exponent);
      values.push_back(value);
      values.push_back(-value);
    }
  for (int i = -60000; i <= 60000; ++i)
    values.push_back(i / 500.0f);
  // Positions, of which embeddings take sines.
  for (int i = 0; i < 70000; i += 7)
    values.push_back(i);
  return values;
}

/// The distance of `actual` from `exact` in units in the last place; results
/// small enough to be flushed to zero are correct either way.
double getError(float actual, double exact) {
  float rounded = exact;
  if (std::isnan(rounded) || std::isnan(actual))
    return std::isnan(rounded) && std::isnan(actual) ? 0 : 1e30;
  if (rounded == actual)
    return 0;
  constexpr double least = 0x1p-126;
  if (std::abs(exact) < least && std::abs(actual) <= least)
    return 0;
  if (std::isinf(actual) != std::isinf(rounded)) {
    constexpr double largest = std::numeric_limits<float>::max();
    double finite = std::isinf(actual) ? std::abs(exact) : std::abs(actual);
    return (largest - finite) / 0x1p104;
  }
  int exponent = std::max(std::ilogb(rounded), -126);
  return std::abs(actual - exact) / std::ldexp(1.0, exponent - 23);
}

std::string makeModel(const char *function, size_t size) {
  std::string type = "tensor<" + std::to_string(size) + "xf32>";
  return "func.func @main(%a: " + type + ") -> " + type +
         " {\n  %e = tensor.empty() : " + type +
         "\n  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, "
         "affine_map<(i) -> (i)>], iterator_types = [\"parallel\"]} ins(%a : " +
         type + ") outs(%e : " + type +
         ") {\n  ^bb0(%x: f32, %o: f32):\n    %y = math." + function +
         " %x : f32\n    linalg.yield %y : f32\n  } -> " + type +
         "\n  return %r : " + type + "\n}\n";
}

class MathTest : public ::testing::TestWithParam<Function> {};

TEST_P(MathTest, IsNearlyExact) {
  const Function &function = GetParam();
  Tensor arguments;
  arguments.values = makeArguments();
  arguments.shape = {int64_t(arguments.values.size())};
  mlir::MLIRContext context;
  CompileOptions options;
  options.target = codegen::getHostTarget(1);
  options.identities = false;
  auto model = compileText(
      context, makeModel(function.name, arguments.values.size()), options);
  ASSERT_TRUE(bool(model)) << llvm::toString(model.takeError());
  // For inspection only: NaN is not equal to itself.
  std::vector<TypedTensor> typed(1);
  typed[0] = {"f32", arguments.shape, {}};
  typed[0].values.assign(arguments.values.begin(), arguments.values.end());
  auto results = run(*model, typed);
  ASSERT_TRUE(bool(results)) << llvm::toString(results.takeError());
  double worst = 0;
  float where = 0;
  for (size_t i = 0; i < arguments.values.size(); ++i) {
    float argument = arguments.values[i];
    double error =
        getError(results->front().values[i], function.exact(argument));
    if (error > worst) {
      worst = error;
      where = argument;
    }
  }
  RecordProperty("ulp", std::to_string(worst));
  EXPECT_LE(worst, function.most) << "at " << where;
}

INSTANTIATE_TEST_SUITE_P(Functions, MathTest, ::testing::ValuesIn(kFunctions),
                         [](const auto &info) {
                           return std::string(info.param.name);
                         });

} // namespace
