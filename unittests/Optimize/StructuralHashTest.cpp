//===- StructuralHashTest.cpp - Knowing an op again -----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Optimize/StructuralHash.h"
#include "mlir-prof/Compile/Compiler.h"
#include "mlir-prof/Module/ModuleReader.h"
#include "mlir-prof/Support/File.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::module;
using namespace mlirprof::optimize;
using namespace mlirprof::tuning;

namespace {

class StructuralHashTest : public testing::Test {
protected:
  StructuralHashTest() {
    prepareContext(context);
    context.allowUnregisteredDialects();
  }

  mlir::Operation *parse(llvm::StringRef text) {
    modules.push_back(mlir::parseSourceString<mlir::ModuleOp>(text, &context));
    if (!modules.back())
      ADD_FAILURE() << "does not parse: " << text.str();
    return modules.back() ? modules.back().get() : nullptr;
  }
  /// The signature of the only op called `name` in `text`.
  OpSignature sign(llvm::StringRef text, llvm::StringRef name) {
    OpSignature found;
    unsigned count = 0;
    if (mlir::Operation *module = parse(text))
      for (const SignedOp &op : getSignatures(module))
        if (op.op->getName().getStringRef() == name) {
          found = op.signature;
          ++count;
        }
    EXPECT_EQ(count, 1u) << text.str();
    return found;
  }

  mlir::MLIRContext context;
  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> modules;
};

/// A product and what follows it; each part can be changed.
struct Model {
  std::string element = "f32";
  unsigned m = 8, k = 16, n = 32;
  std::string before = "";
  std::string attributes = "";
  std::string body = "arith.maximumf %x, %y";
  std::string operands = "%a, %w";
  std::string constant = "dense_resource<weights>";

