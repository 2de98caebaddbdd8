//===- ColdBranchesTest.cpp - Proposals for cold code and branches --------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SitesFixture.h"
#include "mlir-prof/Codegen/Choices.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlirprof;
using namespace mlirprof::optimize;
using namespace mlirprof::profile;
using namespace mlirprof::test;
using namespace mlirprof::tuning;

namespace {

/// Five fills, a branch and a loop.
constexpr llvm::StringLiteral kModel = R"(
func.func @f(%x: memref<8xf32>, %c: f32, %n: index, %b: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  linalg.fill ins(%c : f32) outs(%x : memref<8xf32>)
  linalg.fill ins(%c : f32) outs(%x : memref<8xf32>)
  linalg.fill ins(%c : f32) outs(%x : memref<8xf32>)
  linalg.fill ins(%c : f32) outs(%x : memref<8xf32>)
  linalg.fill ins(%c : f32) outs(%x : memref<8xf32>)
  scf.if %b {
    memref.store %c, %x[%c0] : memref<8xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    memref.store %c, %x[%i] : memref<8xf32>
  }
  return
})";

class ColdBranchesTest : public SitesFixture {
protected:
  ColdBranchesTest()
      : SitesFixture(kModel, [](mlir::Operation *op) {
          return llvm::isa<mlir::linalg::FillOp, mlir::scf::IfOp,
                           mlir::scf::ForOp>(op);
        }) {
    model.seconds = 1;
  }

  std::vector<Proposal> propose(llvm::StringRef technique) {
    const Technique *found = findTechnique(technique);
    if (!found) {
      ADD_FAILURE() << "no technique " << technique.str();
      return {};
    }
    return found->propose(model);
  }

  /// The sites that a proposal is about.
  static std::vector<size_t> getSites(const Proposal &proposal) {
    std::vector<size_t> sites;
    for (const auto &[site, choice] : proposal.choices)
      sites.push_back(site);
    std::sort(sites.begin(), sites.end());
    return sites;
  }

  static ObservedValues observe(ValueKind kind,
                                std::vector<std::pair<int64_t, uint64_t>> seen,
                                uint64_t others = 0) {
    ObservedValues values;
    values.kind = kind;
    values.total = others;
    for (auto [value, count] : seen) {
      values.entries.push_back({{value}, count});
      values.total += count;
    }
    return values;
  }
};

using Sites = std::vector<size_t>;

TEST_F(ColdBranchesTest, LeastTimeFirst) {
  // 0.3 % and 0.03 % together are within 0.5 %, with the ops without samples.
  setSeconds({0.9876, 0.003, 0, 0.0003, 0.0091});
  std::vector<Proposal> proposals = propose(codegen::choice::kCode);
  ASSERT_EQ(proposals.size(), 2u);
  EXPECT_EQ(getSites(proposals[0]), (Sites{1, 2, 3}));
  EXPECT_EQ(getSites(proposals[1]), (Sites{2, 3}));
  for (const Proposal &proposal : proposals) {
    EXPECT_TRUE(proposal.isKeptWhenEqual);
    for (const auto &[site, choice] : proposal.choices)
      EXPECT_EQ(choice, (Choice{{"for", "size"}}));
  }
}

TEST_F(ColdBranchesTest, TheSameTwiceIsOne) {
  setSeconds({0.9, 0.0991, 0, 0.0009, 0});
  std::vector<Proposal> proposals = propose(codegen::choice::kCode);
  ASSERT_EQ(proposals.size(), 1u);
  EXPECT_EQ(getSites(proposals[0]), (Sites{2, 3, 4}));
}

TEST_F(ColdBranchesTest, TooFewSamples) {
  // The smallest time says that there are 50 samples.
  setSeconds({0.98, 0.02, 0, 0, 0});
  EXPECT_TRUE(propose(codegen::choice::kCode).empty());
  // 1,000 are enough for 0.5 %, and not for 0.1 %.
  setSeconds({0.999, 0.001, 0, 0, 0});
  EXPECT_EQ(propose(codegen::choice::kCode).size(), 1u);
}

TEST_F(ColdBranchesTest, AnOpTakesWhatTheMachineNeeds) {
  setSeconds({0.9999, 0.0001, 0, 0, 0});
  model.sites[2].boundSeconds = 0.1;
  ASSERT_FALSE(propose(codegen::choice::kCode).empty());
  EXPECT_EQ(getSites(propose(codegen::choice::kCode)[0]), (Sites{1, 3, 4}));
}

TEST_F(ColdBranchesTest, NothingWithoutAProfile) {
  setSeconds({0.9999, 0.0001, 0, 0, 0});
  model.sites[5].values = {observe(ValueKind::Branch, {{1, 5}})};
  model.hasProfile = false;
  EXPECT_TRUE(propose(codegen::choice::kCode).empty());
  EXPECT_TRUE(propose(codegen::choice::kBranches).empty());
  model.hasProfile = true;
  model.seconds = 0;
  EXPECT_TRUE(propose(codegen::choice::kCode).empty());
}

TEST_F(ColdBranchesTest, BranchesAndTrips) {
  model.sites[5].values = {observe(ValueKind::Branch, {{1, 30}, {0, 10}})};
  model.sites[6].values = {observe(ValueKind::Trips, {{4, 3}, {8, 1}})};
  std::vector<Proposal> proposals = propose(codegen::choice::kBranches);
  ASSERT_EQ(proposals.size(), 1u);
  ASSERT_EQ(getSites(proposals[0]), (Sites{5, 6}));
  EXPECT_EQ(proposals[0].choices[0].second,
            (Choice{{"taken", "30"}, {"not-taken", "10"}}));
  EXPECT_EQ(proposals[0].choices[1].second, (Choice{{"trips", "5"}}));
}

TEST_F(ColdBranchesTest, TripsThatNeverChange) {
  model.sites[6].values = {observe(ValueKind::Trips, {{6, 100}})};
  ASSERT_EQ(propose(codegen::choice::kBranches).size(), 1u);
  EXPECT_EQ(propose(codegen::choice::kBranches)[0].choices[0].second,
            (Choice{{"trips", "6"}, {"always", "true"}}));
  // Observations without an entry may have been others.
  model.sites[6].values = {observe(ValueKind::Trips, {{6, 100}}, 1)};
  EXPECT_EQ(propose(codegen::choice::kBranches)[0].choices[0].second,
            (Choice{{"trips", "6"}}));
}

TEST_F(ColdBranchesTest, OddValuesAreLeftOut) {
  EXPECT_TRUE(propose(codegen::choice::kBranches).empty());
  // Values of another kind, negative, of several loops, and more than there
  // are.
  model.sites[0].values = {observe(ValueKind::Branch, {{1, 5}})};
  model.sites[5].values = {observe(ValueKind::Branch, {{7, 3}})};
  model.sites[6].values = {observe(ValueKind::Trips, {{-1, 5}})};
  model.sites[6].values[0].entries.push_back({{2, 3}, 4});
  EXPECT_TRUE(propose(codegen::choice::kBranches).empty());
}

} // namespace
