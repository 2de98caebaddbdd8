//===- AlignmentTest.cpp - Tests of alignments of two modules -------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Models are generated with a tag in the location of each op that identifies
// it, whatever was edited. The tags are removed before modules are aligned, so
// that they can judge the result. Time is the static cost.
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Module/Alignment.h"
#include "mlir-prof/Cost/StaticCost.h"
#include "mlir-prof/Module/ModuleReader.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

#include <functional>
#include <random>

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::cost;
using namespace mlirprof::module;
using namespace mlirprof::profile;

namespace {

/// The changes to a model.
struct Edit {
  /// The layers in order, by identity. One that is not below the model's number
  /// of layers is new.
  std::vector<int> layers = {0, 1, 2, 3};
  /// The layer whose inner width is half as large again, or -1.
  int widened = -1;
  /// Seed of the values of constants.
  int seed = 1;
  enum class Names { Kept, Stripped, Renumbered } names = Names::Kept;
  /// Weights are arguments of the function, not constants.
  bool weightsAreArguments = false;
  /// The op that comes before all layers: another kind than theirs.
  bool hasFront = false;
};

/// Writes a model as text.
class Emitter {
public:
  explicit Emitter(const Edit &edit) : edit(edit) {}

  std::string op(const std::string &tag, const std::string &code,
                 const std::string &type) {
    std::string value = "%v" + std::to_string(next++);
    body += value + " = " + code + " : " + type + " loc(\"" + name(tag) + "|" +
            tag + "\")\n";
    return value;
  }

  std::string weight(const std::string &tag, int rows, int columns) {
    std::string type = llvm::formatv("tensor<{0}x{1}xf32>", rows, columns);
    if (edit.weightsAreArguments) {
      std::string value = "%w" + std::to_string(next++);
      arguments += ", " + value + ": " + type;
      return value;
    }
    std::mt19937 random(std::hash<std::string>()(tag) + edit.seed);
    std::string values = "\"0x";
    for (int i = 0; i != rows * columns; ++i)
      values += llvm::formatv("{0}3D",
                              llvm::utohexstr(0x100000 + random() % 0xEFFFFF))
                    .str();
    return op(tag, "arith.constant dense<" + values + "\">", type);
  }

  /// y = a x b, of "rows x columns".
  std::string product(const std::string &tag, const std::string &a,
                      const std::string &b, int rows, int inner, int columns) {
    std::string out = llvm::formatv("tensor<{0}x{1}xf32>", rows, columns);
    std::string empty = opOf(tag + ".e", "tensor.empty()", out);
    return opOf(tag,
                llvm::formatv("linalg.matmul ins({0}, {1} : "
                              "tensor<{3}x{4}xf32>, tensor<{4}x{5}xf32>) "
                              "outs({2} : {6})",
                              a, b, empty, rows, inner, columns, out),
                "-> " + out);
  }

  std::string unary(const std::string &tag, const std::string &kind,
                    const std::string &a, int rows, int columns) {
    return op(tag, kind + " " + a,
              llvm::formatv("tensor<{0}x{1}xf32>", rows, columns));
  }
  std::string add(const std::string &tag, const std::string &a,
                  const std::string &b, int rows, int columns) {
    return op(tag, "arith.addf " + a + ", " + b,
              llvm::formatv("tensor<{0}x{1}xf32>", rows, columns));
  }

  /// The whole function; `result` is of 8 x 16.
  std::string finish(const std::string &result) {
    return "func.func @main(%x: tensor<8x16xf32>" + arguments +
           ") -> tensor<8x16xf32> {\n" + body + "return " + result +
           " : tensor<8x16xf32>\n}\n";
  }

  const Edit &edit;

private:
  /// For ops whose type is not after a colon.
  std::string opOf(const std::string &tag, const std::string &code,
                   const std::string &type) {
    std::string value = "%v" + std::to_string(next++);
    std::string text = type;
    bool isArrow = llvm::StringRef(type).starts_with("->");
    body += value + " = " + code + (isArrow ? " " : " : ") + text + " loc(\"" +
            name(tag) + "|" + tag + "\")\n";
    return value;
  }

