//===- NumberAlignmentTest.cpp - Mapping names to renumbered ones ---------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Match/NumberAlignment.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace mlirprof::match;

namespace {

using Names = std::vector<std::string>;

/// A product of rows of eight times 8xN.
struct Node {
  std::string name;
  int64_t inner = 8;
};

struct Sides {
  std::vector<Node> recorded, module;
  /// Names on both sides, and in the module alone.
  Names others, more;
};

/// The current names of the products of `sides.recorded`, and of
/// `sides.others`, which are both in the module and recorded: names, "?" if
/// another one fits as well, "=" if it is unchanged.
Names match(const Sides &sides) {
  NumberAlignment numbers;
  auto getInputs = [](const Node &node) {
    return NumberAlignment::Shapes{{4, 8}, {8, node.inner}};
  };
  for (const Node &node : sides.module)
    numbers.addModule(node.name, [&] { return getInputs(node); }, true);
  for (const std::string &name : sides.others)
    numbers.addModule(name, {}, false);
  for (const std::string &name : sides.more)
    numbers.addModule(name, {}, false);
  for (const Node &node : sides.recorded)
    numbers.addRecorded(node.name, getInputs(node), true);
  for (const std::string &name : sides.others)
    numbers.addRecorded(name, {}, false);
  numbers.run();
  Names result;
  auto add = [&](const std::string &name) {
    auto now = numbers.find(name);
    result.push_back(!now               ? "="
                     : now->isContested ? "?"
                                        : llvm::join(now->names, ","));
  };
  for (const Node &node : sides.recorded)
    add(node.name);
  for (const std::string &name : sides.others)
    add(name);
  return result;
}

std::vector<Node> makeLayers(std::vector<int64_t> inner) {
  std::vector<Node> nodes;
  for (size_t i = 0; i < inner.size(); ++i)
    nodes.push_back({"net/layer_" + std::to_string(i) + "/MatMul", inner[i]});
  return nodes;
}

} // namespace

TEST(NumberAlignmentTest, UnchangedNamesAreThemselves) {
  EXPECT_EQ(match({makeLayers({8, 8}), makeLayers({8, 8}), {}, {}}),
            (Names{"=", "="}));
}

/// A layer like the others may be new at any place.
TEST(NumberAlignmentTest, OneMoreIsShared) {
  EXPECT_EQ(
      match({makeLayers({8, 8}), makeLayers({8, 8, 8}), {"head/MatMul"}, {}}),
      (Names{"net/layer_0/MatMul,net/layer_1/MatMul",
             "net/layer_1/MatMul,net/layer_2/MatMul", "="}));
}

TEST(NumberAlignmentTest, OneLessIsContested) {
  EXPECT_EQ(match({makeLayers({8, 8, 8}), makeLayers({8, 8}), {}, {}}),
            (Names{"?", "?", "?"}));
}

/// Sizes identify the layers, and everything in them.
TEST(NumberAlignmentTest, SizesOutweighNumbersOfPlaces) {
  EXPECT_EQ(match({makeLayers({8, 16}),
                   makeLayers({24, 8, 16}),
                   {"net/layer_0/Relu", "net/layer_1/Relu"},
                   {"net/layer_2/Relu"}}),
            (Names{"net/layer_1/MatMul", "net/layer_2/MatMul",
                   "net/layer_1/Relu", "net/layer_2/Relu"}));
  EXPECT_EQ(match({makeLayers({8, 16, 24}), makeLayers({8, 24}), {}, {}}),
            (Names{"net/layer_0/MatMul", "", "net/layer_1/MatMul"}));
  // Two layers that changed places.
  EXPECT_EQ(match({makeLayers({8, 16, 24}), makeLayers({16, 8, 24}), {}, {}}),
            (Names{"net/layer_1/MatMul", "net/layer_0/MatMul", "="}));
  // A layer that is wider now stayed in place.
  EXPECT_EQ(match({makeLayers({8, 16, 24}), makeLayers({8, 32, 24}), {}, {}}),
            (Names{"=", "=", "="}));
}

/// A batch of other sizes is not evidence about the layers.
TEST(NumberAlignmentTest, SizesThatAllChangedTellNothing) {
  EXPECT_EQ(match({makeLayers({8, 16}), makeLayers({32, 64}), {}, {}}),
            (Names{"=", "="}));
  EXPECT_EQ(match({makeLayers({8, 16}), makeLayers({32, 64, 72}), {}, {}}),
            (Names{"net/layer_0/MatMul,net/layer_1/MatMul",
                   "net/layer_1/MatMul,net/layer_2/MatMul"}));
}

