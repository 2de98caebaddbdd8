//===- RobustnessTest.cpp - Unusual models --------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JitModel.h"
#include "OddModel.h"
#include "mlir-prof/Codegen/ConstantScope.h"
#include "mlir-prof/Module/ModuleReader.h"
#include "mlir-prof/Support/Error.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <cmath>
#include <cstdlib>

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::test;

namespace {

llvm::Expected<CompiledModel> compileDefault(mlir::MLIRContext &context,
                                             llvm::StringRef text) {
  CompileOptions options;
  options.target = codegen::getHostTarget(1);
  return compileText(context, text, options);
}

std::string findError(llvm::StringRef text) {
  mlir::MLIRContext context;
  auto model = compileDefault(context, text);
  return model ? "" : llvm::toString(model.takeError());
}

/// The default pipeline computes the same results as the naive one.
void expectSameAsNaive(const OddModel &model) {
  SCOPED_TRACE(model.text);
  std::vector<TypedTensor> results[2];
  for (llvm::StringRef pipeline : {"naive", "default"}) {
    mlir::MLIRContext context;
    CompileOptions options;
    options.pipeline = pipeline.str();
    options.target = codegen::getHostTarget(1);
    options.identities = false;
    auto compiled = compileText(context, model.text, options);
    ASSERT_TRUE(bool(compiled)) << llvm::toString(compiled.takeError());
    auto result = run(*compiled, model.arguments);
    ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
    results[pipeline == "default"] = *result;
  }
  ASSERT_EQ(results[0].size(), results[1].size());
  for (auto [naive, rules] : llvm::zip(results[0], results[1]))
    EXPECT_EQ(naive.values, rules.values);
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

class DivisionTest : public ::testing::TestWithParam<const char *> {
protected:
  /// Sizes that do not fill vectors; divisors are 1 to 5.
  void check(const char *element, std::vector<int64_t> sizes, bool isDynamic,
             const OddMaps &maps, const std::string &iterators) {
    OddWriter writer(7);
    std::vector<unsigned> dims;
    for (int64_t size : sizes)
      dims.push_back(
          writer.addDim(size, isDynamic && dims.size() + 1 == sizes.size()));
    OddTensor a = writer.addArgument(dims, element, -90, 100);
    OddTensor b = writer.addArgument(dims, element, 1, 6);
    bool reduces = iterators.find('r') != std::string::npos;
    std::vector<unsigned> result = dims;
    if (reduces)
      result.pop_back();
    OddTensor init = writer.addFill(result, element, "0");
    std::string type = element, op = GetParam();
    writer.addResult(writer.addGeneric(
        {a, b}, init, maps, iterators,
        reduces ? "%q = arith." + op + " %x0, %x1 : " + type +
                      "\n    %r = arith.addi %o, %q : " + type + "\n"
                : "%r = arith." + op + " %x0, %x1 : " + type + "\n"));
    expectSameAsNaive(writer.finish());
  }
};

TEST_P(DivisionTest, LanesThatDoNotCountDoNotTrap) {
  check("i32", {13}, false, {"d0", "d0", "d0"}, "p");
  check("i64", {3}, false, {"d0", "d0", "d0"}, "p");
  check("i8", {5, 13}, true, {"d0, d1", "d0, d1", "d0, d1"}, "pp");
  check("i32", {7, 21}, true, {"d0, d1", "d0, d1", "d0"}, "pr");
}

INSTANTIATE_TEST_SUITE_P(Ops, DivisionTest,
                         ::testing::Values("divsi", "divui", "remsi", "remui",
                                           "ceildivsi", "ceildivui",
                                           "floordivsi"),
                         [](const auto &info) {
                           return std::string(info.param);
                         });

TEST(Robustness, OpsOfTwoResults) {
  for (const char *op : {"mulsi_extended", "mului_extended", "addui_extended"})
    for (const char *element : {"i32", "i8"}) {
      OddWriter writer(3);
      std::vector<unsigned> dims = {writer.addDim(77)};
      OddTensor a = writer.addArgument(dims, element, -100, 100);
      OddTensor b = writer.addArgument(dims, element, -100, 100);
      std::string type = element;
      bool isSum = llvm::StringRef(op) == "addui_extended";
      std::string lines =
          std::string("%lo, %hi = arith.") + op + " %x0, %x1 : " + type +
          (isSum ? ", i1" : "") +
          (isSum ? "\n    %w = arith.extui %hi : i1 to " + type +
                       "\n    %r = arith.addi %lo, %w : " + type
                 : "\n    %r = arith.xori %lo, %hi : " + type) +
          "\n";
      writer.addResult(writer.addGeneric({a, b}, writer.addEmpty(dims, element),
                                         {"d0", "d0", "d0"}, "p", lines));
      expectSameAsNaive(writer.finish());
    }
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

TEST(Robustness, ElementsFarApart) {
  for (int64_t stride : {2, 3, 5, 8, 9})
    for (int64_t size : {2, 3, 16, 21, 77}) {
      OddWriter writer(stride * 100 + size);
      unsigned rows = writer.addDim(5);
      // The last element that is read is the last one in memory.
      unsigned wide = writer.addDim((size - 1) * stride + 3);
      OddTensor a = writer.addArgument({rows, wide}, "i32");
      OddTensor init = writer.addFill({rows, writer.addDim(size)}, "i32", "0");
      std::string read = "d0, d1 * " + std::to_string(stride) + " + d2";
      // (The third loop is as long as this operand.)
      OddTensor window = writer.addArgument({writer.addDim(3)}, "i32");
      writer.addResult(writer.addGeneric(
          {a, window}, init, {read, "d2", "d0, d1"}, "ppr",
          "%q = arith.muli %x0, %x1 : i32\n%r = arith.addi %o, %q : i32\n"));
      expectSameAsNaive(writer.finish());
    }
}

TEST(Robustness, LastDimensionsThatAreShort) {
  for (std::vector<int64_t> sizes :
       std::vector<std::vector<int64_t>>{{150, 2}, {7, 5, 3}, {2, 33, 1, 1}}) {
    OddWriter writer(sizes.size());
    std::vector<unsigned> dims;
    std::string map;
    for (int64_t size : sizes) {
      map += (dims.empty() ? "d" : ", d") + std::to_string(dims.size());
      dims.push_back(writer.addDim(size));
    }
    OddTensor a = writer.addArgument(dims, "i32");
    OddTensor row = writer.addArgument({dims.front()}, "i32");
    writer.addResult(writer.addGeneric(
        {a, row}, writer.addEmpty(dims, "i32"), {map, "d0", map},
        std::string(sizes.size(), 'p'), "%r = arith.addi %x0, %x1 : i32\n"));
    writer.addResult(writer.addGeneric(
        {a, a}, writer.addEmpty(dims, "i32"), {map, map, map},
        std::string(sizes.size(), 'p'), "%r = arith.muli %x0, %x1 : i32\n"));
    expectSameAsNaive(writer.finish());
  }
}

TEST(Robustness, MatrixTimesVector) {
  for (const char *left : {"d0, d2", "d2, d0"})
    for (bool isDynamic : {false, true}) {
      OddWriter writer(11);
      unsigned m = writer.addDim(37, isDynamic), n = writer.addDim(1),
               k = writer.addDim(100);
      bool isTransposed = llvm::StringRef(left).starts_with("d2");
      OddTensor a =
          writer.addArgument(isTransposed ? std::vector<unsigned>{k, m}
                                          : std::vector<unsigned>{m, k},
                             "i32");
      OddTensor b = writer.addArgument({k, n}, "i32");
      OddTensor bias = writer.addArgument({n}, "i32");
      OddTensor product = writer.addGeneric(
          {a, b}, writer.addFill({m, n}, "i32", "1"),
          {left, "d2, d1", "d0, d1"}, "ppr",
          "%q = arith.muli %x0, %x1 : i32\n%r = arith.addi %o, %q : i32\n");
      writer.addResult(writer.addGeneric({product, bias},
                                         writer.addEmpty({m, n}, "i32"),
                                         {"d0, d1", "d1", "d0, d1"}, "pp",
                                         "%r = arith.addi %x0, %x1 : i32\n"));
      expectSameAsNaive(writer.finish());
    }
}

TEST(Robustness, SumsThatKeepMoreDimensionsThanLoops) {
  OddWriter writer(13);
  unsigned one = writer.addDim(1), channels = writer.addDim(5),
           rows = writer.addDim(7), columns = writer.addDim(9);
  OddTensor image = writer.addArgument({channels, rows, columns}, "i32");
  for (const char *place : {"0, d0, 0, 0", "d0, 0, 0, 0"}) {
    std::vector<unsigned> shape = {one, channels, one, one};
    if (place[0] == 'd')
      std::swap(shape[0], shape[1]);
    writer.addResult(writer.addGeneric(
        {image}, writer.addFill(shape, "i32", "3"), {"d0, d1, d2", place},
        "prr", "%r = arith.addi %o, %x0 : i32\n"));
  }
  expectSameAsNaive(writer.finish());
}

//===----------------------------------------------------------------------===//
// Ops that look like something else
//===----------------------------------------------------------------------===//

TEST(Robustness, SpreadPixelsWhoseZerosCount) {
  using Body = std::pair<const char *, const char *>;
  for (auto [element, lines] :
       {Body{"f32", "%m = arith.mulf %x0, %x1 : f32\n"
                    "%s = arith.addf %o, %m : f32\n"
                    "%r = arith.negf %s : f32\n"},
        // (There are 32 zeros before a zero.)
        Body{"i32", "%z = math.ctlz %x0 : i32\n"
                    "%m = arith.muli %z, %x1 : i32\n"
                    "%r = arith.addi %o, %m : i32\n"}}) {
    OddWriter writer(17);
    OddTensor pixels = writer.addArgument({writer.addDim(5)}, element),
              filter = writer.addArgument({writer.addDim(3)}, element),
              init = writer.addArgument({writer.addDim(9)}, element);
    OddTensor spread =
        writer.addFill({writer.addDim(11)}, element, getZero(element));
    writer.add("%spread = tensor.insert_slice " + pixels.name + " into " +
               spread.name + "[1] [5] [2] : " + writer.getType(pixels) +
               " into " + writer.getType(spread));
    spread.name = "%spread";
    writer.addResult(writer.addGeneric({spread, filter}, init,
                                       {"d0 + d1", "d1", "d0"}, "pr", lines));
    expectSameAsNaive(writer.finish());
  }
}

TEST(Robustness, IndexOfTheOpAround) {
  expectSameAsNaive({R"mlir(
func.func @main(%x: tensor<4xf32>, %f: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]} outs(%f : tensor<4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %c0 = arith.constant 0 : index
    %e = tensor.empty() : tensor<4xf32>
    %inner = linalg.generic {indexing_maps = [affine_map<(j) -> (j)>],
                             iterator_types = ["parallel"]}
        outs(%e : tensor<4xf32>) {
    ^bb0(%p: f32):
      %v = tensor.extract %x[%i] : tensor<4xf32>
      linalg.yield %v : f32
    } -> tensor<4xf32>
    %w = tensor.extract %inner[%c0] : tensor<4xf32>
    linalg.yield %w : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
)mlir",
                     {{"f32", {4}, {1, 2, 3, 4}}, {"f32", {4}, {0, 0, 0, 0}}}});
}

TEST(Robustness, CopiesThatStoreToo) {
  expectSameAsNaive({R"mlir(
func.func @main(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %m = memref.alloc() : memref<3xf32>
  %t = arith.constant dense<[1., 2., 3.]> : tensor<3xf32>
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%m : memref<3xf32>)
  %e = tensor.empty() : tensor<3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]} outs(%e : tensor<3xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %back = arith.subi %c2, %i : index
    %v = tensor.extract %t[%back] : tensor<3xf32>
    memref.store %v, %m[%i] : memref<3xf32>
    linalg.yield %v : f32
  } -> tensor<3xf32>
  %q = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>,
                                        affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
      ins(%x : tensor<3xf32>) outs(%e : tensor<3xf32>) {
  ^bb0(%p: f32, %o: f32):
    %i = linalg.index 0 : index
    %v = memref.load %m[%i] : memref<3xf32>
    %s = arith.addf %v, %p : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  return %r, %q : tensor<3xf32>, tensor<3xf32>
}
)mlir",
                     {{"f32", {3}, {0.5, 0.25, 4}}}});
}