  /// The name by frameworks: numbered by place in the model.
  std::string name(llvm::StringRef tag) const {
    auto [layer, rest] = tag.split('.');
    int number = 0;
    if (!layer.consume_front("layer") || layer.getAsInteger(10, number))
      return tag.str();
    if (edit.names == Edit::Names::Renumbered) {
      auto place = llvm::find(edit.layers, number);
      number = int(place - edit.layers.begin()) + edit.hasFront;
    }
    return llvm::formatv("block_{0}/{1}", number, rest);
  }

  std::string body;
  std::string arguments;
  int next = 0;
};

using Model = std::function<std::string(const Edit &)>;

std::string front(Emitter &e) {
  std::string x = "%x";
  if (e.edit.hasFront)
    x = e.product("front", "%x", e.weight("front.w", 16, 16), 8, 16, 16);
  return x;
}

/// Attention and two dense layers with a sum around each, as in T5's encoder.
std::string encoder(const Edit &edit) {
  Emitter e(edit);
  std::string x = front(e);
  for (int layer : edit.layers) {
    std::string t = llvm::formatv("layer{0}.", layer);
    int wide = layer == edit.widened ? 48 : 32;
    std::string q =
        e.product(t + "q", x, e.weight(t + "wq", 16, 16), 8, 16, 16);
    std::string k = e.product(t + "k", x, e.weight(t + "wk", 16, 8), 8, 16, 8);
    std::string s = e.product(t + "s", q, e.weight(t + "ws", 16, 8), 8, 16, 8);
    std::string m = e.add(t + "m", s, k, 8, 8);
    std::string p = e.unary(t + "p", "math.exp", m, 8, 8);
    std::string o = e.product(t + "o", p, e.weight(t + "wo", 8, 16), 8, 8, 16);
    std::string r = e.add(t + "r", x, o, 8, 16);
    std::string f =
        e.product(t + "f1", r, e.weight(t + "w1", 16, wide), 8, 16, wide);
    std::string g = e.unary(t + "g", "math.tanh", f, 8, wide);
    std::string h =
        e.product(t + "f2", g, e.weight(t + "w2", wide, 16), 8, wide, 16);
    x = e.add(t + "z", r, h, 8, 16);
  }
  return e.finish(e.unary("norm", "math.rsqrt", x, 8, 16));
}

/// Layers of dense products alone, as in a perceptron or a flattened CNN.
std::string chain(const Edit &edit) {
  Emitter e(edit);
  std::string x = front(e);
  for (int layer : edit.layers) {
    std::string t = llvm::formatv("layer{0}.", layer);
    int wide = layer == edit.widened ? 36 : 24;
    std::string a =
        e.product(t + "a", x, e.weight(t + "wa", 16, wide), 8, 16, wide);
    std::string b = e.unary(t + "relu", "math.absf", a, 8, wide);
    x = e.product(t + "b", b, e.weight(t + "wb", wide, 16), 8, wide, 16);
  }
  return e.finish(e.unary("head", "math.sqrt", x, 8, 16));
}

/// A module and the identities of its ops.
struct Tagged {
  OwningOpRef<ModuleOp> module;
  std::vector<std::string> tags;
  std::vector<uint64_t> costs;
};

class AlignmentTest : public ::testing::Test {
protected:
  AlignmentTest() : context(MLIRContext::Threading::DISABLED) {
    prepareContext(context);
  }

  /// Parses `text` and runs `passes`; takes the tags out of the locations.
  Tagged make(const std::string &text, Edit::Names names,
              llvm::ArrayRef<llvm::StringRef> passes = {}) {
    auto parsed = parseModule(
        llvm::MemoryBuffer::getMemBufferCopy(text, "generated"), context);
    if (!parsed)
      ADD_FAILURE() << llvm::toString(parsed.takeError());
    Tagged result;
    result.module = llvm::cast<ModuleOp>(parsed->release());
    PassManager manager(&context);
    for (llvm::StringRef pass : passes)
      manager.addPass(pass == "cse" ? createCSEPass()
                                    : createCanonicalizerPass());
    EXPECT_TRUE(succeeded(manager.run(*result.module)));
    result.module->walk<WalkOrder::PreOrder>([&](Operation *op) {
      std::string tag;
      if (auto location = dyn_cast<NameLoc>(op->getLoc())) {
        auto [name, own] = location.getName().getValue().split('|');
        tag = own.str();
        op->setLoc(names == Edit::Names::Stripped
                       ? Location(UnknownLoc::get(&context))
                       : NameLoc::get(StringAttr::get(&context, name)));
      }
      result.tags.push_back(tag);
      result.costs.push_back(getStaticCost(op));
    });
    return result;
  }