/// Numbers with a gap are names.
TEST(NumberAlignmentTest, NumbersThatWereKeptTell) {
  std::vector<Node> kept = {{"l_7/MatMul"}, {"l_0/MatMul"}, {"l_1/MatMul"}};
  EXPECT_EQ(match({{kept[1], kept[2]}, kept, {}, {}}), (Names{"=", "="}));
}

/// Counters of all nodes of a type, the first without a number. The last tanh
/// was not recorded; counters next to products count like them.
TEST(NumberAlignmentTest, CountersOfOneScope) {
  NumberAlignment numbers;
  for (const char *name : {"MatMulV2", "MatMulV2_1", "MatMulV2_2"})
    numbers.addModule(name, {}, true);
  for (const char *name : {"Tanh", "Tanh_1", "Tanh_2", "head/Tanh"})
    numbers.addModule(name, {}, false);
  for (const char *name : {"MatMulV2", "MatMulV2_1"})
    numbers.addRecorded(name, {}, true);
  for (const char *name : {"Tanh", "Tanh_1", "head/Tanh"})
    numbers.addRecorded(name, {}, false);
  EXPECT_TRUE(numbers.run());
  EXPECT_EQ(numbers.find("MatMulV2")->names, (Names{"MatMulV2", "MatMulV2_1"}));
  EXPECT_EQ(numbers.find("Tanh_1")->names, (Names{"Tanh_1", "Tanh_2"}));
  EXPECT_FALSE(numbers.find("head/Tanh"));
}

/// The names of calls before those of the op stay.
TEST(NumberAlignmentTest, CallersAreKept) {
  NumberAlignment numbers;
  for (const char *name : {"l1/MatMul", "l2/MatMul"})
    numbers.addModule(name, {}, true);
  numbers.addRecorded("call/l1/MatMul", {}, true);
  EXPECT_TRUE(numbers.run());
  EXPECT_EQ(numbers.find("call/l1/MatMul")->names,
            (Names{"call/l1/MatMul", "call/l2/MatMul"}));
}

TEST(NumberAlignmentTest, TypesOfProducts) {
  for (const char *type :
       {"MatMul", "_MklBatchMatMulV2", "Conv2D", "FusedGemm"})
    EXPECT_TRUE(isProductType(type)) << type;
  for (const char *type : {"Mul", "ConvertLayout", "Relu", ""})
    EXPECT_FALSE(isProductType(type)) << type;
}

/// A number beyond what is aligned, of 32 bits or more, or of very many groups,
/// leaves the names of its group as they are.
TEST(NumberAlignmentTest, LargeNumbersChangeNothing) {
  for (const char *number : {"1024", "4000000000", "4294967297"}) {
    NumberAlignment numbers;
    for (const char *name : {"l_0/MatMul", "l_1/MatMul", "l_2/MatMul"})
      numbers.addModule(name, {}, true);
    numbers.addModule("l_0/Add", {}, false);
    for (const char *name : {"l_0/MatMul", "l_1/MatMul"})
      numbers.addRecorded(name, {}, true);
    numbers.addRecorded("l_" + std::string(number) + "/Add", {}, false);
    EXPECT_FALSE(numbers.run()) << number;
    EXPECT_FALSE(numbers.find("l_0/MatMul")) << number;
  }
}

/// Scopes in which all pairs of many numbers fit are aligned up to a limit.
TEST(NumberAlignmentTest, ManyGroupsAreBounded) {
  NumberAlignment numbers;
  constexpr int kScopes = 64, kLayers = 1000;
  auto getName = [](int scope, int layer) {
    return "s" + std::string(scope, 'x') + "/l_" + std::to_string(layer) +
           "/MatMul";
  };
  for (int scope = 0; scope < kScopes; ++scope)
    for (int layer = 0; layer <= kLayers; ++layer) {
      numbers.addModule(getName(scope, layer), {}, true);
      if (layer < kLayers)
        numbers.addRecorded(getName(scope, layer), {}, true);
    }
  EXPECT_TRUE(numbers.run());
  // 2^24 pairs, of which each scope takes 1000 * 1001.
  int aligned = 0;
  for (int scope = 0; scope < kScopes; ++scope)
    aligned += numbers.find(getName(scope, 0)).has_value();
  EXPECT_EQ(aligned, 16);
}
