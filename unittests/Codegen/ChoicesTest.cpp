//===- ChoicesTest.cpp - Choices made for an op ---------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Codegen/Choices.h"
#include "mlir-prof/Codegen/Algorithms.h"
#include "mlir-prof/Module/ModuleReader.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::codegen;
using namespace mlirprof::module;

namespace {

class ChoicesTest : public testing::Test {
protected:
  ChoicesTest() { prepareContext(context); }

  /// The first op named `name` in `text`.
  mlir::Operation *find(llvm::StringRef text, llvm::StringRef name) {
    modules.push_back(mlir::parseSourceString<mlir::ModuleOp>(text, &context));
    mlir::Operation *found = nullptr;
    if (modules.back())
      modules.back()->walk([&](mlir::Operation *op) {
        if (!found && op->getName().getStringRef() == name)
          found = op;
      });
    EXPECT_TRUE(found) << text.str();
    return found;
  }
  /// A function that carries `choice`.
  mlir::Operation *make(llvm::StringRef choice = "") {
    std::string attributes;
    if (!choice.empty())
      attributes = (" attributes {mlirprof.choice = " + choice + "}").str();
    return find("func.func @f()" + attributes + " { return }", "func.func");
  }
  static std::string print(mlir::Operation *op) {
    std::string text;
    llvm::raw_string_ostream os(text);
    if (mlir::Attribute choices = op->getDiscardableAttr(kChoiceAttribute))
      os << choices;
    return text;
  }

  mlir::MLIRContext context;
  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> modules;
};

TEST_F(ChoicesTest, GetAndSet) {
  mlir::Operation *op = make();
  EXPECT_EQ(getChoice(op, choice::kThreads, "count"), std::nullopt);
  setChoice(op, choice::kThreads, {{"count", "3"}});
  setChoice(op, choice::kTiles, {{"rows", "2"}, {"vectors", "4"}});
  EXPECT_EQ(getChoice(op, choice::kThreads, "count"), "3");
  EXPECT_EQ(getChoice(op, choice::kTiles, "vectors"), "4");
  EXPECT_EQ(getChoice(op, choice::kTiles, "columns"), std::nullopt);
  // All parameters of a technique are set together.
  setChoice(op, choice::kTiles, {{"rows", "6"}});
  EXPECT_EQ(getChoice(op, choice::kTiles, "vectors"), std::nullopt);
  setChoice(op, choice::kTiles, {});
  EXPECT_EQ(print(op), R"({threads = {count = "3"}})");
  setChoice(op, choice::kThreads, {});
  EXPECT_FALSE(op->hasAttr(kChoiceAttribute));
  // Removing an absent choice.
  setChoice(op, "unheard", {});
  EXPECT_FALSE(op->hasAttr(kChoiceAttribute));
}

TEST_F(ChoicesTest, NamesThatCannotBeReadAgain) {
  mlir::Operation *op = make();
  setChoice(op, "", {{"a", "b"}});
  setChoice(op, choice::kTiles, {{"", "b"}});
  EXPECT_FALSE(op->hasAttr(kChoiceAttribute));
  std::string odd = "a \"b\"\n\\ {\xC3\xA9}";
  setChoice(op, odd, {{odd, odd}, {"", "x"}});
  std::string text;
  llvm::raw_string_ostream os(text);
  modules.back()->print(os);
  mlir::Operation *again = find(text, "func.func");
  ASSERT_TRUE(again);
  EXPECT_EQ(getChoice(again, odd, odd), odd);
}

TEST_F(ChoicesTest, OtherForms) {
  for (llvm::StringRef choice :
       {"3 : i64", "\"threads\"", "[\"threads\"]", "{}", "{threads = \"3\"}",
        "{threads = {count = 3 : i64}}", "{threads = {count = [\"3\"]}}",
        "{threads = {}}"}) {
    mlir::Operation *op = make(choice), *other = make();
    EXPECT_EQ(getChoice(op, choice::kThreads, "count"), std::nullopt)
        << choice.str();
    copyChoices(op, other);
    setChoice(op, choice::kThreads, {{"count", "3"}});
    EXPECT_EQ(getChoice(op, choice::kThreads, "count"), "3") << choice.str();
  }
}

TEST_F(ChoicesTest, Numbers) {
  auto get = [&](llvm::StringRef text, int64_t most) {
    mlir::Operation *op = make();
    setChoice(op, choice::kThreads, {{"count", text.str()}});
    return getNumberChoice(op, choice::kThreads, "count", most);
  };
  EXPECT_EQ(get("0", 8), 0);
  EXPECT_EQ(get("8", 8), 8);
  EXPECT_EQ(get("9", 8), std::nullopt);
  for (llvm::StringRef text :
       {"", " ", "-1", "x", "0x4", "4 ", "4.0", "1e3",
        "99999999999999999999999999", "-9223372036854775808"})
    EXPECT_EQ(get(text, INT64_MAX), std::nullopt) << text.str();
  EXPECT_EQ(get("9223372036854775807", INT64_MAX), INT64_MAX);
}

TEST_F(ChoicesTest, Copies) {
  mlir::Operation *from = make(R"({algorithm = {name = "winograd4"},
    fusion = {with = "none"}, threads = {count = "1"}})");
  mlir::Operation *to = make(R"({threads = {count = "2"}})");
  copyChoices(from, to, choice::kFusion);
  // Existing choices stay, and an algorithm has already been carried out.
  EXPECT_EQ(print(to), R"({threads = {count = "2"}})");
  copyChoices(from, to);
  EXPECT_EQ(print(to),
            R"({fusion = {with = "none"}, threads = {count = "2"}})");
  // "direct" leaves no other trace.
  mlir::Operation *direct = make(R"({algorithm = {name = "direct"}})");
  copyChoices(direct, to);
  EXPECT_EQ(getChoice(to, choice::kAlgorithm, "name"), "direct");
  mlir::Operation *none = make();
  copyChoices(none, to);
  copyChoices(make(), none);
  EXPECT_FALSE(none->hasAttr(kChoiceAttribute));
}