  struct Share {
    double right = 0;
    double wrong = 0;
  };

  /// Parts of the time that has a counterpart.
  Share judge(const Tagged &before, const Tagged &after,
              const Alignment &alignment) {
    llvm::StringMap<uint32_t> places;
    for (auto [place, tag] : llvm::enumerate(after.tags))
      if (!tag.empty())
        places[tag] = uint32_t(place);
    Share share;
    double all = 0;
    for (size_t i = 0; i != before.tags.size(); ++i) {
      // The body of a matmul is a part of it.
      if (before.tags[i].empty())
        continue;
      double cost = double(before.costs[i]);
      const Counterpart &found = alignment.ops[i];
      auto truth = places.find(before.tags[i]);
      bool isThere = truth != places.end();
      // A counterpart of an op that is gone is wrong as well.
      all += isThere ? cost : 0;
      for (uint32_t op : found.ops) {
        bool isRight = isThere && op == truth->second;
        (isRight ? share.right : share.wrong) +=
            cost / double(found.ops.size());
      }
    }
    share.right /= all;
    share.wrong /= all;
    return share;
  }

  Share align(const Model &model, const Edit &old, const Edit &now,
              llvm::ArrayRef<llvm::StringRef> passes = {}) {
    Tagged before = make(model(old), old.names),
           after = make(model(now), now.names, passes);
    return judge(before, after, alignModules(*before.module, *after.module));
  }

  MLIRContext context;
};

} // namespace

/// 95 % of the time that has a counterpart is placed right, and at most 0.5 %
/// wrong.
#define EXPECT_PLACED(SHARE)                                                   \
  do {                                                                         \
    auto share = SHARE;                                                        \
    EXPECT_GE(share.right, 0.95);                                              \
    EXPECT_LE(share.wrong, 0.005);                                             \
  } while (0)

static std::vector<Model> getModels() { return {encoder, chain}; }

static Edit makeEdit(std::vector<int> layers, Edit::Names names) {
  Edit edit;
  edit.layers = std::move(layers);
  edit.names = names;
  return edit;
}

constexpr Edit::Names kAllNames[] = {Edit::Names::Kept, Edit::Names::Stripped,
                                     Edit::Names::Renumbered};

TEST_F(AlignmentTest, LayersThatComeGoAndMove) {
  for (const Model &model : getModels())
    for (Edit::Names names : kAllNames)
      for (std::vector<int> layers :
           std::vector<std::vector<int>>{{0, 1, 2, 3},
                                         {4, 0, 1, 2, 3},
                                         {0, 1, 4, 2, 3},
                                         {0, 1, 2, 3, 4},
                                         {1, 2, 3},
                                         {0, 2, 3},
                                         {0, 1, 2},
                                         {1, 0, 2, 3},
                                         {3, 2, 1, 0}}) {
        SCOPED_TRACE(
            llvm::formatv("names {0}, layers {1:$[,]}", int(names),
                          llvm::make_range(layers.begin(), layers.end()))
                .str());
        EXPECT_PLACED(align(model, Edit(), makeEdit(layers, names)));
      }
}

TEST_F(AlignmentTest, OtherSizes) {
  for (const Model &model : getModels())
    for (Edit::Names names : kAllNames)
      for (int layer : {0, 2, 3}) {
        SCOPED_TRACE(
            llvm::formatv("names {0}, layer {1}", int(names), layer).str());
        Edit edit = makeEdit({0, 1, 2, 3}, names);
        edit.widened = layer;
        EXPECT_PLACED(align(model, Edit(), edit));
      }
}

