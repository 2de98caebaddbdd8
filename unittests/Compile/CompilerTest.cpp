//===- CompilerTest.cpp - Input and output of the compiler ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JitModel.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

#include <cmath>

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::test;

namespace {

/// tanh(a * b + bias), with dynamic sizes and either layout of b.
constexpr const char *kDense = R"mlir(
func.func @main(%a: tensor<{0}x{1}xf32>, %b: tensor<{2}xf32>,
                %bias: tensor<{4}xf32>) -> tensor<{0}x{4}xf32> {{
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<{0}x{1}xf32>
  %e = tensor.empty({5}) : tensor<{0}x{4}xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<{0}x{4}xf32>)
    -> tensor<{0}x{4}xf32>
  %p = linalg.generic {{indexing_maps = [
      affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> {3}>,
      affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<{0}x{1}xf32>, tensor<{2}xf32>)
      outs(%f : tensor<{0}x{4}xf32>) {{
  ^bb0(%x: f32, %y: f32, %o: f32):
    %q = arith.mulf %x, %y : f32
    %s = arith.addf %o, %q : f32
    linalg.yield %s : f32
  } -> tensor<{0}x{4}xf32>
  %r = linalg.generic {{indexing_maps = [
      affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>,
      affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%p, %bias : tensor<{0}x{4}xf32>, tensor<{4}xf32>)
      outs(%e : tensor<{0}x{4}xf32>) {{
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    %t = math.tanh %s : f32
    linalg.yield %t : f32
  } -> tensor<{0}x{4}xf32>
  return %r : tensor<{0}x{4}xf32>
}
)mlir";

struct Shape {
  int64_t m, k, n;
  bool transposed, dynamic;
};

std::string makeDense(const Shape &shape) {
  return llvm::formatv(kDense, shape.dynamic ? "?" : std::to_string(shape.m),
                       shape.k,
                       shape.transposed
                           ? llvm::formatv("{0}x{1}", shape.n, shape.k).str()
                           : llvm::formatv("{0}x{1}", shape.k, shape.n).str(),
                       shape.transposed ? "(n, k)" : "(k, n)", shape.n,
                       shape.dynamic ? "%m" : "")
      .str();
}

/// The largest difference from the same computation in doubles.
double getError(const Shape &shape, const std::vector<Tensor> &arguments,
                const Tensor &result) {
  double worst = 0;
  for (int64_t i = 0; i < shape.m; ++i)
    for (int64_t j = 0; j < shape.n; ++j) {
      double sum = arguments[2].values[j];
      for (int64_t l = 0; l < shape.k; ++l)
        sum +=
            double(arguments[0].values[i * shape.k + l]) *
            arguments[1]
                .values[shape.transposed ? j * shape.k + l : l * shape.n + j];
      double error = std::tanh(sum) - result.values[i * shape.n + j];
      worst = std::isfinite(error) ? std::max(worst, std::abs(error)) : 1e9;
    }
  return worst;
}

class DenseTest : public ::testing::TestWithParam<Shape> {
protected:
  void check(llvm::StringRef pipeline) {
    const Shape &shape = GetParam();
    mlir::MLIRContext context;
    CompileOptions options;
    options.pipeline = pipeline;
    options.target = codegen::getHostTarget(1);
    auto model = compileText(context, makeDense(shape), options);
    ASSERT_TRUE(bool(model)) << llvm::toString(model.takeError());
    std::vector<Tensor> arguments = {makeTensor({shape.m, shape.k}, 1),
                                     shape.transposed
                                         ? makeTensor({shape.n, shape.k}, 2)
                                         : makeTensor({shape.k, shape.n}, 2),
                                     makeTensor({shape.n}, 3)};
    auto result = run(*model, arguments, 2);
    ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
    EXPECT_EQ(result->shape, (std::vector<int64_t>{shape.m, shape.n}));
    EXPECT_LT(getError(shape, arguments, *result), 1e-5);
  }
};

TEST_P(DenseTest, Naive) { check("naive"); }
TEST_P(DenseTest, Default) { check("default"); }
TEST_P(DenseTest, SingleFunction) { check("single-function"); }

INSTANTIATE_TEST_SUITE_P(Shapes, DenseTest,
                         ::testing::Values(Shape{8, 64, 32, false, false},
                                           Shape{77, 100, 197, false, false},
                                           Shape{77, 100, 197, true, false},
                                           Shape{1, 64, 10, false, false},
                                           Shape{1, 64, 10, true, false},
                                           Shape{13, 100, 77, false, true},
                                           Shape{7, 33, 5, true, true}));

std::string getFailure(llvm::StringRef text, llvm::StringRef entry = "",
                       llvm::StringRef pipeline = "naive") {
  mlir::MLIRContext context;
  CompileOptions options;
  options.entry = entry;
  options.pipeline = pipeline;
  options.target = codegen::getHostTarget(1);
  auto model = compileText(context, text, options);
  return model ? "" : llvm::toString(model.takeError());
}

constexpr const char *kTwo = R"mlir(
func.func @first(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
func.func @second(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
)mlir";

TEST(CompilerTest, Entry) {
  EXPECT_NE(getFailure("").find("not have a function with a body"),
            std::string::npos);
  EXPECT_NE(getFailure(kTwo).find("several public functions"),
            std::string::npos);
  EXPECT_NE(getFailure(kTwo, "third").find("no function 'third'"),
            std::string::npos);
  EXPECT_NE(getFailure(kTwo, "third").find("first, second"), std::string::npos);
  EXPECT_EQ(getFailure(kTwo, "second"), "");
}

TEST(CompilerTest, TypesThatCannotPass) {
  std::string failure =
      getFailure("func.func @main(%a: vector<4xf32>, %b: i32) { return }");
  EXPECT_NE(failure.find("'arg0' of function 'main' has type vector<4xf32>"),
            std::string::npos)
      << failure;
  EXPECT_NE(getFailure("func.func @main(%a: tensor<*xf32>) { return }")
                .find("cannot be passed"),
            std::string::npos);
}

TEST(CompilerTest, ModuleThatDoesNotVerify) {
  std::string failure = getFailure(
      R"mlir("func.func"() <{function_type = (i32) -> i32, sym_name = "main"}> ({
^bb0(%a: i32):
  "func.return"() : () -> () loc("model.py":7:3)
}) : () -> ())mlir");
  EXPECT_NE(failure.find("\"model.py\":7:3: 'func.return' op"),
            std::string::npos)
      << failure;
}

TEST(CompilerTest, OpWithoutLowering) {
  std::string failure = getFailure(R"mlir(func.func @main(%a: i32) -> i32 {
  %b = "acme.magic"(%a) : (i32) -> i32 loc("model.py":12:5)
  return %b : i32
})mlir");
  EXPECT_NE(failure.find(
                "\"model.py\":12:5: op 'acme.magic' does not have a lowering"),
            std::string::npos)
      << failure;
}

TEST(CompilerTest, OpOfUnknownLocation) {
  std::string failure = getFailure(R"mlir(func.func @main(%a: i32) -> i32 {
  %b = "acme.magic"(%a) : (i32) -> i32 loc(unknown)
  return %b : i32
})mlir");
  EXPECT_EQ(failure.find("an op of unknown location: op 'acme.magic' does not "
                         "have a lowering"),
            0u)
      << failure;
}

TEST(CompilerTest, OpsLeftAmongCasts) {
  // Casts to memrefs precede the op that does not have a lowering.
  constexpr const char *memset = R"mlir(func.func @main(%x: memref<4xf32>) {
  %v = arith.constant 1.0 : f32
  gpu.memset %x, %v : memref<4xf32>, f32 loc("model.py":12:5)
  return
})mlir";
  // The op is in a body without a location in the model.
  constexpr const char *floats =
      R"mlir(func.func @main(%x: memref<4xf8E4M3FN>, %y: memref<4xf32>) {
  linalg.copy ins(%x : memref<4xf8E4M3FN>) outs(%y : memref<4xf32>)
      loc("model.py":14:7)
  return
})mlir";
  for (const char *pipeline : {"naive", "default"}) {
    std::string failure = getFailure(memset, "", pipeline);
    EXPECT_NE(
        failure.find(
            "\"model.py\":12:5: op 'gpu.memset' does not have a lowering"),
        std::string::npos)
        << failure;
    failure = getFailure(floats, "", pipeline);
    EXPECT_NE(
        failure.find(
            "\"model.py\":14:7: type 'f8E4M3FN' does not have a lowering"),
        std::string::npos)
        << failure;
  }
}

