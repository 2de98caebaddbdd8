//===- SitesTest.cpp - Ops that decisions are about -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Optimize/Sites.h"
#include "mlir-prof/Codegen/Choices.h"
#include "mlir-prof/Module/ModuleReader.h"
#include "mlir-prof/Optimize/Receipts.h"
#include "mlir-prof/Optimize/SingleOp.h"
#include "mlir-prof/Support/Error.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/JSON.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::module;
using namespace mlirprof::optimize;
using namespace mlirprof::profile;
using namespace mlirprof::tuning;

namespace {

/// Two products that are alike, one that is not, and an op that stands for
/// several.
constexpr llvm::StringLiteral kModel = R"(
func.func @main(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %n: index)
    -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>)
    outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = linalg.matmul ins(%b, %a : tensor<8x8xf32>, tensor<8x8xf32>)
    outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = linalg.matmul ins(%1, %1 : tensor<8x8xf32>, tensor<8x8xf32>)
    outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %3 = linalg.softmax dimension(1) ins(%1 : tensor<8x8xf32>)
    outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0, %2, %3 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
})";

class SitesTest : public testing::Test {
protected:
  SitesTest() {
    prepareContext(context);
    input = mlir::parseSourceString<mlir::ModuleOp>(kModel, &context);
    if (!input) {
      ADD_FAILURE() << "does not parse";
      return;
    }
    canonical = llvm::cantFail(
        prepareModel(input->clone(), CompileOptions(), StageForm::Canonical));
    uint32_t position = 0;
    input->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
      positions[op->getName().getStringRef().str()].push_back(position++);
    });
    evidence.shares.resize(position);
    evidence.modelSeconds = 2;
  }

  ModelSites collect() {
    SiteInput known;
    known.input = *input;
    known.canonical = *canonical;
    known.evidence = &evidence;
    return collectSites(known);
  }
  static std::vector<size_t> find(const ModelSites &sites,
                                  llvm::StringRef label) {
    std::vector<size_t> found;
    for (auto [index, site] : llvm::enumerate(sites.sites))
      if (llvm::StringRef(site.label).starts_with(label))
        found.push_back(index);
    return found;
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> input, canonical;
  std::map<std::string, std::vector<uint32_t>> positions;
  Evidence evidence;
};

TEST_F(SitesTest, AlikeOpsAreOne) {
  evidence.shares[positions["linalg.matmul"][0]] = 0.25;
  evidence.shares[positions["linalg.matmul"][1]] = 0.125;
  evidence.shares[positions["linalg.matmul"][2]] = 0.5;
  ModelSites sites = collect();
  EXPECT_TRUE(sites.hasProfile);
  EXPECT_EQ(sites.seconds, 2);
  std::vector<size_t> products = find(sites, "linalg.matmul");
  ASSERT_EQ(products.size(), 2u);
  EXPECT_EQ(sites.sites[products[0]].ops.size(), 2u);
  EXPECT_DOUBLE_EQ(sites.sites[products[0]].seconds, 0.75);
  // A square: the same value twice.
  EXPECT_EQ(sites.sites[products[1]].ops.size(), 1u);
  EXPECT_DOUBLE_EQ(sites.sites[products[1]].seconds, 1);
}

TEST_F(SitesTest, TimesAreSplit) {
  evidence.shares[positions["linalg.softmax"][0]] = 0.5;
  ModelSites sites = collect();
  EXPECT_TRUE(find(sites, "linalg.softmax").empty());
  double sum = 0;
  size_t parts = 0;
  for (const OpSite &site : sites.sites) {
    sum += site.seconds;
    parts += site.seconds > 0;
  }
  EXPECT_DOUBLE_EQ(sum, 1);
  // The largest element, exponentials, their sum, the quotient.
  EXPECT_GE(parts, 3u);
}

TEST_F(SitesTest, FunctionsAndTheirValues) {
  ObservedValues values;
  values.kind = ValueKind::Arguments;
  values.names = {"n"};
  values.entries = {{{7}, 3}};
  values.total = 3;
  evidence.values.push_back({positions["func.func"][0], values});
  // They belong to no op.
  evidence.values.push_back({1u << 20, values});
  ModelSites sites = collect();
  std::vector<size_t> functions = find(sites, "func.func @main");
  ASSERT_EQ(functions.size(), 1u);
  const OpSite &site = sites.sites[functions[0]];
  EXPECT_EQ(site.ops.front(), sites.entry);
  ASSERT_EQ(site.values.size(), 1u);
  EXPECT_EQ(site.values[0].names, values.names);
}

