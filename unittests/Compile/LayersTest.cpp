//===- LayersTest.cpp - Tests of alike layers compiled once ---------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Compile/Repeats/RepeatedCode.h"
#include "JitModel.h"
#include "mlir-prof/Dialect/Prof/Identity.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::test;

namespace {

constexpr unsigned kLayers = 32;

/// How a model departs from layers that differ in their weights alone.
enum class Oddity {
  None,
  OtherNumber,
  ZeroWeights,
  OneNaN,
  SharedByAll,
  OneLayer,
  SharedByTwo,
  UsedBehind,
  ReadsTwoBack,
  Alternates,
  ResultInside,
};

/// Writes a model of layers x + tanh(x W + b) * c.
class LayerWriter {
public:
  explicit LayerWriter(Oddity oddity) : oddity(oddity) {}

  std::string write();

private:
  /// A constant of `elements` numbers as the resource `name`.
  void addResource(const std::string &name, size_t elements, unsigned seed);
  void addConstants(unsigned layer);
  void addLayer(unsigned layer);
  std::string getWeights(unsigned layer) const;
  void line(const std::string &text, const std::string &place);

  Oddity oddity;
  std::string body, constants, resources;
};

void LayerWriter::line(const std::string &text, const std::string &place) {
  body += text + " loc(\"" + place + "\")\n";
}

void LayerWriter::addResource(const std::string &name, size_t elements,
                              unsigned seed) {
  Tensor tensor = makeTensor({int64_t(elements)}, seed);
  if (oddity == Oddity::ZeroWeights && seed == 17)
    llvm::fill(tensor.values, 0.0f);
  if (oddity == Oddity::OneNaN && seed == 1017)
    tensor.values[3] = NAN;
  llvm::StringRef bytes(reinterpret_cast<const char *>(tensor.values.data()),
                        elements * sizeof(float));
  resources += (resources.empty() ? "" : ", ") + name + ": \"0x04000000" +
               llvm::toHex(bytes) + "\"";
}

std::string LayerWriter::getWeights(unsigned layer) const {
  if (oddity == Oddity::SharedByAll || oddity == Oddity::OneLayer)
    return "w0";
  if (oddity == Oddity::SharedByTwo && layer == 12)
    return "w11";
  return "w" + std::to_string(layer);
}

void LayerWriter::addConstants(unsigned layer) {
  addResource("w" + std::to_string(layer), 32 * 32, layer);
  addResource("b" + std::to_string(layer), 32, 1000 + layer);
  constants += llvm::formatv(
      "%w{0} = arith.constant dense_resource<{1}> : tensor<32x32xf32> "
      "loc(\"layer{0}/w\")\n"
      "%b{0} = arith.constant dense_resource<b{2}> : tensor<32xf32> "
      "loc(\"layer{0}/b\")\n",
      layer, getWeights(layer), oddity == Oddity::OneLayer ? 0 : layer);
}

void LayerWriter::addLayer(unsigned layer) {
  std::string place = "layer" + std::to_string(layer) + "/";
  std::string type = "tensor<8x32xf32>";
  unsigned before =
      oddity == Oddity::ReadsTwoBack && layer > 1 ? layer - 2 : layer;
  line(llvm::formatv("%f{0} = linalg.fill ins(%zero : f32) outs(%e : {1}) -> "
                     "{1}",
                     layer, type),
       place + "fill");
  line(llvm::formatv("%m{0} = linalg.matmul ins(%x{0}, %w{0} : {1}, "
                     "tensor<32x32xf32>) outs(%f{0} : {1}) -> {1}",
                     layer, type),
       place + "matmul");
  bool isOther = oddity == Oddity::OtherNumber && layer == 13;
  bool isSine = oddity == Oddity::Alternates && layer % 2;
  body += llvm::formatv(
      "%x{0} = linalg.generic {{indexing_maps = [#m, #b, #m, #m], "
      "iterator_types = [\"parallel\", \"parallel\"]} ins(%m{1}, %b{1}, %x{2} "
      ": {3}, tensor<32xf32>, {3}) outs(%e : {3}) {{\n"
      "^bb0(%a: f32 loc(\"{4}a\"), %b: f32 loc(\"{4}bias\"), "
      "%c: f32 loc(\"{4}c\"), %o: f32 loc(\"{4}o\")):\n"
      "%s = arith.addf %a, %b : f32 loc(\"{4}sum\")\n"
      "%t = math.{5} %s : f32 loc(\"{4}tanh\")\n"
      "%p = arith.mulf %t, %{6} : f32 loc(\"{4}scale\")\n"
      "%r = arith.addf %p, %c : f32 loc(\"{4}add\")\n"
      "linalg.yield %r : f32 loc(\"{4}yield\")\n} -> {3} loc(\"{4}generic\")\n",
      layer + 1, layer, before, type, place, isSine ? "sin" : "tanh",
      isOther ? "half" : "third");
}

std::string LayerWriter::write() {
  for (unsigned layer = 0; layer < kLayers; ++layer)
    addConstants(layer);
  for (unsigned layer = 0; layer < kLayers; ++layer)
    addLayer(layer);
  bool isInside = oddity == Oddity::ResultInside;
  std::string behind = "%out = linalg.matmul ins(%x32, %w" +
                       std::string(oddity == Oddity::UsedBehind ? "7" : "0") +
                       " : tensor<8x32xf32>, tensor<32x32xf32>) outs(%x" +
                       (isInside ? "9" : "32") +
                       " : tensor<8x32xf32>) -> tensor<8x32xf32>\n";
  if (oddity == Oddity::None)
    behind = "%out = math.exp %x32 : tensor<8x32xf32>\n";
  if (oddity == Oddity::OtherNumber)
    constants += "%half = arith.constant 0.5 : f32\n";
  return "#m = affine_map<(i, j) -> (i, j)>\n#b = affine_map<(i, j) -> (j)>\n"
         "func.func @main(%x0: tensor<8x32xf32>) -> tensor<8x32xf32> {\n"
         "%zero = arith.constant 0.0 : f32\n"
         "%third = arith.constant 0.3 : f32\n" +
         constants + "%e = tensor.empty() : tensor<8x32xf32>\n" + body +
         behind + "return %out : tensor<8x32xf32>\n}\n" +
         "{-# dialect_resources: { builtin: { " + resources + " } } #-}\n";
}

//===----------------------------------------------------------------------===//
// The function alone
//===----------------------------------------------------------------------===//

class RepeatedCodeTest : public testing::Test {
protected:
  OwningOpRef<ModuleOp> parse(Oddity oddity) {
    context.loadDialect<arith::ArithDialect, func::FuncDialect,
                        linalg::LinalgDialect, math::MathDialect,
                        tensor::TensorDialect>();
    auto module =
        parseSourceString<ModuleOp>(LayerWriter(oddity).write(), &context);
    EXPECT_TRUE(module);
    return module;
  }