//===----------------------------------------------------------------------===//
// The size of code
//===----------------------------------------------------------------------===//

/// A product and `count` functions after it, one op each.
std::string makeLongChain(unsigned count) {
  std::string text = R"mlir(
func.func @main(%a: tensor<77x64xf32>, %b: tensor<64x197xf32>)
    -> tensor<77x197xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<77x197xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<77x197xf32>)
    -> tensor<77x197xf32>
  %v0 = linalg.matmul
    ins(%a, %b : tensor<77x64xf32>, tensor<64x197xf32>)
    outs(%f : tensor<77x197xf32>) -> tensor<77x197xf32>
)mlir";
  for (unsigned i = 0; i < count; ++i)
    text += "  %v" + std::to_string(i + 1) + " = linalg." +
            (i % 2 ? "exp" : "tanh") + " ins(%v" + std::to_string(i) +
            " : tensor<77x197xf32>) outs(%e : tensor<77x197xf32>) -> "
            "tensor<77x197xf32>\n";
  return text + "  return %v" + std::to_string(count) +
         " : tensor<77x197xf32>\n}\n";
}

TEST(Robustness, CodeGrowsWithTheModelOnly) {
  size_t instructions[2];
  for (unsigned i : {0, 1}) {
    mlir::MLIRContext context;
    auto model = compileDefault(context, makeLongChain(i ? 60 : 30));
    ASSERT_TRUE(bool(model)) << llvm::toString(model.takeError());
    instructions[i] = model->program.instructions.size();
  }
  // A vector function takes 20 to 40 instructions.
  EXPECT_LT(instructions[1], 60u * 40 * 4);
  EXPECT_LT(instructions[1], 3 * instructions[0]);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

TEST(Robustness, ColdFunctionsAndSectionsOfTheirOwn) {
  mlir::MLIRContext context;
  auto model = compileDefault(context, R"mlir(
func.func private @check(%v: f32) {
  %false = arith.constant false
  cf.assert %false, "no"
  return
}
llvm.func @apart() attributes {section = ".text.apart"} { llvm.return }
func.func @main(%a: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %a[%c0] : memref<4xf32>
  %z = arith.constant 5.0 : f32
  %p = arith.cmpf ogt, %v, %z : f32
  scf.if %p { func.call @check(%v) : (f32) -> () }
  llvm.call @apart() : () -> ()
  return
}
)mlir");
  ASSERT_TRUE(bool(model)) << llvm::toString(model.takeError());
  EXPECT_GE(model->program.functions.size(), 3u);
}

TEST(Robustness, FunctionsCalledLikeThoseOfTheLibrary) {
  for (const char *name : {"malloc", "exp", "expf", "free", "memcpy"}) {
    SCOPED_TRACE(name);
    mlir::MLIRContext context;
    auto model = compileDefault(context, std::string("func.func @") + name +
                                             R"mlir((%a: tensor<4xf32>)
    -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>)
    -> tensor<4xf32>
  return %r : tensor<4xf32>
}
)mlir");
    ASSERT_TRUE(bool(model)) << llvm::toString(model.takeError());
    // The name in the model.
    EXPECT_EQ(model->program.entry, name);
    Tensor argument = {{4}, {0, 1, -1, 2}};
    auto result = run(*model, std::vector<Tensor>{argument}, 1);
    ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
    for (unsigned i = 0; i < 4; ++i)
      EXPECT_NEAR(result->values[i], std::exp(argument.values[i]), 1e-5);
  }
}