TEST_F(SitesTest, TimesOfElsewhere) {
  evidence.shares.clear();
  ModelSites sites = collect();
  EXPECT_FALSE(sites.hasProfile);
  for (const OpSite &site : sites.sites)
    EXPECT_EQ(site.seconds, 0);
}

TEST_F(SitesTest, SizesOfTheRequests) {
  auto dynamic = mlir::parseSourceString<mlir::ModuleOp>(
      "func.func @main(%a: tensor<?x?xf32>, %b: tensor<4x?xf32>)\n"
      "    -> (tensor<?x?xf32>, tensor<4x?xf32>) {\n"
      "  %0 = linalg.abs ins(%a : tensor<?x?xf32>)\n"
      "    outs(%a : tensor<?x?xf32>) -> tensor<?x?xf32>\n"
      "  %1 = linalg.exp ins(%b : tensor<4x?xf32>)\n"
      "    outs(%b : tensor<4x?xf32>) -> tensor<4x?xf32>\n"
      "  return %0, %1 : tensor<?x?xf32>, tensor<4x?xf32>\n}",
      &context);
  ASSERT_TRUE(dynamic);
  const int64_t small[] = {2, 3}, large[] = {50, 60}, wide[] = {4, 7};
  SiteInput known;
  known.canonical = *dynamic;
  // In any order, and some twice.
  known.requests = {{large, wide}, {small, wide}, {large, wide}};
  ModelSites sites = collectSites(known);
  auto getSizes = [&](llvm::StringRef label) {
    std::vector<size_t> found = find(sites, label);
    return found.size() == 1 ? sites.sites[found[0]].sizes : MeasuredSizes();
  };
  // Sizes of the input and of the destination.
  EXPECT_EQ(getSizes("linalg.abs"),
            (MeasuredSizes{{2, 3, 2, 3}, {50, 60, 50, 60}}));
  EXPECT_EQ(getSizes("linalg.exp"), (MeasuredSizes{{7, 7}}));
  EXPECT_EQ(getSizes("func.func"), (MeasuredSizes{{2, 3, 7}, {50, 60, 7}}));
  // More than a database keeps: the smallest and the largest stay.
  std::vector<std::vector<int64_t>> shapes;
  for (int64_t i = 0; i != 200; ++i)
    shapes.push_back({i, 1});
  known.requests.clear();
  for (const auto &shape : shapes)
    known.requests.push_back({shape, wide});
  sites = collectSites(known);
  MeasuredSizes sizes = getSizes("func.func");
  EXPECT_EQ(sizes.size(), DecisionLimits::kSizes);
  EXPECT_EQ(sizes.front(), (std::vector<int64_t>{0, 1, 7}));
  EXPECT_EQ(sizes.back(), (std::vector<int64_t>{199, 1, 7}));
  // Static ones are in the signature.
  for (const OpSite &site : collect().sites)
    EXPECT_TRUE(site.sizes.empty()) << site.label;
}

TEST_F(SitesTest, ChoicesAreApplied) {
  uint64_t count = applyChoices(*canonical, [&](const OpSignature &) {
    return Choices{{"threads", {{"count", "1"}}}};
  });
  EXPECT_GT(count, 5u);
  canonical->walk([&](mlir::linalg::LinalgOp op) {
    EXPECT_EQ(codegen::getChoice(op, codegen::choice::kThreads, "count"), "1");
  });
  EXPECT_EQ(
      applyChoices(*canonical, [](const OpSignature &) { return Choices(); }),
      0u);
}

//===----------------------------------------------------------------------===//
// One op alone
//===----------------------------------------------------------------------===//

TEST_F(SitesTest, OneOpAlone) {
  mlir::linalg::MatmulOp product;
  canonical->walk([&](mlir::linalg::MatmulOp op) { product = op; });
  ASSERT_TRUE(product);
  codegen::setChoice(product, codegen::choice::kThreads, {{"count", "1"}});
  mlir::OwningOpRef<mlir::ModuleOp> alone = isolateOp(product);
  ASSERT_TRUE(alone);
  auto main = alone->lookupSymbol<mlir::func::FuncOp>("main");
  ASSERT_TRUE(main);
  // %1 twice; the zeros that it starts from are made there.
  EXPECT_EQ(main.getNumArguments(), 1u);
  EXPECT_EQ(main.getNumResults(), 1u);
  unsigned fills = 0;
  alone->walk([&](mlir::linalg::LinalgOp op) {
    fills += llvm::isa<mlir::linalg::FillOp>(op);
    EXPECT_FALSE(op->hasAttr(codegen::kChoiceAttribute));
  });
  EXPECT_EQ(fills, 1u);
}

