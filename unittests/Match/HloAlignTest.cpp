//===- HloAlignTest.cpp - Programs with a changed module ------------------===//
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
/// by place, or without numbers.
struct Layers {
  std::vector<int> inner;
  bool areNumbered = true;
  /// A product that XLA rewrote, and which is then nameless.
  int nameless = -1;
  /// How many tanh each layer ends with.
  int curves = 0;
  /// Numbers of the layers in names, where these are not the places.
  std::vector<int> kept = {};
  /// Which product names what reshapes the one without a name; -1 without.
  int reshape = -1;
  /// Whether it does so in a fusion.
  bool isFused = false;

  std::string getName(size_t layer, bool isUp) const {
    if (!kept.empty())
      return "jit(f)/layer_" + std::to_string(kept[layer]) +
             (isUp ? "/up/dot" : "/down/dot");
    return areNumbered ? "jit(f)/layer_" + std::to_string(layer) + "/dot"
                       : "jit(f)/dot";
  }
};

/// The program that XLA runs for it; instruction i of 2n is product i of the
/// module.
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
  auto addKey = [&] {
    profile.opKeys.emplace_back(hlo.instructions.back().name, "",
                                HloInstructionKey{"jit_f", {}});
  };
  int64_t x = add("parameter", {8, 8}, {}, "");
  int count = 0;
  for (auto [i, n] : llvm::enumerate(layers.inner))
    for (bool isUp : {true, false}) {
      int64_t w = add("parameter", {isUp ? 8 : n, isUp ? n : 8}, {}, "");
      bool isNameless = count++ == layers.nameless;
      x = add("dot", {8, isUp ? n : 8}, {x, w},
              isNameless ? "" : layers.getName(i, isUp));
      addKey();
      if (isNameless && layers.reshape >= 0) {
        x = add(layers.isFused ? "fusion" : "bitcast", {8, isUp ? n : 8}, {x},
                layers.getName(size_t(layers.reshape) / 2,
                               layers.reshape % 2 == 0));
        addKey();
      }
      for (int curve = 0; !isUp && curve < layers.curves; ++curve) {
        x = add("tanh", {8, 8}, {x},
                layers.areNumbered
                    ? "jit(f)/layer_" + std::to_string(i) + "/tanh"
                    : "jit(f)/tanh");
        addKey();
      }
    }
  HloComputation entry;
  entry.rootId = x;
  entry.size = uint32_t(hlo.instructions.size());
  hlo.computations.push_back(entry);
  for (uint32_t i = 0; i < entry.size; ++i)
    if (hlo.instructions[i].opcode == "fusion") {
      HloComputation body;
      body.id = 1;
      body.firstInstruction = uint32_t(hlo.instructions.size());
      body.size = 2;
      std::vector<int64_t> shape = hlo.instructions[i].shape.dimensions;
      std::string name = hlo.instructions[i].opName;
      body.rootId =
          add("bitcast", shape, {add("parameter", shape, {}, "")}, name);
      for (uint32_t member = 0; member < 2; ++member)
        hlo.instructions[body.firstInstruction + member].computation = 1;
      hlo.instructions[i].calledComputationIds = {1};
      hlo.computations.push_back(body);
      break;
    }
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
  for (auto [layer, n] : llvm::enumerate(layers.inner))
    for (bool isUp : {true, false}) {
      std::string number = std::to_string(count++);
      std::string w = isUp ? type(8, n) : type(n, 8);
      arguments += ", %w" + number + ": " + w;
      body += "%" + number + " = \"stablehlo.dot_general\"(" + x + ", %w" +
              number + ") : (" + (isUp ? type(8, 8) : type(8, n)) + ", " + w +
              ") -> " + (isUp ? type(8, n) : type(8, 8)) + " loc(\"" +
              layers.getName(layer, isUp) + "\")\n";
      x = "%" + number;
      for (int i = 0; !isUp && i < layers.curves; ++i) {
        std::string curve = "%" + std::to_string(count++);
        body += curve + " = \"stablehlo.tanh\"(" + x + ") : (" + type(8, 8) +
                ") -> " + type(8, 8) + " loc(\"" +
                (layers.areNumbered
                     ? "jit(f)/layer_" + std::to_string(layer) + "/tanh"
                     : std::string("jit(f)/tanh")) +
                "\")\n";
        x = curve;
      }
    }
  return "func.func @f(" + arguments + ") -> " + type(8, 8) + " {\n" + body +
         "return " + x + " : " + type(8, 8) + "\n}\n";
}