TEST_F(AlignmentTest, OtherSeeds) {
  for (const Model &model : getModels())
    for (Edit::Names names : kAllNames) {
      Edit edit = makeEdit({0, 1, 2, 3}, names);
      edit.seed = 2;
      EXPECT_PLACED(align(model, Edit(), edit));
      edit.hasFront = true;
      EXPECT_PLACED(align(model, Edit(), edit));
    }
}

TEST_F(AlignmentTest, ALayerInFront) {
  for (const Model &model : getModels())
    for (bool areArguments : {false, true})
      for (Edit::Names names : kAllNames) {
        SCOPED_TRACE(
            llvm::formatv("names {0}, arguments {1}", int(names), areArguments)
                .str());
        Edit old, now = makeEdit({0, 1, 2, 3}, names);
        old.weightsAreArguments = now.weightsAreArguments = areArguments;
        now.hasFront = true;
        EXPECT_PLACED(align(model, old, now));
        EXPECT_PLACED(align(model, now, old));
      }
}

TEST_F(AlignmentTest, CanonicalizeAndCse) {
  for (const Model &model : getModels())
    for (Edit::Names names : kAllNames) {
      Edit edit = makeEdit({0, 1, 2, 3}, names);
      EXPECT_PLACED(align(model, Edit(), edit, {"canonicalize", "cse"}));
      edit = makeEdit({0, 4, 1, 2, 3}, names);
      EXPECT_PLACED(align(model, Edit(), edit, {"canonicalize", "cse"}));
    }
}

/// Two layers that nothing distinguishes, one of which is gone: it is unknown
/// which, so no time of either may go to one op alone.
TEST_F(AlignmentTest, EquallyGoodIsShared) {
  Edit old, now = makeEdit({0, 1, 2, 4, 3}, Edit::Names::Stripped);
  old.weightsAreArguments = now.weightsAreArguments = true;
  old.names = Edit::Names::Stripped;
  Tagged before = make(encoder(old), old.names),
         after = make(encoder(now), now.names);
  Alignment alignment = alignModules(*before.module, *after.module);
  for (auto [tag, counterpart] : llvm::zip_equal(before.tags, alignment.ops))
    if (llvm::StringRef(tag).starts_with("layer2."))
      EXPECT_NE(counterpart.ops.size(), 1u) << tag;
}

static const char *kHeads = R"(
func.func @main(%x: tensor<8x16xf32>, %a: tensor<16x16xf32>,
                %b: tensor<16x4xf32>)
    -> (tensor<8x16xf32>, tensor<8x4xf32>) {{
  {0}
  return %m, %n : tensor<8x16xf32>, tensor<8x4xf32>
}
)";

static const std::string kLarge =
    "%e = tensor.empty() : tensor<8x16xf32>\n"
    "%m = linalg.matmul ins(%x, %a : tensor<8x16xf32>, tensor<16x16xf32>) "
    "outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>\n";
static const std::string kSmall =
    "%f = tensor.empty() : tensor<8x4xf32>\n"
    "%n = linalg.matmul ins(%x, %b : tensor<8x16xf32>, tensor<16x4xf32>) "
    "outs(%f : tensor<8x4xf32>) -> tensor<8x4xf32>\n";

TEST_F(AlignmentTest, IndependentProductsInAnotherOrder) {
  Tagged before = make(llvm::formatv(kHeads, kSmall + kLarge).str(),
                       Edit::Names::Stripped),
         after = make(llvm::formatv(kHeads, kLarge + kSmall).str(),
                      Edit::Names::Stripped);
  Alignment alignment = alignModules(*before.module, *after.module);
  // The module, the function, twice an empty tensor and a matmul with three ops
  // in its body, the return.
  ASSERT_EQ(alignment.ops.size(), 13u);
  uint32_t expected[] = {0, 1, 7, 8, 9, 10, 11, 2, 3, 4, 5, 6, 12};
  for (uint32_t i = 0; i != 13; ++i)
    EXPECT_EQ(alignment.ops[i].ops,
              (llvm::SmallVector<uint32_t, 1>{expected[i]}))
        << i;
}