TEST_F(SitesTest, WhatCannotStandAlone) {
  auto dynamic = mlir::parseSourceString<mlir::ModuleOp>(
      "func.func @f(%a: tensor<?xf32>, %m: memref<4xf32>, %c: f32)\n"
      "    -> tensor<?xf32> {\n"
      "  linalg.fill ins(%c : f32) outs(%m : memref<4xf32>)\n"
      "  %r = linalg.abs ins(%a : tensor<?xf32>)\n"
      "    outs(%a : tensor<?xf32>) -> tensor<?xf32>\n"
      "  return %r : tensor<?xf32>\n}",
      &context);
  ASSERT_TRUE(dynamic);
  dynamic->walk([&](mlir::linalg::LinalgOp op) {
    EXPECT_FALSE(isolateOp(op)) << op->getName().getStringRef().str();
  });
}

//===----------------------------------------------------------------------===//
// Receipts
//===----------------------------------------------------------------------===//

TEST_F(SitesTest, Receipts) {
  ModelSites sites = collect();
  std::vector<size_t> products = find(sites, "linalg.matmul");
  OptimizerResult result;
  Receipt &receipt = result.receipts.emplace_back();
  receipt.technique = "tiles";
  receipt.sites = products;
  receipt.choice = {{"rows", "7"}, {"\"", "\n"}};
  receipt.choices = {receipt.choice, {{"rows", "8"}}};
  receipt.isApplied = true;
  receipt.observation.reason = "a \"reason\"";
  receipt.observation.oldPs = 2000;
  receipt.observation.newPs = 1000;
  receipt.observation.rounds = 10;
  receipt.observation.error = 1e-7;
  receipt.opError = 2e-7;
  receipt.observation.sizes = {{1, 8}, {4, 8}};
  Receipt &known = result.receipts.emplace_back();
  known.origin = ReceiptOrigin::Database;
  known.confidence = Confidence::ShapeErased;
  result.whole.emplace();
  result.whole->ratio = 0.5;
  UnseenResult &unseen = result.unseen.emplace_back();
  unseen.shapes = "3x4, 4x5";
  unseen.comparison.ratio = 1.01;
  unseen.comparison.rounds = 10;
  result.unseen.push_back(unseen);
  result.unseen.back().shapes = "9x4, 4x5";
  result.unseen.back().comparison.ratio = 0.76;
  result.notes = {"a note"};
  std::string text;
  llvm::raw_string_ostream os(text);
  writeReceipts(result, sites, "model.mlir", "machine", os);
  auto json = llvm::json::parse(text);
  ASSERT_TRUE(bool(json)) << llvm::toString(json.takeError());
  const llvm::json::Object &all = *json->getAsObject();
  EXPECT_EQ(all.getString("schema"), "mlir-prof.receipts/2");
  EXPECT_EQ(all.getString("machine"), "machine");
  EXPECT_EQ(all.getObject("whole")->getNumber("ratio"), 0.5);
  const llvm::json::Array &others = *all.getArray("unseen");
  ASSERT_EQ(others.size(), 2u);
  EXPECT_EQ(others[0].getAsObject()->getString("shapes"), "3x4, 4x5");
  EXPECT_EQ(others[1].getAsObject()->getNumber("ratio"), 0.76);
  const llvm::json::Array &receipts = *all.getArray("receipts");
  ASSERT_EQ(receipts.size(), 2u);
  const llvm::json::Object &first = *receipts[0].getAsObject();
  EXPECT_EQ(first.getString("technique"), "tiles");
  EXPECT_EQ(first.getObject("choice")->getString("\""), "\n");
  EXPECT_EQ(first.getString("reason"), "a \"reason\"");
  EXPECT_EQ(first.getBoolean("applied"), true);
  EXPECT_EQ(first.getInteger("old_ps"), 2000);
  EXPECT_EQ(first.getInteger("rounds"), 10);
  EXPECT_EQ(first.getNumber("error"), 1e-7);
  EXPECT_EQ(first.getNumber("op_error"), 2e-7);
  EXPECT_EQ(*first.getArray("sizes"), (llvm::json::Array{"1x8", "4x8"}));
  const llvm::json::Array &ops = *first.getArray("ops");
  ASSERT_EQ(ops.size(), 2u);
  EXPECT_EQ(ops[0].getAsObject()->getInteger("count"), 2);
  EXPECT_EQ(ops[1].getAsObject()->getObject("choice")->getString("rows"), "8");
  const llvm::json::Object &second = *receipts[1].getAsObject();
  EXPECT_EQ(second.getString("origin"), "database");
  EXPECT_TRUE(second.getString("confidence").has_value());
  std::string summary;
  llvm::raw_string_ostream out(summary);
  printSummary(result, sites, out);
  EXPECT_NE(summary.find("on 2 shapes that were not recorded: 0.76 (9x4, 4x5) "
                         "to 1.01 (3x4, 4x5) of the time before\n"),
            std::string::npos)
      << summary;
}