  std::string str() const {
    std::string in = llvm::formatv("tensor<{0}x{1}x{2}>", m, k, element);
    std::string weights = llvm::formatv("tensor<{0}x{1}x{2}>", k, n, element);
    std::string out = llvm::formatv("tensor<{0}x{1}x{2}>", m, n, element);
    return llvm::formatv(
        R"(func.func @main(%a: {0}, %b: {2}) -> {2} {{
  {3}
  %w = arith.constant {4} : {1}
  %p = linalg.matmul {5} ins({6} : {0}, {1}) outs(%b : {2}) -> {2}
  %r = linalg.generic {{
      indexing_maps = [affine_map<(i, j) -> (i, j)>,
                       affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%p : {2}) outs(%b : {2}) {{
    ^bb0(%x: {7}, %y: {7}):
      %z = {8} : {7}
      linalg.yield %z : {7}
  } -> {2}
  return %r : {2}
})",
        in, weights, out, before, constant, attributes, operands, element,
        body);
  }
};

constexpr llvm::StringLiteral kMatmul = "linalg.matmul";
constexpr llvm::StringLiteral kGeneric = "linalg.generic";

TEST_F(StructuralHashTest, CanonicalForm) {
  mlir::Operation *module = parse(R"(
func.func @main(%in: tensor<2x?xf32>, %out: tensor<2x?xf32>, %s: f32)
    -> tensor<2x?xf32> {
  %c = arith.constant 1.5 : f32
  %r = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>,
                       affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"], doc = "twice", prof.data = #prof.data<count = 1>}
      ins(%in : tensor<2x?xf32>) outs(%out : tensor<2x?xf32>) {
    ^bb0(%x: f32, %y: f32):
      %a = arith.mulf %x, %c : f32
      %b = arith.addf %a, %s : f32
      linalg.yield %b : f32
  } -> tensor<2x?xf32>
  return %r : tensor<2x?xf32>
})");
  ASSERT_TRUE(module);
  std::vector<SignedOp> ops = getSignatures(module);
  ASSERT_EQ(ops.size(), 2u);
  ops.erase(ops.begin()); // The function.
  std::string expected = R"(mlir-prof.op/1 exact
op linalg.generic
attribute 13:indexing_maps [map 2 0 (d0,d1),map 2 0 (d0,d1)]
attribute 14:iterator_types [#linalg.iterator_type<parallel>,#linalg.iterator_type<parallel>]
attribute 19:operandSegmentSizes array<i32: 1, 1>
operand %0:tensor<2x?xf32> argument
operand %1:tensor<2x?xf32> argument
result %2:tensor<2x?xf32>
region
block
argument %3:f32
argument %4:f32
op arith.mulf
attribute 8:fastmath #arith.fastmath<none>
operand %3
operand %5:f32 constant 0x3FC00000 f32
result %6:f32
end
op arith.addf
attribute 8:fastmath #arith.fastmath<none>
operand %6
operand %7:f32 argument
result %8:f32
end
op linalg.yield
operand %8
end
end
)";
  EXPECT_EQ(getCanonicalForm(ops[0].op, ShapeForm::Exact), expected);
  EXPECT_EQ(ops[0].signature.exact, contentHash(expected));
  size_t at;
  while ((at = expected.find("2x?x")) != std::string::npos)
    expected.replace(at, 4, "?x?x");
  expected.replace(expected.find("exact"), 5, "shape-erased");
  EXPECT_EQ(getCanonicalForm(ops[0].op, ShapeForm::Erased), expected);
  EXPECT_EQ(ops[0].signature.shapeErased, contentHash(expected));
  // Its only neighbors are arguments, a constant and the return.
  EXPECT_EQ(ops[0].signature.neighborhood, "");
}

TEST_F(StructuralHashTest, WhatChangesNothing) {
  Model model;
  OpSignature matmul = sign(model.str(), kMatmul);
  OpSignature generic = sign(model.str(), kGeneric);
  EXPECT_EQ(matmul.exact.size(), 32u);
  EXPECT_EQ(matmul.neighborhood.size(), 32u);
  auto same = [&](const Model &other) {
    EXPECT_EQ(sign(other.str(), kMatmul), matmul) << other.str();
    EXPECT_EQ(sign(other.str(), kGeneric), generic) << other.str();
  };
  Model other = model;
  other.before = "%q = arith.constant 3 : i32 loc(\"elsewhere\":3:4)";
  same(other);
  other = model;
  other.attributes =
      "{prof.data = #prof.data<count = 5>, profiler_data = {ts = 1}, x.y = 1}";
  same(other);
  // Weights of another training run.
  other = model;
  other.constant = "dense_resource<other>";
  same(other);
}

TEST_F(StructuralHashTest, Names) {
  std::string text = Model().str();
  OpSignature before = sign(text, kMatmul);
  for (auto [from, to] : {std::pair("%p", "%renamed"), {"%x", "%first"}})
    for (size_t at; (at = text.find(from)) != std::string::npos;)
      text.replace(at, 2, to);
  EXPECT_EQ(sign(text, kMatmul), before);
}

TEST_F(StructuralHashTest, PrintedAndReadAgain) {
  auto signatures = [](mlir::Operation *module) {
    std::vector<OpSignature> result;
    for (const SignedOp &op : getSignatures(module))
      result.push_back(op.signature);
    return result;
  };
  mlir::Operation *module = parse(Model().str());
  ASSERT_TRUE(module);
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os,
                mlir::OpPrintingFlags().printGenericOpForm().enableDebugInfo());
  // Data that an interface stores on the op for itself do not belong to it.
  module->walk([](mlir::linalg::LinalgOp op) { op.getIndexingMaps(); });
  mlir::Operation *again = parse(text);
  ASSERT_TRUE(again);
  EXPECT_EQ(signatures(again), signatures(module));
  EXPECT_EQ(signatures(again).size(), 3u);
}

TEST_F(StructuralHashTest, OtherShapes) {
  Model model;
  OpSignature old = sign(model.str(), kMatmul);
  Model wider = model;
  wider.n = 64;
  OpSignature now = sign(wider.str(), kMatmul);
  EXPECT_NE(now.exact, old.exact);
  EXPECT_EQ(now.shapeErased, old.shapeErased);
  EXPECT_NE(now.neighborhood, old.neighborhood);
}

TEST_F(StructuralHashTest, TypesOfOpsWithoutAttributes) {
  auto text = [](llvm::StringRef type) {
    return llvm::formatv("%e = tensor.empty() : {0}\n", type).str();
  };
  OpSignature four = sign(text("tensor<4xf32>"), "tensor.empty"),
              five = sign(text("tensor<5xf32>"), "tensor.empty"),
              half = sign(text("tensor<4xf16>"), "tensor.empty");
  EXPECT_NE(four.exact, five.exact);
  EXPECT_EQ(four.shapeErased, five.shapeErased);
  EXPECT_NE(four.shapeErased, half.shapeErased);
}

TEST_F(StructuralHashTest, WhatChangesTheOp) {
  Model model;
  OpSignature matmul = sign(model.str(), kMatmul);
  OpSignature generic = sign(model.str(), kGeneric);
  Model other = model;
  other.element = "f64";
  EXPECT_NE(sign(other.str(), kMatmul).shapeErased, matmul.shapeErased);
  // Both of another op, but between the same neighbors: the product is the
  // generic's producer, its consumer the return.
  other = model;
  other.body = "arith.addf %x, %y";
  OpSignature sum = sign(other.str(), kGeneric);
  EXPECT_NE(sum.exact, generic.exact);
  EXPECT_NE(sum.shapeErased, generic.shapeErased);
  EXPECT_EQ(sum.neighborhood, generic.neighborhood);
  EXPECT_EQ(sign(other.str(), kMatmul).exact, matmul.exact);
  EXPECT_NE(sign(other.str(), kMatmul).neighborhood, matmul.neighborhood);
  // Data flow in the body.
  other.body = "arith.maximumf %y, %x";
  EXPECT_NE(sign(other.str(), kGeneric).exact, generic.exact);
  // Attributes in the body.
  other.body = "arith.maximumf %x, %y fastmath<nnan>";
  EXPECT_NE(sign(other.str(), kGeneric).exact, generic.exact);
}

TEST_F(StructuralHashTest, Constants) {
  auto signature = [&](llvm::StringRef value, unsigned k = 16) {
    Model model;
    model.k = k;
    model.constant = value.str();
    return sign(model.str(), kMatmul).exact;
  };
  EXPECT_NE(signature("dense<0.0>"), signature("dense<1.0>"));
  EXPECT_NE(signature("dense<0.0>"), signature("dense<-0.0>"));
  EXPECT_NE(signature("dense<0.0>"), signature("dense_resource<w>"));
  // An argument is not a constant.
  Model square;
  square.m = square.k = square.n = 4;
  OpSignature constant = sign(square.str(), kMatmul);
  square.operands = "%a, %b";
  EXPECT_NE(sign(square.str(), kMatmul).exact, constant.exact);
  // Nor are two uses of one value two values.
  OpSignature two = sign(square.str(), kMatmul);
  square.operands = "%a, %a";
  EXPECT_NE(sign(square.str(), kMatmul).exact, two.exact);
}

TEST_F(StructuralHashTest, Slices) {
  auto slice = [&](llvm::StringRef offset, llvm::StringRef size) {
    return sign(
        llvm::formatv("func.func @f(%a: tensor<64xf32>) -> tensor<{1}xf32> {{\n"
                      "%r = tensor.extract_slice %a[{0}] [{1}] [1]\n"
                      " : tensor<64xf32> to tensor<{1}xf32>\n"
                      "return %r : tensor<{1}xf32> }",
                      offset, size)
            .str(),
        "tensor.extract_slice");
  };
  EXPECT_NE(slice("0", "8").exact, slice("8", "8").exact);
  EXPECT_EQ(slice("0", "8").shapeErased, slice("8", "16").shapeErased);
}

TEST_F(StructuralHashTest, UnregisteredOps) {
  auto signature = [&](llvm::StringRef attributes) {
    return sign(("func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
                 "%r = \"new.op\"(%a) " +
                 attributes +
                 " : (tensor<4xf32>) -> tensor<4xf32>\n"
                 "return %r : tensor<4xf32> }")
                    .str(),
                "new.op")
        .exact;
  };
  EXPECT_EQ(signature("{axis = 1}"),
            signature("{axis = 1, prof.data = #prof.data<count = 2>}"));
  EXPECT_NE(signature("{axis = 1}"), signature("{axis = 2}"));
}

TEST_F(StructuralHashTest, UsesInsideOfRegions) {
  // The loop uses %p within: it is a consumer, and its own producers count.
  auto text = [](llvm::StringRef op) {
    return llvm::formatv(
               R"(func.func @f(%a: tensor<4xf32>, %n: index) -> tensor<4xf32> {{
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %p = {0} %a : tensor<4xf32>
  %r = scf.for %i = %0 to %n step %1 iter_args(%t = %a) -> tensor<4xf32> {{
    %u = arith.addf %t, %p : tensor<4xf32>
    scf.yield %u : tensor<4xf32>
  }
  return %r : tensor<4xf32>
})",
               op)
        .str();
  };
  OpSignature one = sign(text("math.exp"), "scf.for");
  OpSignature two = sign(text("math.tanh"), "scf.for");
  EXPECT_EQ(one.exact, two.exact);
  EXPECT_NE(one.neighborhood, two.neighborhood);
  EXPECT_FALSE(sign(text("math.exp"), "math.exp").neighborhood.empty());
}

