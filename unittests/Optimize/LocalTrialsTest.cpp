//===- LocalTrialsTest.cpp - Tests of trials of kernels -------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Optimize/Local/LocalCandidates.h"
#include "../../lib/Optimize/Local/LocalModel.h"
#include "../Record/TestModel.h"
#include "mlir-prof/Codegen/Choices.h"
#include "mlir-prof/Compile/KernelVariants.h"
#include "mlir-prof/Optimize/Optimizer.h"
#include "mlir-prof/Optimize/StructuralHash.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringSet.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::optimize;
using namespace mlirprof::tuning;

/// Two layers of one shape, a third one of another, and a convolution.
static constexpr const char *kModel = R"(
func.func @main(%x: tensor<48x64xf32>, %w1: tensor<64x64xf32>,
                %w3: tensor<64x80xf32>, %i: tensor<1x14x14x16xf32>)
    -> (tensor<48x80xf32>, tensor<1x12x12x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %w2 = arith.constant dense<0.125> : tensor<64x64xf32>
  %f = arith.constant dense<0.25> : tensor<3x3x16x64xf32>
  %e = tensor.empty() : tensor<48x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<48x64xf32>)
    -> tensor<48x64xf32>
  %a = linalg.matmul ins(%x, %w1 : tensor<48x64xf32>, tensor<64x64xf32>)
    outs(%z : tensor<48x64xf32>) -> tensor<48x64xf32>
  %t = math.tanh %a : tensor<48x64xf32>
  %b = linalg.matmul ins(%t, %w1 : tensor<48x64xf32>, tensor<64x64xf32>)
    outs(%z : tensor<48x64xf32>) -> tensor<48x64xf32>
  %u = math.tanh %b : tensor<48x64xf32>
  %e3 = tensor.empty() : tensor<48x80xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<48x80xf32>)
    -> tensor<48x80xf32>
  %c = linalg.matmul ins(%u, %w3 : tensor<48x64xf32>, tensor<64x80xf32>)
    outs(%z3 : tensor<48x80xf32>) -> tensor<48x80xf32>
  %ei = tensor.empty() : tensor<1x12x12x64xf32>
  %zi = linalg.fill ins(%zero : f32) outs(%ei : tensor<1x12x12x64xf32>)
    -> tensor<1x12x12x64xf32>
  %d = linalg.conv_2d_nhwc_hwcf
    ins(%i, %f : tensor<1x14x14x16xf32>, tensor<3x3x16x64xf32>)
    outs(%zi : tensor<1x12x12x64xf32>) -> tensor<1x12x12x64xf32>
  return %c, %d : tensor<48x80xf32>, tensor<1x12x12x64xf32>
})";

namespace {
class LocalTrialsTest : public ::testing::Test {
protected:
  LocalTrialsTest() : context(makeContext()) {
    compile.pipeline = "default";
    compile.target = codegen::getHostTarget(/*threads=*/1);
    // Convolutions stay direct.
    compile.maxError = 0;
  }

  mlir::OwningOpRef<mlir::ModuleOp> parse() {
    return mlir::parseSourceString<mlir::ModuleOp>(kModel, context.get());
  }

  void collect() {
    CompileOptions plain = compile;
    auto prepared = prepareModel(parse(), plain, StageForm::Canonical);
    ASSERT_TRUE(bool(prepared)) << llvm::toString(prepared.takeError());
    canonical = std::move(*prepared);
    SiteInput input;
    input.canonical = *canonical;
    input.target = compile.target;
    sites = collectSites(input);
  }

  CompiledModel build(bool identities,
                      std::function<llvm::Error(mlir::ModuleOp)> choose) {
    CompileOptions how = compile;
    how.keepKernels = true;
    how.identities = identities;
    how.choose = std::move(choose);
    auto model = compileModel(parse(), how);
    if (model)
      return std::move(*model);
    ADD_FAILURE() << llvm::toString(model.takeError());
    return CompiledModel();
  }

  /// Tries all tiles of all kernels.
  void search(unsigned threads);

  std::unique_ptr<mlir::MLIRContext> context;
  CompileOptions compile;
  mlir::OwningOpRef<mlir::ModuleOp> canonical;
  ModelSites sites;
};
} // namespace

TEST(KernelRequestTest, IsReadAsWritten) {
  KernelRequest request;
  request.kernel = 7;
  request.changes.push_back(
      {{1, 4}, "tiles", {{"rows", "6"}, {"vectors", "4"}}});
  request.changes.push_back({{2}, "code", {{"for", "size"}}});
  auto read = readRequest(writeRequest(request));
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  EXPECT_EQ(read->kernel, 7u);
  ASSERT_EQ(read->changes.size(), 2u);
  EXPECT_EQ(read->changes[0].ops, request.changes[0].ops);
  EXPECT_EQ(read->changes[0].parameters, request.changes[0].parameters);
  EXPECT_EQ(read->changes[1].technique, "code");
  for (const char *text :
       {"", "x", "1\nset a b", "1\nchange tiles x", "1\nchange", "1\nother"}) {
    auto damaged = readRequest(text);
    EXPECT_FALSE(bool(damaged)) << text;
    llvm::consumeError(damaged.takeError());
  }
}