//===----------------------------------------------------------------------===//
// Resources
//===----------------------------------------------------------------------===//

TEST(Robustness, ResourcesThatAreNotThere) {
  std::string error = findError(R"mlir(
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %c = arith.constant dense_resource<__elided__> : tensor<4xf32> loc("here")
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.add ins(%a, %c : tensor<4xf32>, tensor<4xf32>)
    outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
)mlir");
  for (const char *part : {"here", "arith.constant", "__elided__", "elide"})
    EXPECT_NE(error.find(part), std::string::npos) << error;
  EXPECT_EQ(error.find("prof"), std::string::npos) << error;
}

TEST(Robustness, ResourcesThatAreANumber) {
  constexpr const char *text = R"mlir(
func.func @main(%a: tensor<2xf32>) -> (tensor<2xf32>, tensor<i64>, tensor<i1>) {
  %c = arith.constant dense_resource<half> : tensor<f32>
  %n = arith.constant dense_resource<count> : tensor<i64>
  %b = arith.constant dense_resource<truth> : tensor<i1>
  %e = tensor.empty() : tensor<2xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
      ins(%a, %c : tensor<2xf32>, tensor<f32>) outs(%e : tensor<2xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<2xf32>
  return %r, %n, %b : tensor<2xf32>, tensor<i64>, tensor<i1>
}
{-# dialect_resources: { builtin: {
  half: "0x040000000000003F", count: "0x08000000FEFFFFFFFFFFFFFF",
  truth: "0x0100000001" } } #-}
)mlir";
  for (const char *pipeline : {"naive", "default"}) {
    mlir::MLIRContext context;
    CompileOptions options;
    options.pipeline = pipeline;
    options.target = codegen::getHostTarget(1);
    auto model = compileText(context, text, options);
    ASSERT_TRUE(bool(model)) << llvm::toString(model.takeError());
    auto results = run(*model, {{"f32", {2}, {1, 2}}});
    ASSERT_TRUE(bool(results)) << llvm::toString(results.takeError());
    EXPECT_EQ((*results)[0].values, (std::vector<double>{1.5, 2.5}));
    EXPECT_EQ((*results)[1].values, std::vector<double>{-2});
    EXPECT_EQ((*results)[2].values, std::vector<double>{1});
  }
}

