//===- OddModelTest.cpp - All pipelines compute the same results ----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OddModel.h"
#include "llvm/ADT/StringSwitch.h"
#include "gtest/gtest.h"

#include <cmath>
#include <cstdlib>

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::test;

namespace {

struct Kind {
  const char *name;
  void (*write)(OddWriter &writer);
};

/// The bits of a vector register; 0 for this machine's.
using Width = unsigned;

std::ostream &operator<<(std::ostream &os, const Kind &kind) {
  return os << kind.name;
}

/// The error, relative to the largest element, that the order of sums and
/// polynomials may cause; halves are rounded in each op.
double getTolerance(llvm::StringRef element) {
  return llvm::StringSwitch<double>(element)
      .Case("f64", 1e-12)
      .Case("f32", 1e-5)
      .Case("f16", 2e-3)
      .Case("bf16", 1e-2)
      .Default(0);
}

void expectEqual(const TypedTensor &actual, const TypedTensor &expected) {
  ASSERT_EQ(actual.element, expected.element);
  ASSERT_EQ(actual.shape, expected.shape);
  double largest = 0, worst = 0;
  for (auto [a, e] : llvm::zip(actual.values, expected.values)) {
    ASSERT_TRUE(std::isfinite(e));
    largest = std::max(largest, std::abs(e));
    worst = std::max(worst, std::isfinite(a) ? std::abs(a - e) : 1e300);
  }
  EXPECT_LE(worst, getTolerance(actual.element) * largest);
}

/// For runs longer than the daily ones: other models than the usual ones.
uint32_t getFirstSeed() {
  uint32_t seed = 0;
  if (const char *text = std::getenv("MLIR_PROF_FIRST_SEED"))
    if (llvm::StringRef(text).getAsInteger(10, seed))
      return 0;
  return seed;
}

class OddModelTest
    : public ::testing::TestWithParam<std::tuple<Kind, uint32_t, Width>> {
protected:
  std::vector<TypedTensor> compute(const OddModel &model,
                                   llvm::StringRef pipeline, Width width) {
    mlir::MLIRContext context;
    CompileOptions options;
    options.pipeline = pipeline.str();
    options.target = width ? getNarrowTarget(width) : codegen::getHostTarget(1);
    // The test compares code: identities have separate tests.
    options.identities = false;
    auto compiled = compileText(context, model.text, options);
    if (!compiled) {
      ADD_FAILURE() << llvm::toString(compiled.takeError());
      return {};
    }
    auto results = run(*compiled, model.arguments);
    if (!results) {
      ADD_FAILURE() << llvm::toString(results.takeError());
      return {};
    }
    return *results;
  }
};

TEST_P(OddModelTest, DefaultIsNaive) {
  auto [kind, seed, width] = GetParam();
  OddWriter writer(seed + getFirstSeed());
  kind.write(writer);
  OddModel model = writer.finish();
  SCOPED_TRACE(model.text);
  std::vector<TypedTensor> expected = compute(model, "naive", 0),
                           actual = compute(model, "default", width);
  ASSERT_EQ(actual.size(), expected.size());
  for (auto [a, e] : llvm::zip(actual, expected))
    expectEqual(a, e);
}

const auto kinds = ::testing::Values(
    Kind{"Product", writeProduct}, Kind{"Attention", writeAttention},
    Kind{"Convolution", writeConvolution}, Kind{"Pooling", writePooling},
    Kind{"Reduction", writeReduction}, Kind{"Pointwise", writePointwise},
    Kind{"Gather", writeGather}, Kind{"Movement", writeMovement},
    Kind{"Transposed", writeTransposed}, Kind{"Chain", writeChain});

std::string getName(
    const ::testing::TestParamInfo<std::tuple<Kind, uint32_t, Width>> &info) {
  auto [kind, seed, width] = info.param;
  return kind.name + std::to_string(seed) +
         (width ? "On" + std::to_string(width) : "");
}

INSTANTIATE_TEST_SUITE_P(Kinds, OddModelTest,
                         ::testing::Combine(kinds, ::testing::Range(0u, 10u),
                                            ::testing::Values(0)),
                         getName);
// Other models than above, so that more of them are covered.
INSTANTIATE_TEST_SUITE_P(Narrow, OddModelTest,
                         ::testing::Combine(kinds, ::testing::Range(10u, 17u),
                                            ::testing::Values(128, 256)),
                         getName);

} // namespace