/// A product that an optimizer wrote in another form, with packed weights, has
/// its name alone in common with the one that was recorded.
TEST_F(AlignmentTest, RewrittenProductsKeepTheirNames) {
  auto parse = [this](llvm::StringRef product, llvm::StringRef type) {
    std::string text = "func.func @f(%x: tensor<8x16xf32>) -> "
                       "tensor<8x32xf32> {\n"
                       "  %w = arith.constant dense<1.0> : " +
                       type.str() +
                       "\n"
                       "  %e = tensor.empty() : tensor<8x32xf32> loc(\"up\")\n"
                       "  %y = " +
                       product.str() +
                       " loc(\"up\")\n"
                       "  return %y : tensor<8x32xf32>\n}\n";
    auto model = parseModule(
        llvm::MemoryBuffer::getMemBufferCopy(text, "generated"), context);
    if (!model)
      ADD_FAILURE() << llvm::toString(model.takeError());
    return std::move(*model);
  };
  auto before =
      parse("linalg.matmul ins(%x, %w : tensor<8x16xf32>, tensor<16x32xf32>) "
            "outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>",
            "tensor<16x32xf32>");
  auto after = parse(
      "linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, "
      "affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>], "
      "iterator_types = [\"parallel\", \"parallel\", \"reduction\"]} "
      "ins(%x, %w : tensor<8x16xf32>, tensor<32x16xf32>) "
      "outs(%e : tensor<8x32xf32>) {\n^bb0(%a: f32, %b: f32, %c: f32):\n"
      "%m = arith.mulf %a, %b : f32\n%s = arith.addf %c, %m : f32\n"
      "linalg.yield %s : f32\n} -> tensor<8x32xf32>",
      "tensor<32x16xf32>");
  Alignment alignment = alignModules(*before, *after);
  // The module, the function, the weights, the empty tensor, the product.
  EXPECT_EQ(alignment.ops[4].ops, (llvm::SmallVector<uint32_t, 1>{4}));
  EXPECT_EQ(alignment.ops[4].evidence, PairEvidence::Name);
}

/// Two layers changed places, as their names tell. Only the recorder names the
/// arguments.
TEST_F(AlignmentTest, NamesThatMovedOutweighOrder) {
  auto parse = [this](llvm::StringRef first, llvm::StringRef second,
                      llvm::StringRef argument) {
    auto model = parseModule(llvm::MemoryBuffer::getMemBufferCopy(
                                 llvm::formatv(R"(
func.func @f(%x: tensor<8xf32> {2}) -> tensor<8xf32> {{
  %a = math.exp %x : tensor<8xf32> loc("{0}")
  %b = math.exp %a : tensor<8xf32> loc("{1}")
  return %b : tensor<8xf32>
}
)",
                                               first, second, argument)
                                     .str()),
                             context);
    if (!model)
      ADD_FAILURE() << llvm::toString(model.takeError());
    return std::move(*model);
  };
  auto before = parse("l0/exp", "l1/exp", "loc(\"x\")");
  auto after = parse("l1/exp", "l0/exp", "");
  Alignment moved = alignModules(*before, *after);
  EXPECT_FALSE(moved.isIdentical);
  EXPECT_EQ(moved.ops[2].ops, (llvm::SmallVector<uint32_t, 1>{3}));
  EXPECT_EQ(moved.ops[3].ops, (llvm::SmallVector<uint32_t, 1>{2}));
  auto renamed = parse("l4/exp", "l5/exp", "");
  EXPECT_TRUE(alignModules(*before, *renamed).isIdentical);
}

/// Another batch, without common names and types.
TEST_F(AlignmentTest, SizesThatAreOthersThroughout) {
  std::string text = llvm::formatv(kHeads, kSmall + kLarge).str(), other = text;
  for (size_t at; (at = other.find("<8x")) != std::string::npos;)
    other.replace(at, 3, "<64x");
  Tagged before = make(text, Edit::Names::Stripped),
         after = make(other, Edit::Names::Stripped);
  Alignment alignment = alignModules(*before.module, *after.module);
  for (uint32_t product : {3u, 8u}) {
    EXPECT_EQ(alignment.ops[product].ops,
              (llvm::SmallVector<uint32_t, 1>{product}));
    EXPECT_EQ(alignment.ops[product].evidence, PairEvidence::OtherSizes);
  }
}