  static std::string print(ModuleOp module) {
    std::string text;
    llvm::raw_string_ostream os(text);
    module->print(os, OpPrintingFlags().elideLargeResourceString(16));
    module->walk<WalkOrder::PreOrder>([&](Operation *op) {
      os << op->getLoc() << '\n';
      for (Region &region : op->getRegions())
        for (BlockArgument argument : region.getArguments())
          os << argument.getLoc() << '\n';
    });
    return text;
  }

  static size_t countOps(ModuleOp module) {
    size_t count = 0;
    module.walk([&](linalg::LinalgOp) { ++count; });
    return count;
  }

  MLIRContext context;
};

TEST_F(RepeatedCodeTest, PutsBackWhatItTook) {
  OwningOpRef<ModuleOp> module = parse(Oddity::None);
  std::string before = print(*module);
  ASSERT_EQ(countOps(*module), kLayers * 3);
  codegen::ConstantScope constants(&context);
  auto repeated = RepeatedCode::shorten(*module, "main");
  ASSERT_TRUE(repeated);
  EXPECT_LE(countOps(*module), 5u * 3);
  ASSERT_TRUE(succeeded(repeated->expand(constants)));
  EXPECT_TRUE(print(*module) == before);
}

/// Layers of one layer's weights, as those of ALBERT, differ in their locations
/// alone.
TEST_F(RepeatedCodeTest, PutsBackLayersThatShareAllWeights) {
  OwningOpRef<ModuleOp> module = parse(Oddity::OneLayer);
  auto getPlaces = [&] {
    std::vector<Location> places;
    module->walk([&](linalg::LinalgOp op) { places.push_back(op->getLoc()); });
    return places;
  };
  std::vector<Location> before = getPlaces();
  codegen::ConstantScope constants(&context);
  auto repeated = RepeatedCode::shorten(*module, "main");
  ASSERT_TRUE(repeated);
  EXPECT_LT(getPlaces().size(), before.size());
  ASSERT_TRUE(succeeded(repeated->expand(constants)));
  EXPECT_TRUE(getPlaces() == before);
}

/// Passes that move constants to the front, one after the other, turn their
/// order.
TEST_F(RepeatedCodeTest, PutsBackConstantsInTheOppositeOrder) {
  auto turn = [](ModuleOp module) {
    auto function = *module.getOps<func::FuncOp>().begin();
    Block &block = function.front();
    for (auto op :
         llvm::make_early_inc_range(block.getOps<arith::ConstantOp>()))
      op->moveBefore(&block, block.begin());
  };
  OwningOpRef<ModuleOp> whole = parse(Oddity::None), module = whole->clone();
  turn(*whole);
  codegen::ConstantScope constants(&context);
  auto repeated = RepeatedCode::shorten(*module, "main");
  ASSERT_TRUE(repeated);
  turn(*module);
  ASSERT_TRUE(succeeded(repeated->expand(constants)));
  EXPECT_TRUE(print(*module) == print(*whole));
}

TEST_F(RepeatedCodeTest, RestoresTheWholeFunction) {
  OwningOpRef<ModuleOp> module = parse(Oddity::None);
  std::string before = print(*module);
  auto repeated = RepeatedCode::shorten(*module, "main");
  ASSERT_TRUE(repeated);
  repeated->restore();
  EXPECT_TRUE(print(*module) == before);
}

TEST_F(RepeatedCodeTest, ReadsSeveralLayersBack) {
  OwningOpRef<ModuleOp> module = parse(Oddity::ReadsTwoBack);
  std::string before = print(*module);
  codegen::ConstantScope constants(&context);
  auto repeated = RepeatedCode::shorten(*module, "main");
  ASSERT_TRUE(repeated);
  EXPECT_LT(countOps(*module), kLayers * 3u);
  // A value from farther back than the layer before.
  EXPECT_TRUE(failed(repeated->expand(constants)));
  repeated->restore();
  EXPECT_TRUE(print(*module) == before);
}

/// A pass that decides by the weights of one layer may decide otherwise by
/// those of another.
TEST_F(RepeatedCodeTest, FailsIfWeightsWereRead) {
  OwningOpRef<ModuleOp> module = parse(Oddity::None);
  codegen::ConstantScope constants(&context);
  auto repeated = RepeatedCode::shorten(*module, "main");
  ASSERT_TRUE(repeated);
  module->walk([&](arith::ConstantOp op) {
    if (auto value = dyn_cast<DenseResourceElementsAttr>(op.getValue()))
      constants.noteRead(value.getRawHandle().getResource());
  });
  EXPECT_TRUE(failed(repeated->expand(constants)));
}

/// A pass may make and read constants that no weight has to do with, if it says
/// so.
TEST_F(RepeatedCodeTest, LeavesConstantsOfNoLayerAlone) {
  for (bool hasRecipe : {true, false}) {
    OwningOpRef<ModuleOp> module = parse(Oddity::None);
    codegen::ConstantScope constants(&context);
    auto repeated = RepeatedCode::shorten(*module, "main");
    ASSERT_TRUE(repeated);
    auto type = RankedTensorType::get({4}, Float32Type::get(&context));
    auto table =
        hasRecipe
            ? codegen::makeConstant({type, "table", {}, [](auto, char *) {}})
            : DenseResourceElementsAttr::get(type, "table",
                                             codegen::allocateConstant(16));
    constants.add(table);
    constants.noteRead(table.getRawHandle().getResource());
    auto function = *module->getOps<func::FuncOp>().begin();
    auto builder = OpBuilder::atBlockBegin(&function.front());
    auto constant =
        arith::ConstantOp::create(builder, builder.getUnknownLoc(), table);
    math::ExpOp::create(builder, builder.getUnknownLoc(), constant);
    EXPECT_EQ(succeeded(repeated->expand(constants)), hasRecipe);
  }
}

TEST_F(RepeatedCodeTest, FailsIfLayersBecameUnlike) {
  OwningOpRef<ModuleOp> module = parse(Oddity::None);
  codegen::ConstantScope constants(&context);
  auto repeated = RepeatedCode::shorten(*module, "main");
  ASSERT_TRUE(repeated);
  unsigned count = 0;
  module->walk([&](linalg::MatmulOp op) {
    if (count++ < 3)
      op->setAttr("number",
                  Builder(&context).getI32IntegerAttr(int32_t(count)));
  });
  EXPECT_TRUE(failed(repeated->expand(constants)));
}

TEST_F(RepeatedCodeTest, LeavesUnlikeLayersAlone) {
  for (Oddity oddity :
       {Oddity::SharedByTwo, Oddity::UsedBehind, Oddity::ResultInside}) {
    OwningOpRef<ModuleOp> module = parse(oddity);
    EXPECT_FALSE(RepeatedCode::shorten(*module, "main")) << int(oddity);
    EXPECT_EQ(countOps(*module), kLayers * 3u + 1) << int(oddity);
  }
}

//===----------------------------------------------------------------------===//
// Whole builds
//===----------------------------------------------------------------------===//

class LayersTest : public testing::TestWithParam<Oddity> {
protected:
  static CompiledModel build(MLIRContext &context, const std::string &text,
                             bool sharesLayers, bool identities) {
    CompileOptions options;
    options.pipeline = "default";
    options.target = codegen::getHostTarget(1);
    options.sharesLayers = sharesLayers;
    options.identities = identities;
    auto model = compileText(context, text, options);
    EXPECT_TRUE(bool(model)) << llvm::toString(model.takeError());
    return model ? std::move(*model) : CompiledModel();
  }
};

/// The nodes of `model`, one a line.
std::string describe(const CompiledModel &model) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto list = [&](llvm::ArrayRef<uint32_t> numbers) {
    os << ' ';
    llvm::interleaveComma(numbers, os);
  };
  for (const profile::ProgramNode &node : model.program.nodes) {
    os << node.level << ' ' << node.op << ' ' << node.position << ' '
       << node.container << ' ' << node.location;
    list(node.parents);
    list(node.callers);
    os << '\n';
  }
  for (const profile::ProgramInstance &instance : model.program.instances) {
    os << instance.node << ' ' << instance.kernel;
    for (auto [op, origin] : instance.origins)
      os << ' ' << op << '<' << origin;
    os << '\n';
  }
  return text;
}