TEST(CompilerTest, DialectThatIsNotMLIRs) {
  constexpr const char *text = R"mlir(
func.func @main(%a: tensor<4x8xf32>) -> tensor<4xf32> {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %b = "acme.reduce"(%a, %zero) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = "acme.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "acme.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32> loc("model.py":12:5)
  return %b : tensor<4xf32>
})mlir";
  for (const char *pipeline : {"naive", "default", "cse"}) {
    std::string failure = getFailure(text, "", pipeline);
    EXPECT_NE(
        failure.find(
            "\"model.py\":12:5: op 'acme.reduce' does not have a lowering"),
        std::string::npos)
        << failure;
  }
}

TEST(CompilerTest, Pipelines) {
  EXPECT_NE(getFailure(kTwo, "first", "canonicalise").find("canonicalise"),
            std::string::npos);
  EXPECT_NE(getFailure(kTwo, "first", "absent.mlir").find("no such file"),
            std::string::npos);
  EXPECT_EQ(getFailure(kTwo, "first", "canonicalize,cse"), "");
  EXPECT_EQ(getFailure(kTwo, "first", "builtin.module(canonicalize,cse)"), "");
}

TEST(CompilerTest, ResultsAreBuffersOfTheirOwn) {
  mlir::MLIRContext context;
  CompileOptions options;
  options.entry = "first";
  options.target = codegen::getHostTarget(1);
  auto model = compileText(context, kTwo, options);
  ASSERT_TRUE(bool(model)) << llvm::toString(model.takeError());
  std::vector<Tensor> arguments = {makeTensor({4}, 1)};
  auto result = run(*model, arguments, 1);
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  EXPECT_EQ(result->values, arguments[0].values);
}