TEST_F(StructuralHashTest, WhatIsSigned) {
  mlir::Operation *module = parse(R"(
func.func @f(%a: memref<4xf32>, %s: f32, %c: i1) -> i32 {
  linalg.fill ins(%s : f32) outs(%a : memref<4xf32>)
  %i = "new.index"() : () -> index
  memref.store %s, %a[%i] : memref<4xf32>
  %k = arith.constant 1 : i32
  %r = scf.if %c -> i32 {
    %x = arith.addi %k, %k : i32
    scf.yield %x : i32
  } else {
    scf.yield %k : i32
  }
  return %r : i32
})");
  ASSERT_TRUE(module);
  std::vector<std::string> names;
  for (const SignedOp &op : getSignatures(module))
    names.push_back(op.op->getName().getStringRef().str());
  EXPECT_EQ(names,
            (std::vector<std::string>{"func.func", "linalg.fill", "new.index",
                                      "scf.if", "arith.addi"}));
}

TEST_F(StructuralHashTest, FunctionsLoopsAndBranches) {
  auto text = [](llvm::StringRef step, llvm::StringRef value) {
    return llvm::formatv(R"(func.func private @outside(i1) -> i1
func.func @f(%a: memref<?xf32>, %n: index, %c: i1, %s: f32) {{
  %0 = arith.constant 0 : index
  %1 = arith.constant {0} : index
  scf.for %i = %0 to %n step %1 {{
    scf.if %c {{
      memref.store %{1}, %a[%i] : memref<?xf32>
    }
  }
  return
})",
                         step, value)
        .str();
  };
  // Without results, but what is known of them is decided about; of a function
  // that is elsewhere there is nothing to decide.
  OpSignature loop = sign(text("1", "s"), "scf.for");
  OpSignature branch = sign(text("1", "s"), "scf.if");
  OpSignature function = sign(text("1", "s"), "func.func");
  EXPECT_NE(sign(text("2", "s"), "scf.for").exact, loop.exact);
  EXPECT_EQ(sign(text("2", "s"), "scf.if").exact, branch.exact);
  EXPECT_NE(sign(text("2", "s"), "func.func").exact, function.exact);
  // A function does not have neighbors.
  EXPECT_EQ(function.neighborhood, "");
}

TEST_F(StructuralHashTest, HostileDepth) {
  // Attributes of which each holds the next twice: 2^60 as a tree.
  std::string text = "#a0 = [1]\n";
  for (unsigned i = 1; i != 60; ++i)
    text += llvm::formatv("#a{0} = [#a{1}, #a{1}]\n", i, i - 1);
  text += "func.func @f() -> i32 {\n"
          "%r = \"new.op\"() {x = #a59} : () -> i32\nreturn %r : i32 }";
  EXPECT_EQ(sign(text, "new.op").exact.size(), 32u);
  // Regions nested more deeply than forms go.
  std::string nest;
  for (unsigned i = 0; i != 400; ++i)
    nest += "%r = \"new.op\"() ({\n";
  for (unsigned i = 0; i != 400; ++i)
    nest += "\"new.end\"() : () -> () }) : () -> i32\n";
  mlir::Operation *module = parse(nest);
  ASSERT_TRUE(module);
  EXPECT_EQ(getSignatures(module).size(), 256u);
}

TEST_F(StructuralHashTest, Machines) {
  codegen::TargetModel target;
  target.cpu = "znver4";
  EXPECT_EQ(getMachineKey(target),
            "znver4 v512 r32 l1:32768 l2:1048576 threads:1");
  target.threads = 2;
  EXPECT_EQ(getMachineKey(target),
            "znver4 v512 r32 l1:32768 l2:1048576 threads:2");
  target.cpu.clear();
  EXPECT_NE(getMachineKey(target)[0], ' ');
}

} // namespace
