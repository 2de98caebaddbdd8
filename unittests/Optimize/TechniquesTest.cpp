//===- TechniquesTest.cpp - Proposals for ops -----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Optimize/Techniques/Techniques.h"
#include "SitesFixture.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <set>

using namespace mlirprof;
using namespace mlirprof::optimize;
using namespace mlirprof::test;
using namespace mlirprof::tuning;

namespace {

/// Products of rows that are a multiple of something and of rows that are not,
/// with what reads them, and a convolution.
constexpr llvm::StringLiteral kModel = R"(
func.func @main(%a: tensor<77x64xf32>, %b: tensor<64x64xf32>,
    %i: tensor<1x8x8x4xf32>, %k: tensor<3x3x4x8xf32>, %c: tensor<1x6x6x8xf32>)
    -> (tensor<77x64xf32>, tensor<77x64xf32>, tensor<1x6x6x8xf32>) {
  %e = tensor.empty() : tensor<77x64xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<77x64xf32>, tensor<64x64xf32>)
    outs(%e : tensor<77x64xf32>) -> tensor<77x64xf32>
  %1 = linalg.exp ins(%0 : tensor<77x64xf32>)
    outs(%e : tensor<77x64xf32>) -> tensor<77x64xf32>
  %2 = linalg.abs ins(%1 : tensor<77x64xf32>)
    outs(%e : tensor<77x64xf32>) -> tensor<77x64xf32>
  %3 = linalg.negf ins(%1 : tensor<77x64xf32>)
    outs(%e : tensor<77x64xf32>) -> tensor<77x64xf32>
  %4 = linalg.conv_2d_nhwc_hwcf
    ins(%i, %k : tensor<1x8x8x4xf32>, tensor<3x3x4x8xf32>)
    outs(%c : tensor<1x6x6x8xf32>) -> tensor<1x6x6x8xf32>
  return %2, %3, %4 : tensor<77x64xf32>, tensor<77x64xf32>, tensor<1x6x6x8xf32>
})";
enum Site : size_t { Product, Exp, Abs, Neg, Convolution };

class TechniquesTest : public SitesFixture {
protected:
  TechniquesTest()
      : SitesFixture(kModel, [](mlir::Operation *op) {
          return llvm::isa<mlir::linalg::LinalgOp>(op);
        }) {
    setSeconds({50e-6, 5e-6, 1e-6, 0, 200e-6});
  }
};

using Choices = std::vector<std::pair<size_t, Choice>>;

std::vector<Choices> getChoices(const std::vector<Proposal> &proposals) {
  std::vector<Choices> choices;
  for (const Proposal &proposal : proposals)
    choices.push_back(proposal.choices);
  return choices;
}

TEST_F(TechniquesTest, Algorithm) {
  std::vector<Proposal> proposals = technique::Algorithm().propose(model);
  // Weights that are not known leave only the product.
  EXPECT_EQ(getChoices(proposals),
            (std::vector<Choices>{{{Convolution, {{"name", "product"}}}}}));
  EXPECT_TRUE(proposals.front().changesNumbers);
  model.sites[Convolution].seconds = 1e-7;
  EXPECT_TRUE(technique::Algorithm().propose(model).empty());
}

TEST_F(TechniquesTest, Fusion) {
  // The product's only reader is elementwise; exp has two readers, and no
  // others have elementwise ones.
  EXPECT_EQ(getChoices(technique::Fusion().propose(model)),
            (std::vector<Choices>{{{Product, {{"with", "none"}}}},
                                  {{Exp, {{"with", "all"}}}}}));
  model.sites[Product].seconds = 0;
  EXPECT_EQ(getChoices(technique::Fusion().propose(model)),
            (std::vector<Choices>{{{Exp, {{"with", "all"}}}}}));
}

TEST_F(TechniquesTest, ThreadsNeedSeveral) {
  EXPECT_TRUE(technique::Threads().propose(model).empty());
  model.target.threads = 8;
  EXPECT_FALSE(technique::Threads().propose(model).empty());
  model.hasProfile = false;
  EXPECT_TRUE(technique::Threads().propose(model).empty());
}

TEST_F(TechniquesTest, Threads) {
  model.target.threads = 8;
  std::vector<Choices> choices =
      getChoices(technique::Threads().propose(model));
  auto has = [&](const Choices &wanted) {
    return llvm::is_contained(choices, wanted);
  };
  Choice one = {{"count", "1"}}, all = {{"count", "8"}};
  // Ops below 100, 40 and 15 us together; ops without a time are unknown.
  EXPECT_TRUE(has({{Product, one}, {Exp, one}, {Abs, one}}));
  EXPECT_TRUE(has({{Exp, one}, {Abs, one}}));
  EXPECT_TRUE(has({{Product, all}, {Convolution, all}}));
  EXPECT_TRUE(has({{Product, all}, {Exp, all}, {Convolution, all}}));
  EXPECT_TRUE(has({{Convolution, {{"count", "4"}}}}));
  EXPECT_TRUE(has({{Convolution, {{"count", "2"}}}}));
  EXPECT_FALSE(has({{Abs, {{"count", "4"}}}}));
  // None twice.
  std::set<Choices> unique(choices.begin(), choices.end());
  EXPECT_EQ(unique.size(), choices.size());
  for (const Choices &choice : choices)
    for (const auto &[site, parameters] : choice)
      EXPECT_NE(site, size_t(Neg));
}

TEST_F(TechniquesTest, Tiles) {
  std::vector<Proposal> proposals = technique::Tiles().propose(model);
  ASSERT_FALSE(proposals.empty());
  std::set<Choice> seen;
  for (const Proposal &proposal : proposals) {
    ASSERT_EQ(proposal.choices.size(), 1u);
    const auto &[site, choice] = proposal.choices.front();
    EXPECT_EQ(site, size_t(Product));
    EXPECT_TRUE(seen.insert(choice).second) << "proposed twice";
    int64_t rows = std::stol(choice.at("rows")),
            vectors = std::stol(choice.at("vectors"));
    // Enough independent sums, and registers for them and their factors; no
    // wider than the 64 columns are.
    EXPECT_GE(rows * vectors, 16);
    EXPECT_LE(rows * vectors + vectors + 1, 32);
    EXPECT_LE(vectors * 16, 64);
  }
  // 7 and 11 divide the rows.
  EXPECT_TRUE(seen.count({{"rows", "7"}, {"vectors", "3"}}));
  EXPECT_TRUE(seen.count({{"rows", "11"}, {"vectors", "2"}}));
  EXPECT_FALSE(seen.count({{"rows", "9"}, {"vectors", "3"}}));
  setSeconds({1e-6, 0, 0, 0, 1});
  EXPECT_TRUE(technique::Tiles().propose(model).empty());
  model.effort = Effort::All;
  EXPECT_EQ(technique::Tiles().propose(model).size(), proposals.size());
}

TEST_F(TechniquesTest, AllAreThere) {
  std::set<llvm::StringRef> names;
  for (const Technique &technique : getTechniques()) {
    EXPECT_TRUE(names.insert(technique.name).second);
    EXPECT_EQ(findTechnique(technique.name), &technique);
    EXPECT_FALSE(technique.description.empty());
    // Nothing to decide about.
    EXPECT_TRUE(technique.propose(ModelSites()).empty());
  }
  EXPECT_EQ(findTechnique("model"), nullptr);
  EXPECT_EQ(findTechnique(""), nullptr);
}

} // namespace