/// For each recorded product, the products of the module that it may be.
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

/// A layer of other sizes in front renumbers the others, which keep their
/// identity.
TEST(HloAlignTest, SizesOutweighNumbersOfPlaces) {
  for (bool areNumbered : {true, false})
    EXPECT_EQ(matchProducts({{16, 24, 32}, areNumbered},
                            {{40, 16, 24, 32}, areNumbered}),
              (Found{{2}, {3}, {4}, {5}, {6}, {7}}));
}

/// Two of three similar layers were recorded: each may be two of them, but not
/// the one that it cannot be given the other.
TEST(HloAlignTest, LayersAlikeAreShared) {
  for (bool areNumbered : {true, false})
    EXPECT_EQ(
        matchProducts({{16, 16}, areNumbered}, {{16, 16, 16}, areNumbered}),
        (Found{{0, 2}, {1, 3}, {2, 4}, {3, 5}}));
}

/// Two of three similar recorded layers are left: it is unknown which.
TEST(HloAlignTest, LayersThatCompeteHaveNoOp) {
  EXPECT_EQ(matchProducts({{16, 16, 16}}, {{16, 16}}),
            (Found{{}, {}, {}, {}, {}, {}}));
}

/// One of three layers was removed, by its sizes the middle one.
TEST(HloAlignTest, RemovedLayerHasNoOp) {
  EXPECT_EQ(matchProducts({{16, 24, 32}}, {{16, 32}}),
            (Found{{0}, {1}, {}, {}, {2}, {3}}));
}

/// Ops between products that may be gone may be gone with them; ops next to a
/// product that is certainly gone are not its neighbors.
TEST(HloAlignTest, WhatIsAroundGoneProductsIsNotChosen) {
  EXPECT_EQ(matchProducts({{16, 16, 16}, true, -1, 1}, {{16, 16}, true, -1, 1}),
            (Found{{}, {}, {}, {}, {}, {}, {}, {}, {}}));
  EXPECT_EQ(matchProducts({{16, 24, 32}, true, -1, 1}, {{16, 32}, true, -1, 1}),
            (Found{{0}, {1}, {}, {}, {}, {}, {3}, {4}, {5}}));
}

/// Where each product is found, ops of one name between them go by what they
/// use; where one may be new, they do not.
TEST(HloAlignTest, NeighborsTellOpsOfOneNameBetweenProducts) {
  Layers recorded = {{16, 24}, false, -1, 2};
  EXPECT_EQ(matchProducts(recorded, {{40, 56}, false, -1, 2}),
            (Found{{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}}));
  EXPECT_EQ(matchProducts(recorded, {{16, 24, 24}, false, -1, 2})[2],
            (std::vector<int>{2, 3, 6, 7}));
}

TEST(HloAlignTest, WidenedLayerStaysBetweenTheOthers) {
  for (bool areNumbered : {true, false})
    EXPECT_EQ(
        matchProducts({{16, 24, 32}, areNumbered}, {{16, 40, 32}, areNumbered}),
        (Found{{0}, {1}, {2}, {3}, {4}, {5}}));
}

/// A nameless product is one between those with a name.
TEST(HloAlignTest, NamelessProductsOfOtherSizesGoByOrder) {
  for (bool areNumbered : {true, false})
    for (int nameless = 0; nameless < 6; ++nameless)
      EXPECT_EQ(matchProducts({{16, 24, 32}, areNumbered, nameless},
                              {{56, 72, 88}, areNumbered}),
                (Found{{0}, {1}, {2}, {3}, {4}, {5}}))
          << nameless;
}

/// An op that only reshapes a result has the name that the rewritten product
/// lost, and belongs to that product.
TEST(HloAlignTest, ReshapesNameProductsThatWereWrittenAnew) {
  Layers changed = {{16, 16, 16}, true, -1, 0, {9, 0, 1}};
  Layers recorded = {{16, 16}, true, 0, 0, {0, 1}};
  EXPECT_EQ(matchProducts(recorded, changed), (Found{{0, 2}, {3}, {4}, {5}}));
  recorded.reshape = 0;
  for (bool isFused : {false, true}) {
    recorded.isFused = isFused;
    EXPECT_EQ(matchProducts(recorded, changed),
              (Found{{2}, {2}, {3}, {4}, {5}}));
  }
}