TEST_F(ChoicesTest, Keeper) {
  mlir::Operation *function =
      find("func.func @f(%x: memref<4xf32>, %c: f32) {\n"
           "  linalg.fill {mlirprof.choice = {threads = {count = \"1\"}}}\n"
           "    ins(%c : f32) outs(%x : memref<4xf32>)\n  return\n}",
           "func.func");
  ASSERT_TRUE(function);
  mlir::Operation *fill = &function->getRegion(0).front().front();
  ChoiceKeeper keeper;
  mlir::IRRewriter rewriter(&context, &keeper);
  rewriter.setInsertionPoint(fill);
  auto make = [&] {
    return mlir::linalg::FillOp::create(
        rewriter, fill->getLoc(), fill->getOperand(0), fill->getOperand(1));
  };
  EXPECT_FALSE(make()->hasAttr(kChoiceAttribute));
  keeper.setSource(fill);
  EXPECT_EQ(getChoice(make(), choice::kThreads, "count"), "1");
  keeper.setSource(nullptr);
  EXPECT_FALSE(make()->hasAttr(kChoiceAttribute));
  stripChoices(function);
  EXPECT_FALSE(fill->hasAttr(kChoiceAttribute));
}

TEST_F(ChoicesTest, Algorithms) {
  auto names = [&](int64_t channels, llvm::StringRef weights, double maxError) {
    mlir::Operation *op = find(
        llvm::formatv(
            "func.func @f(%x: tensor<1x14x14x{0}xf32>,\n"
            "             %k: tensor<3x3x{0}x16xf32>)\n"
            "    -> tensor<1x12x12x16xf32> {{\n"
            "  %z = arith.constant 0.0 : f32\n  {1}\n"
            "  %e = tensor.empty() : tensor<1x12x12x16xf32>\n"
            "  %i = linalg.fill ins(%z : f32)\n"
            "    outs(%e : tensor<1x12x12x16xf32>) -> tensor<1x12x12x16xf32>\n"
            "  %r = linalg.conv_2d_nhwc_hwcf\n"
            "    ins(%x, %{2} : tensor<1x14x14x{0}xf32>,\n"
            "      tensor<3x3x{0}x16xf32>)\n"
            "    outs(%i : tensor<1x12x12x16xf32>) -> tensor<1x12x12x16xf32>\n"
            "  return %r : tensor<1x12x12x16xf32>\n}\n{3}",
            channels,
            weights.empty()
                ? ""
                : llvm::formatv("%w = arith.constant dense_resource<w> : "
                                "tensor<3x3x{0}x16xf32>",
                                channels)
                      .str(),
            weights.empty() ? "k" : "w",
            weights.empty()
                ? ""
                : "{-# dialect_resources: { builtin: { w: \"0x04000000" +
                      std::string(8 * 9 * 16 * channels, '0') + "\" } } #-}")
            .str(),
        "linalg.conv_2d_nhwc_hwcf");
    TargetModel target;
    target.maxError = maxError;
    std::vector<std::string> result;
    for (llvm::StringRef name : getAlgorithms(op, target))
      result.push_back(name.str());
    return result;
  };
  using Names = std::vector<std::string>;
  // The rules' default first. Small errors allow only the small tiles, a zero
  // error none.
  EXPECT_EQ(names(16, "w", 1),
            (Names{"winograd4", "winograd2", "direct", "product"}));
  EXPECT_EQ(names(4, "w", 1),
            (Names{"direct", "winograd4", "winograd2", "product"}));
  EXPECT_EQ(names(16, "w", 0), (Names{"direct", "product"}));
  EXPECT_EQ(names(16, "", 1), (Names{"direct", "product"}));
  EXPECT_EQ(names(3, "w", 1), (Names{"direct", "product"}));
  EXPECT_TRUE(getAlgorithms(make(), TargetModel()).empty());
}

} // namespace