TEST(Robustness, ResourcesOfAnotherSize) {
  std::string error = findError(R"mlir(
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %c = arith.constant dense_resource<weights> : tensor<4xf32> loc("there")
  return %c : tensor<4xf32>
}
{-# dialect_resources: { builtin: {
  weights: "0x080000000000803F0000004000004040" } } #-}
)mlir");
  for (const char *part : {"there", "'weights'", "12 bytes", "16"})
    EXPECT_NE(error.find(part), std::string::npos) << error;
}

/// A crash of the thread that stores constants and levels, on the way to the
/// whole model and to the form that others go on with.
TEST(Robustness, CrashInTheBackground) {
  mlir::MLIRContext context;
  module::prepareContext(context);
  CompileOptions options;
  options.target = codegen::getHostTarget(1);
  options.choose = [&](mlir::ModuleOp) {
    auto *scope = codegen::ConstantScope::find(&context);
    EXPECT_NE(scope, nullptr);
    if (scope)
      scope->fillLater([] { std::abort(); });
    return llvm::Error::success();
  };
  auto parse = [&] {
    return mlir::parseSourceString<mlir::ModuleOp>(
        "func.func @main(%a: f32) -> f32 { return %a : f32 }", &context);
  };
  auto model = compileModel(parse(), options);
  ASSERT_FALSE(bool(model));
  EXPECT_NE(llvm::toString(model.takeError()).find("crashed"),
            std::string::npos);
  auto prepared = prepareModel(parse(), options, StageForm::Prepared);
  ASSERT_FALSE(bool(prepared));
  EXPECT_NE(llvm::toString(prepared.takeError()).find("crashed"),
            std::string::npos);
}

} // namespace