/// A product of other sizes at the same place of a different model.
TEST_F(AlignmentTest, AnotherModelHasNoCounterparts) {
  std::string other = llvm::formatv(kHeads, kLarge + kSmall).str();
  std::string text = R"(
func.func @main(%x: tensor<8x16xf32>, %a: tensor<16x32xf32>)
    -> tensor<8x32xf32> {
  %e = tensor.empty() : tensor<8x32xf32>
  %m = linalg.matmul ins(%x, %a : tensor<8x16xf32>, tensor<16x32xf32>)
      outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %m : tensor<8x32xf32>
}
)";
  Tagged before = make(other, Edit::Names::Stripped),
         after = make(text, Edit::Names::Stripped);
  Alignment alignment = alignModules(*before.module, *after.module);
  EXPECT_TRUE(alignment.ops[3].ops.empty());
  EXPECT_TRUE(alignment.ops[8].ops.empty());
}

/// MLIR stores the text between <{ and }> of ops of unregistered dialects
/// separately from their attributes: it distinguishes them all the same.
TEST_F(AlignmentTest, OpsOfUnknownDialectsAreToldByTheirProperties) {
  auto make = [&](const char *values, const char *kinds) {
    auto product = [&](int number) {
      return llvm::formatv(
                 "%w{0} = \"x.constant\"() <{{value = dense<[{1}.0, {1}.5]> : "
                 "tensor<2xf32>}> : () -> tensor<2xf32> loc(unknown)\n"
                 "%v{0} = \"x.dot\"(%v, %w{0}) <{{kind = {2} : i64}> : "
                 "(tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32> "
                 "loc(unknown)\n",
                 number, values[number], kinds[number])
          .str();
    };
    return "func.func @main(%v: tensor<2xf32>) -> (tensor<2xf32>, "
           "tensor<2xf32>) {\n" +
           product(0) + product(1) +
           "return %v0, %v1 : tensor<2xf32>, tensor<2xf32>\n}\n";
  };
  auto align = [&](const char *values, const char *kinds) {
    Tagged old = this->make(make("12", "34"), Edit::Names::Kept);
    Tagged now = this->make(make(values, kinds), Edit::Names::Kept);
    return alignModules(*old.module, *now.module);
  };
  // In pre-order: the module, the function, a constant, its product, and so on.
  Alignment byValues = align("21", "43"), byKinds = align("11", "43");
  ASSERT_EQ(byValues.ops.size(), 7u);
  EXPECT_EQ(byValues.ops[2].ops, (llvm::SmallVector<uint32_t, 1>{4}));
  EXPECT_EQ(byValues.ops[4].ops, (llvm::SmallVector<uint32_t, 1>{2}));
  EXPECT_EQ(byKinds.ops[3].ops, (llvm::SmallVector<uint32_t, 1>{5}));
  EXPECT_EQ(byKinds.ops[5].ops, (llvm::SmallVector<uint32_t, 1>{3}));
}

/// A stored module has zeros for the values of a resource, also of a small one:
/// they are not a splat of the model.
TEST_F(AlignmentTest, AModuleIsTheOneThatWasStored) {
  auto model = parseModule(llvm::MemoryBuffer::getMemBuffer(R"(
func.func @main() -> tensor<2xf32> {
  %w = arith.constant dense_resource<w> : tensor<2xf32>
  return %w : tensor<2xf32>
}
{-# dialect_resources: {builtin: {w: "0x040000000000803F00000040"}} #-})",
                                                            "generated"),
                           context);
  ASSERT_TRUE(bool(model)) << llvm::toString(model.takeError());
  Profile profile;
  ASSERT_FALSE(bool(storeModule(profile, "input", **model, "m")));
  auto stored = loadStoredModule(profile, "input", context);
  ASSERT_TRUE(bool(stored)) << llvm::toString(stored.takeError());
  KnownValues values = profile.irModules.front().values;
  ASSERT_EQ(values.size(), 1u);
  EXPECT_TRUE(alignModules(**stored, **model, values).isIdentical);
}