/// An op that prepares an operand has the name of the product that uses it.
TEST(HloAlignTest, ReshapesOfOperandsDoNotNameWhatMadeThem) {
  Layers changed = {{8, 8, 8}, true, -1, 0, {9, 0, 1}};
  Layers recorded = {{8, 8}, true, 0, 0, {0, 1}, 1};
  EXPECT_EQ(matchProducts(recorded, changed),
            (Found{{0, 1, 2}, {3}, {3}, {4}, {5}}));
}

/// A product with a stem that stays before all layers, so that the first one
/// seems to be its neighbor: there is no evidence for the place of a new layer.
TEST(HloAlignTest, WhatIsNextToAFoundProductIsNotChosen) {
  Layers recorded = {{40, 8, 8}, false}, changed = {{40, 8, 8, 8}, false};
  // The stem is found; the four products of two layers may be shifted by one or
  // two.
  EXPECT_EQ(matchProducts(recorded, changed),
            (Found{{0}, {1}, {2, 3, 4}, {3, 4, 5}, {4, 5, 6}, {5, 6, 7}}));
}

/// The same before a product that stays.
TEST(HloAlignTest, WhatIsNextToTheLastProductIsNotChosen) {
  Layers recorded = {{8, 8, 40}, false}, changed = {{8, 8, 8, 40}, false};
  EXPECT_EQ(matchProducts(recorded, changed),
            (Found{{0, 1, 2}, {1, 2, 3}, {2, 3, 4}, {3, 4, 5}, {6}, {7}}));
}

/// A layer of other sizes between others, each of which now has another
/// neighbor.
TEST(HloAlignTest, NewProductsAreLookedThrough) {
  EXPECT_EQ(matchProducts({{16, 24}, false}, {{16, 48, 24}, false}),
            (Found{{0}, {1}, {4}, {5}}));
}

/// With all widths doubled, each layer has the sizes of another one: names and
/// order contradict sizes, so both count.
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
  // Equally many, or with a gap: the number identifies the layer.
  EXPECT_EQ(getLabel({0, 1}, {0, 1}, "l_1/conv2"), "l_1/conv_2/");
  EXPECT_EQ(getLabel({0, 1, 2}, {0, 2}, "l_2/conv2"), "l_2/conv_2/");
  EXPECT_EQ(getLabel({0, 1}, {9, 0, 1}, "l_9/conv2"), "l_9/conv_2/");
  EXPECT_EQ(getLabel({0, 1, 2}, {1, 2}, "l_2/conv2"), "l_2/conv_2/");
  // Both without a gap, but not equally far: the number is a place.
  EXPECT_EQ(getLabel({0, 1}, {0, 1, 2}, "l_1/conv2"), "l_#/conv_2/");
  EXPECT_EQ(getLabel({1, 2, 3}, {1, 2}, "l_2/conv1"), "l_#/conv_1/");
}

/// Ops that a compiler may have removed say nothing about layers, unless a
/// product with the same prefix does.
TEST(ScopeNamesTest, WhatIsLeftOutIsNoLayerThatCame) {
  using Trace = ScopeNumbers::Trace;
  auto getLabel = [](Trace trace, llvm::StringRef product) {
    ScopeNumbers numbers;
    for (int i : {0, 1, 2}) {
      auto add = [&](llvm::StringRef name, Trace which) {
        ScopeName scopes(("l/" + name + std::to_string(i)).str());
        numbers.add(ScopeNumbers::Side::Module, scopes, 2, which);
        if (i != 2)
          numbers.add(ScopeNumbers::Side::Recorded, scopes, 2);
      };
      add("spread", trace);
      if (!product.empty())
        add(product, Trace::Sure);
    }
    return numbers.getLabel(ScopeName("l/spread1"), 2);
  };
  EXPECT_EQ(getLabel(Trace::Unlikely, ""), "l_0/spread_1/");
  EXPECT_EQ(getLabel(Trace::Likely, ""), "l_0/spread_#/");
  EXPECT_EQ(getLabel(Trace::Unlikely, "dot"), "l_0/spread_#/");
}

TEST(ScopeNamesTest, Parts) {
  ScopeName name("enc/layer_10/conv2d/x-3/99999999999999999999");
  EXPECT_EQ(name.numbers, (std::vector<uint64_t>{0, 10, 0, 3, 0}));
  EXPECT_EQ(name.getText(5), "enc/layer/conv2d/x/99999999999999999999/");
  EXPECT_EQ(name.getText(2), "x/99999999999999999999/");
}

} // namespace