TEST_F(LocalTrialsTest, SharedKernelStandsForAllOfItsSites) {
  collect();
  CompiledModel model = build(/*identities=*/true, chooseAndNumber({}));
  std::map<KernelOp, std::vector<size_t>> origins =
      findKernelOrigins(model, sites);
  // By the sizes of the op: the kernels of its products.
  std::map<std::string, std::set<size_t>> kernels;
  for (const auto &[op, from] : origins)
    for (size_t site : from) {
      mlir::Operation *first = sites.sites[site].ops.front();
      if (first->getName().getStringRef() != "linalg.matmul")
        continue;
      auto type =
          llvm::cast<mlir::RankedTensorType>(first->getResult(0).getType());
      kernels[std::to_string(type.getDimSize(1))].insert(op.kernel);
    }
  // Both products of 64 columns are one kernel's.
  EXPECT_EQ(kernels["64"].size(), 1u);
  EXPECT_EQ(kernels["80"].size(), 1u);
  EXPECT_NE(kernels["64"], kernels["80"]);
}

/// A kernel that was compiled alone is the one of the model with the choice.
TEST_F(LocalTrialsTest, VariantIsTheKernelOfTheWholeBuild) {
  collect();
  CompiledModel model = build(/*identities=*/true, chooseAndNumber({}));
  std::vector<double> seconds(model.kernelCode.size(), 1);
  std::vector<LocalCandidate> candidates =
      proposeLocally(model, sites, SearchSpace(getTechniques(), {"tiles"}),
                     seconds, /*leastSeconds=*/0, *context);
  KernelVariants variants(compile);
  std::set<KernelOp> seen;
  llvm::StringSet<> kinds;
  for (const LocalCandidate &candidate : candidates) {
    if (!seen.insert(candidate.op).second)
      continue;
    SCOPED_TRACE(sites.sites[candidate.sites.front()].label);
    auto variant = variants.compile(
        model.kernelCode[candidate.op.kernel],
        {{{candidate.op.number},
          "tiles",
          {candidate.choice.begin(), candidate.choice.end()}}});
    ASSERT_TRUE(bool(variant)) << llvm::toString(variant.takeError());
    auto before = variants.compile(model.kernelCode[candidate.op.kernel], {});
    ASSERT_TRUE(bool(before)) << llvm::toString(before.takeError());
    EXPECT_NE(variant->fingerprint, before->fingerprint);
    ChoiceMap choices;
    for (size_t site : candidate.sites) {
      choices[sites.sites[site].signature.exact]["tiles"] = candidate.choice;
      kinds.insert(sites.sites[site].ops.front()->getName().getStringRef());
    }
    CompiledModel whole = build(/*identities=*/false, chooseBy(choices));
    bool isThere = false;
    for (const KernelCode &code : whole.kernelCode) {
      KernelVariants plain(compile);
      auto kernel = plain.compile(code, {});
      ASSERT_TRUE(bool(kernel)) << llvm::toString(kernel.takeError());
      isThere |= kernel->fingerprint == variant->fingerprint;
    }
    EXPECT_TRUE(isThere);
  }
  EXPECT_TRUE(kinds.contains("linalg.matmul"));
  EXPECT_TRUE(kinds.contains("linalg.conv_2d_nhwc_hwcf"));
}

TEST_F(LocalTrialsTest, EachTechniqueProposesWithinKernels) {
  compile.target = codegen::getHostTarget(/*threads=*/4);
  collect();
  CompiledModel model = build(/*identities=*/true, chooseAndNumber({}));
  std::vector<double> seconds(model.kernelCode.size(), 1);
  std::map<std::string, std::set<std::string>> counts;
  for (const LocalCandidate &candidate :
       proposeLocally(model, sites, SearchSpace(getTechniques(), {}), seconds,
                      /*leastSeconds=*/0, *context))
    for (const auto &[name, value] : candidate.choice)
      counts[candidate.technique->name.str() + " " + name].insert(value);
  EXPECT_EQ(counts["threads count"], (std::set<std::string>{"1", "2", "4"}));
  EXPECT_GT(counts["tiles rows"].size(), 1u);
  EXPECT_EQ(counts.size(), 3u);
}

void LocalTrialsTest::search(unsigned threads) {
  compile.target = codegen::getHostTarget(threads);
  collect();
  sites.effort = Effort::All;
  OptimizerOptions options;
  options.compile = compile;
  options.trials = TrialMode::Local;
  options.techniques = {"tiles"};
  options.budgetSeconds = 600;
  options.comparison.maxRounds = 6;
  auto fill = [](std::vector<int64_t> shape) {
    size_t size = 1;
    for (int64_t extent : shape)
      size *= size_t(extent);
    std::vector<float> values(size);
    for (size_t i = 0; i != size; ++i)
      values[i] = float(i % 13) / 16;
    return tensorOf(std::move(shape), std::move(values));
  };
  options.requests = {
      {fill({48, 64}), fill({64, 64}), fill({64, 80}), fill({1, 14, 14, 16})}};
  DecisionDatabase database;
  mlir::OwningOpRef<mlir::ModuleOp> input = parse();
  auto result = optimizeModel(*input, sites, database, options);
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  EXPECT_EQ(result->notes, std::vector<std::string>());
  unsigned inPlace = 0;
  for (const Receipt &receipt : result->receipts) {
    EXPECT_NE(receipt.observation.outcome, Outcome::Failed)
        << receipt.observation.reason;
    EXPECT_LE(receipt.observation.error.value_or(0), 1e-5);
    inPlace += llvm::StringRef(receipt.observation.reason).contains("in place");
  }
  // Three kernels, each with several tiles.
  EXPECT_GE(inPlace, 9u);
}

TEST_F(LocalTrialsTest, SearchTriesKernelsInPlace) { search(/*threads=*/1); }

TEST_F(LocalTrialsTest, SearchTriesKernelsOfAnExecutor) {
  search(/*threads=*/2);
}