TEST_F(SitesTest, GainsWithinTheControlAreUndecided) {
  // 1.3 % with a control of 2.4 %: that differs by it, or may.
  ModelSites sites = collect();
  for (bool isSpread : {false, true}) {
    OptimizerResult result;
    result.control.emplace();
    result.control->rounds = 16;
    (isSpread ? result.control->spread : result.control->ratio) =
        isSpread ? 2 * 0.024 : 0.976;
    result.whole.emplace();
    result.whole->verdict = Verdict::Faster;
    result.whole->rounds = 10;
    Receipt &receipt = result.receipts.emplace_back();
    receipt.technique = "tiles";
    receipt.isApplied = true;
    receipt.observation.rounds = 10;
    receipt.observation.oldPs = 1'000'000;
    auto tell = [&](double ratio) {
      result.whole->ratio = ratio;
      receipt.observation.newPs = int64_t(1e6 * ratio);
      std::string text;
      llvm::raw_string_ostream os(text);
      printSummary(result, sites, os);
      writeReceipts(result, sites, "model.mlir", "machine", os);
      return text;
    };
    std::string text = tell(0.987);
    EXPECT_NE(text.find("undecided within noise of 2.4 %: before"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("applied; undecided within noise of 2.4 %: 1.000 us"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("\"change\": \"undecided\""), std::string::npos);
    text = tell(0.97);
    EXPECT_EQ(text.find("undecided within"), std::string::npos) << text;
    EXPECT_NE(text.find("\"change\": \"faster\""), std::string::npos);
    EXPECT_NE(tell(1.03).find("\"change\": \"slower\""), std::string::npos);
    // The time did not suffice for a round.
    result.whole->rounds = 0;
    EXPECT_EQ(tell(1).find("before 0 ps"), std::string::npos);
  }
}

TEST_F(SitesTest, RejectedCandidatesSayWhy) {
  ModelSites sites = collect();
  OptimizerResult result;
  result.stop = StopReason::NothingLeft;
  for (unsigned index = 0; index != 10; ++index) {
    Receipt &receipt = result.receipts.emplace_back();
    receipt.technique = "tiles";
    receipt.choice = {{"rows", std::to_string(index + 1)}};
    receipt.observation.outcome = Outcome::Rejected;
    receipt.observation.reason = "makes the same code";
  }
  Receipt &fast = result.receipts.back();
  fast.observation.rounds = 10;
  fast.observation.oldPs = 1'000'000;
  fast.observation.newPs = 890'000;
  fast.observation.reason = "for shapes that were not recorded (1x100, "
                            "100x20): 1.07 of the time before";
  std::string text;
  llvm::raw_string_ostream os(text);
  printSummary(result, sites, os);
  size_t first = text.find("tiles rows=10"),
         second = text.find("tiles rows=1:");
  ASSERT_NE(first, std::string::npos) << text;
  ASSERT_NE(second, std::string::npos) << text;
  EXPECT_LT(first, second);
  EXPECT_NE(
      text.find("(0.8900 of it, spread 0.0 %, 10 rounds); for shapes that "
                "were not recorded (1x100, 100x20): 1.07 of the time"),
      std::string::npos)
      << text;
  EXPECT_EQ(text.find("tiles rows=8"), std::string::npos) << text;
  EXPECT_NE(text.find("2 more are not applied"), std::string::npos) << text;
}

// A result that was chosen for its size says so, and what was tested.
TEST_F(SitesTest, SmallerCodeIsCalledNotSlower) {
  ModelSites sites = collect();
  OptimizerResult result;
  result.sizeMargin = 0.005;
  result.whole.emplace();
  result.whole->verdict = Verdict::Faster;
  result.whole->rounds = 10;
  result.whole->ratio = 1.001;
  std::string text;
  llvm::raw_string_ostream os(text);
  printSummary(result, sites, os);
  EXPECT_EQ(text.find("not slower by more than 0.5 %: before"), 0u) << text;
}

TEST_F(SitesTest, Bounds) {
  // The profile's time, of another build, is not looked at.
  ModelSites sites = collect();
  sites.seconds = 40e-6;
  OptimizerResult result;
  auto summarize = [&](double bound) {
    sites.sites.front().boundSeconds = bound;
    std::string text;
    llvm::raw_string_ostream os(text);
    printSummary(result, sites, os);
    return text.substr(0, text.find("nothing was measured"));
  };
  auto contains = [&](const std::string &text, llvm::StringRef part) {
    return llvm::StringRef(text).contains(part);
  };
  EXPECT_EQ(summarize(0).find("the machine needs"), std::string::npos);
  // Without a measured time there is nothing to compare with.
  EXPECT_EQ(summarize(3e-6), "the machine needs at least 3.000 us for the "
                             "operations and bytes\n");
  result.control.emplace();
  result.control->incumbentSeconds = 4e-6;
  result.control->candidateSeconds = 3.2e-6;
  EXPECT_TRUE(contains(summarize(3e-6),
                       "operations and bytes: 75.0 % of the time of one run"));
  result.whole.emplace();
  result.whole->rounds = 10;
  result.whole->incumbentSeconds = 3.75e-6;
  result.whole->candidateSeconds = 3.125e-6;
  EXPECT_TRUE(contains(summarize(3e-6), "96.0 % of the time after"));
  result.whyPrevious = "a reason";
  EXPECT_TRUE(contains(summarize(3e-6), "80.0 % of the time before"));
  // Nothing is faster than the machine.
  result.control->candidateSeconds = 2.9e-6;
  std::string text = summarize(3e-6);
  EXPECT_FALSE(contains(text, "at least")) << text;
  EXPECT_TRUE(contains(text, "2.900 us were seen")) << text;
  // The receipts keep what was withdrawn.
  std::string receipts;
  llvm::raw_string_ostream os(receipts);
  writeReceipts(result, sites, "model.mlir", "machine", os);
  auto json = llvm::cantFail(llvm::json::parse(receipts));
  const llvm::json::Object &bound = *json.getAsObject()->getObject("bound");
  EXPECT_EQ(bound.getBoolean("withdrawn"), true);
  EXPECT_EQ(bound.getInteger("withdrawn_ps"), 3000000);
  EXPECT_EQ(bound.getInteger("fastest_ps"), 2900000);
}

// Only products bound a model, by their 2 * 8^3 operations each: what else
// there is may be fused, and all data is in a cache.
TEST_F(SitesTest, BoundsAreOfProducts) {
  SiteInput known;
  known.input = *input;
  known.canonical = *canonical;
  known.evidence = &evidence;
  const int64_t shape[] = {8, 8};
  known.requests = {{shape, shape, {}}};
  known.peak.flopsOneThread = 1024;
  known.peak.bytesOneThread = 1;
  ModelSites sites = collectSites(known);
  std::vector<size_t> products = find(sites, "linalg.matmul");
  double seconds = 0;
  for (const OpSite &site : sites.sites)
    seconds += site.boundSeconds;
  double ofProducts = 0;
  for (size_t product : products)
    ofProducts += sites.sites[product].boundSeconds;
  EXPECT_DOUBLE_EQ(ofProducts, 3);
  EXPECT_DOUBLE_EQ(seconds, 3);
}

TEST_F(SitesTest, Explanations) {
  ModelSites sites = collect();
  std::vector<size_t> products = find(sites, "linalg.matmul");
  DecisionDatabase database;
  Observation seen;
  seen.key = {sites.sites[products[0]].signature, "machine", "tiles"};
  seen.choice = {{"rows", "7"}};
  seen.outcome = Outcome::Failed;
  seen.reason = "it crashed";
  llvm::cantFail(database.observe(seen));
  OptimizerResult result;
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::cantFail(explainOp("matmul", result, sites, database, "machine", os));
  EXPECT_NE(text.find("2 ops that are alike"), std::string::npos) << text;
  EXPECT_NE(text.find("tiles rows=7"), std::string::npos) << text;
  EXPECT_NE(text.find("not applied"), std::string::npos) << text;
  EXPECT_NE(text.find("it crashed"), std::string::npos) << text;
  EXPECT_NE(text.find(sites.sites[products[1]].signature.exact),
            std::string::npos);
  llvm::Error error =
      explainOp("nothing like it", result, sites, database, "machine", os);
  EXPECT_TRUE(error.isA<InputError>());
  llvm::consumeError(std::move(error));
}

} // namespace