static void checkLevels(llvm::StringRef pipeline, bool usesOpenMP,
                        const std::vector<std::string> &levels) {
  mlir::MLIRContext context;
  CompileOptions options;
  options.pipeline = pipeline.str();
  options.target = codegen::getHostTarget(2);
  auto model =
      compileText(context, makeDense({128, 256, 256, false, true}), options);
  ASSERT_TRUE(bool(model)) << llvm::toString(model.takeError());
  ASSERT_EQ(model->signature.arguments.size(), 3u);
  EXPECT_EQ(model->signature.arguments[0].elementType, "f32");
  EXPECT_EQ(model->signature.arguments[0].shape,
            (std::vector<int64_t>{INT64_MIN, 256}));
  ASSERT_EQ(model->signature.results.size(), 1u);
  EXPECT_EQ(model->usesOpenMP, usesOpenMP);
  EXPECT_EQ(model->usesExecutor, !usesOpenMP);
  EXPECT_EQ(model->program.levels, levels);
  ASSERT_EQ(model->irModules.size(), levels.size());
  for (size_t i = 0; i < levels.size(); ++i) {
    EXPECT_EQ(model->irModules[i].level, levels[i]);
    EXPECT_EQ(model->irModules[i].program, model->program.fingerprint);
  }
}

TEST(CompilerTest, SignatureAndLevels) {
  checkLevels(
      "default", /*usesOpenMP=*/false,
      {"input", "linalg", "dispatch", "tiled", "bufferized", "loops", "llvm"});
  checkLevels("single-function", /*usesOpenMP=*/true,
              {"input", "tiled", "bufferized", "loops", "llvm"});
}

} // namespace
