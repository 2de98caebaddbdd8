//===- HloAlignTest.cpp - Programs that meet a module which changed -------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Match/ScopeNames.h"
#include "Recordings.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::attribution;
using namespace mlirprof::match;
using namespace mlirprof::profile;
using namespace mlirprof::test;
using namespace mlirprof::trace;

namespace {

/// A layer: rows of 8 times 8xN, then times Nx8, with names that number layers
/// by place or have none.
struct Layers {
  std::vector<int> inner;
  bool areNumbered = true;
  /// A product that XLA wrote anew, which has no name then.
  int nameless = -1;
  /// Whether each layer ends with a tanh.
  bool haveCurves = false;

  std::string getName(size_t layer) const {
    return areNumbered ? "jit(f)/layer_" + std::to_string(layer) + "/dot"
                       : "jit(f)/dot";
  }
};

/// What XLA runs for it; instruction i of 2n is product i of the module.
Profile makeProfile(const Layers &layers) {
  HloModule hlo;
  hlo.name = "jit_f";
  int64_t id = 0;
  auto add = [&](llvm::StringRef opcode, std::vector<int64_t> shape,
                 std::vector<int64_t> operands, std::string name) {
    HloInstruction instruction;
    instruction.name = opcode.str() + "." + std::to_string(id);
    instruction.opcode = opcode.str();
    instruction.id = id++;
    instruction.shape.elementType = 11;
    instruction.shape.dimensions = std::move(shape);
    instruction.operandIds = std::move(operands);
    instruction.opName = std::move(name);
    hlo.instructions.push_back(instruction);
    return instruction.id;
  };
  Profile profile;
  int64_t x = add("parameter", {8, 8}, {}, "");
  int count = 0;
  for (auto [i, n] : llvm::enumerate(layers.inner))
    for (bool isUp : {true, false}) {
      int64_t w = add("parameter", {isUp ? 8 : n, isUp ? n : 8}, {}, "");
      x = add("dot", {8, isUp ? n : 8}, {x, w},
              count++ == layers.nameless ? "" : layers.getName(i));
      profile.opKeys.emplace_back(hlo.instructions.back().name, "",
                                  HloInstructionKey{"jit_f", {}});
      if (isUp || !layers.haveCurves)
        continue;
      x = add("tanh", {8, 8}, {x},
              layers.areNumbered ? "jit(f)/layer_" + std::to_string(i) + "/tanh"
                                 : "jit(f)/tanh");
      profile.opKeys.emplace_back(hlo.instructions.back().name, "",
                                  HloInstructionKey{"jit_f", {}});
    }
  HloComputation entry;
  entry.rootId = x;
  entry.size = uint32_t(hlo.instructions.size());
  hlo.computations.push_back(entry);
  profile.hloModules.push_back(hlo);
  return profile;
}

/// The module: op 0, its function: op 1, its products: ops 2 and on.
std::string makeModule(const Layers &layers) {
  auto type = [](int rows, int columns) {
    return "tensor<" + std::to_string(rows) + "x" + std::to_string(columns) +
           "xf32>";
  };
  std::string arguments = "%x: " + type(8, 8), body, x = "%x";
  int count = 0;
  for (auto [i, n] : llvm::enumerate(layers.inner))
    for (bool isUp : {true, false}) {
      std::string number = std::to_string(count++);
      std::string w = isUp ? type(8, n) : type(n, 8);
      arguments += ", %w" + number + ": " + w;
      body += "%" + number + " = \"stablehlo.dot_general\"(" + x + ", %w" +
              number + ") : (" + (isUp ? type(8, 8) : type(8, n)) + ", " + w +
              ") -> " + (isUp ? type(8, n) : type(8, 8)) + " loc(\"" +
              layers.getName(i) + "\")\n";
      x = "%" + number;
      if (isUp || !layers.haveCurves)
        continue;
      std::string curve = "%" + std::to_string(count++);
      body +=
          curve + " = \"stablehlo.tanh\"(" + x + ") : (" + type(8, 8) +
          ") -> " + type(8, 8) + " loc(\"" +
          (layers.areNumbered ? "jit(f)/layer_" + std::to_string(i) + "/tanh"
                              : std::string("jit(f)/tanh")) +
          "\")\n";
      x = curve;
    }
  return "func.func @f(" + arguments + ") -> " + type(8, 8) + " {\n" + body +
         "return " + x + " : " + type(8, 8) + "\n}\n";
}

/// For each recorded product those of the module that may be it.
std::vector<std::vector<int>> matchProducts(const Layers &recorded,
                                            const Layers &changed) {
  LoadedModule module = parseText(makeModule(changed));
  std::vector<std::vector<int>> found;
  for (const Match &match :
       matchProfile(makeProfile(recorded), *module.root).matches) {
    std::vector<int> ops;
    for (uint32_t op : match.ops)
      ops.push_back(int(op) - 2);
    EXPECT_EQ(match.matchClass, ops.empty()      ? MatchClass::Unmatched
                                : ops.size() > 1 ? MatchClass::Ambiguous
                                                 : MatchClass::Unique);
    EXPECT_EQ(ops.empty(), !match.reason.empty());
    found.push_back(std::move(ops));
  }
  return found;
}

using Found = std::vector<std::vector<int>>;

TEST(HloAlignTest, UnchangedModuleGoesByName) {
  EXPECT_EQ(matchProducts({{16, 16}}, {{16, 16}}), (Found{{0}, {1}, {2}, {3}}));
  EXPECT_EQ(matchProducts({{16, 16}, false}, {{16, 16}, false}),
            (Found{{0}, {1}, {2}, {3}}));
}

/// A layer of other sizes in front renumbers the others, which are themselves.
TEST(HloAlignTest, SizesOutweighNumbersOfPlaces) {
  for (bool areNumbered : {true, false})
    EXPECT_EQ(matchProducts({{16, 24, 32}, areNumbered},
                            {{40, 16, 24, 32}, areNumbered}),
              (Found{{2}, {3}, {4}, {5}, {6}, {7}}));
}

/// Of three layers alike, two were recorded: each may be two of them, and not
/// the one that it cannot be with the other beside it.
TEST(HloAlignTest, LayersAlikeAreShared) {
  for (bool areNumbered : {true, false})
    EXPECT_EQ(
        matchProducts({{16, 16}, areNumbered}, {{16, 16, 16}, areNumbered}),
        (Found{{0, 2}, {1, 3}, {2, 4}, {3, 5}}));
}

/// Of three recorded layers alike two are left: nobody knows which.
TEST(HloAlignTest, LayersThatCompeteHaveNoOp) {
  EXPECT_EQ(matchProducts({{16, 16, 16}}, {{16, 16}}),
            (Found{{}, {}, {}, {}, {}, {}}));
}

/// One of three layers was removed, by its sizes the middle one.
TEST(HloAlignTest, RemovedLayerHasNoOp) {
  EXPECT_EQ(matchProducts({{16, 24, 32}}, {{16, 32}}),
            (Found{{0}, {1}, {}, {}, {2}, {3}}));
}

/// What is between products of which nobody knows which are gone may be gone
/// with them; what is beside one that is gone for sure is not its neighbor.
TEST(HloAlignTest, WhatIsAroundGoneProductsIsNotChosen) {
  EXPECT_EQ(
      matchProducts({{16, 16, 16}, true, -1, true}, {{16, 16}, true, -1, true}),
      (Found{{}, {}, {}, {}, {}, {}, {}, {}, {}}));
  EXPECT_EQ(
      matchProducts({{16, 24, 32}, true, -1, true}, {{16, 32}, true, -1, true}),
      (Found{{0}, {1}, {}, {}, {}, {}, {3}, {4}, {5}}));
}

TEST(HloAlignTest, WidenedLayerStaysBetweenTheOthers) {
  for (bool areNumbered : {true, false})
    EXPECT_EQ(
        matchProducts({{16, 24, 32}, areNumbered}, {{16, 40, 32}, areNumbered}),
        (Found{{0}, {1}, {2}, {3}, {4}, {5}}));
}

/// A product without a name is what stands between those with one.
TEST(HloAlignTest, NamelessProductsOfOtherSizesGoByOrder) {
  for (bool areNumbered : {true, false})
    for (int nameless = 0; nameless < 6; ++nameless)
      EXPECT_EQ(matchProducts({{16, 24, 32}, areNumbered, nameless},
                              {{56, 72, 88}, areNumbered}),
                (Found{{0}, {1}, {2}, {3}, {4}, {5}}))
          << nameless;
}

/// A product with a stem that stays before all layers, so that the first one
/// seems to be what is next to it: nothing tells where a layer came.
TEST(HloAlignTest, WhatIsNextToAFoundProductIsNotChosen) {
  Layers recorded = {{40, 8, 8}, false}, changed = {{40, 8, 8, 8}, false};
  // The stem is found; the four products of two layers may be shifted by one or
  // two.
  EXPECT_EQ(matchProducts(recorded, changed),
            (Found{{0}, {1}, {2, 3, 4}, {3, 4, 5}, {4, 5, 6}, {5, 6, 7}}));
}

/// What was before a product that stays, too.
TEST(HloAlignTest, WhatIsNextToTheLastProductIsNotChosen) {
  Layers recorded = {{8, 8, 40}, false}, changed = {{8, 8, 8, 40}, false};
  EXPECT_EQ(matchProducts(recorded, changed),
            (Found{{0, 1, 2}, {1, 2, 3}, {2, 3, 4}, {3, 4, 5}, {6}, {7}}));
}

/// A layer of other sizes between others, of which each is next to another one
/// now.
TEST(HloAlignTest, NewProductsAreLookedThrough) {
  EXPECT_EQ(matchProducts({{16, 24}, false}, {{16, 48, 24}, false}),
            (Found{{0}, {1}, {4}, {5}}));
}

/// With all widths doubled, each layer has the sizes of another one: names and
/// order say one thing and sizes another, so that both count.
TEST(HloAlignTest, ContradictionIsShared) {
  Found found = matchProducts({{16, 32, 64}, false}, {{32, 64, 128}, false});
  for (auto [i, ops] : llvm::enumerate(found))
    EXPECT_TRUE(ops.empty() || llvm::is_contained(ops, int(i))) << i;
}

TEST(ScopeNamesTest, NumbersOfPlacesAndOfThings) {
  auto getLabel = [](std::vector<int> recorded, std::vector<int> module,
                     llvm::StringRef name) {
    ScopeNumbers numbers;
    auto add = [&](ScopeNumbers::Side side, const std::vector<int> &all) {
      for (int i : all)
        for (llvm::StringRef last : {"conv1", "conv2"})
          numbers.add(
              side, ScopeName("l_" + std::to_string(i) + "/" + last.str()), 2);
    };
    add(ScopeNumbers::Side::Recorded, recorded);
    add(ScopeNumbers::Side::Module, module);
    return numbers.getLabel(ScopeName(name), 2);
  };
  // As many, or with a gap: the number says what it is.
  EXPECT_EQ(getLabel({0, 1}, {0, 1}, "l_1/conv2"), "l_1/conv_2/");
  EXPECT_EQ(getLabel({0, 1, 2}, {0, 2}, "l_2/conv2"), "l_2/conv_2/");
  EXPECT_EQ(getLabel({0, 1}, {9, 0, 1}, "l_9/conv2"), "l_9/conv_2/");
  EXPECT_EQ(getLabel({0, 1, 2}, {1, 2}, "l_2/conv2"), "l_2/conv_2/");
  // Both without a gap, but not as far: of the place.
  EXPECT_EQ(getLabel({0, 1}, {0, 1, 2}, "l_1/conv2"), "l_#/conv_2/");
  EXPECT_EQ(getLabel({1, 2, 3}, {1, 2}, "l_2/conv1"), "l_#/conv_1/");
}

TEST(ScopeNamesTest, Parts) {
  ScopeName name("enc/layer_10/conv2d/x-3/99999999999999999999");
  EXPECT_EQ(name.numbers, (std::vector<uint64_t>{0, 10, 0, 3, 0}));
  EXPECT_EQ(name.getText(5), "enc/layer/conv2d/x/99999999999999999999/");
  EXPECT_EQ(name.getText(2), "x/99999999999999999999/");
}

} // namespace