/// Everything that a build leaves is as if each layer had been compiled.
TEST_P(LayersTest, EqualWholeBuilds) {
  setenv("MLIR_PROF_CACHE", "off", 1);
  std::string text = LayerWriter(GetParam()).write();
  for (bool identities : {true, false}) {
    MLIRContext one, other;
    CompiledModel shared = build(one, text, true, identities),
                  whole = build(other, text, false, identities);
    EXPECT_EQ(describe(shared), describe(whole));
    ASSERT_EQ(shared.irModules.size(), whole.irModules.size());
    for (auto [a, b] : llvm::zip(shared.irModules, whole.irModules))
      EXPECT_TRUE(a.bytecode == b.bytecode) << a.level;
    Tensor x = makeTensor({8, 32}, 5);
    auto a = run(shared, std::vector<Tensor>{x}, 2),
         b = run(whole, std::vector<Tensor>{x}, 2);
    ASSERT_TRUE(bool(a) && bool(b));
    EXPECT_EQ(std::memcmp(a->values.data(), b->values.data(),
                          a->values.size() * sizeof(float)),
              0);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Oddities, LayersTest,
    testing::Values(Oddity::None, Oddity::OtherNumber, Oddity::ZeroWeights,
                    Oddity::OneNaN, Oddity::SharedByAll, Oddity::OneLayer,
                    Oddity::SharedByTwo, Oddity::UsedBehind,
                    Oddity::ReadsTwoBack, Oddity::Alternates,
                    Oddity::ResultInside));

} // namespace
