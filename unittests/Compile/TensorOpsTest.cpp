//===- TensorOpsTest.cpp - Arithmetic and slices of whole tensors ---------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops of arith and math on tensors, slices without elements or with unused
// strides, pads and results that begin alike. Results are exact in every tested
// type.
//
//===----------------------------------------------------------------------===//

#include "JitModel.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

#include <cmath>
#include <limits>

using namespace mlirprof;
using namespace mlirprof::test;

namespace {

/// A function of up to three tensors of one shape.
struct TensorOp {
  const char *name;
  /// The line that defines %r; $ is the type of %a, %b and %c.
  const char *line;
  std::vector<const char *> elements;
  const char *result;
  double (*exact)(double a, double b, double c);
};

std::ostream &operator<<(std::ostream &os, const TensorOp &op) {
  return os << op.name;
}

double infinity() { return std::numeric_limits<double>::infinity(); }

const std::vector<const char *> kFloats = {"f16", "bf16", "f32", "f64"},
                                kIntegers = {"i8", "i16", "i32", "i64"};

/// The arguments are small whole numbers: a in [-4, 4], b in [1, 3], c 0 or 1.
const TensorOp kOps[] = {
    {"AddF", "arith.addf %a, %b : $", kFloats, "",
     [](double a, double b, double) { return a + b; }},
    {"MulF", "arith.mulf %a, %b : $", kFloats, "",
     [](double a, double b, double) { return a * b; }},
    {"MaximumF", "arith.maximumf %a, %b : $", kFloats, "",
     [](double a, double b, double) { return std::max(a, b); }},
    {"NegF", "arith.negf %a : $", kFloats, "",
     [](double a, double, double) { return -a; }},
    {"Fma", "math.fma %a, %b, %c : $", kFloats, "",
     [](double a, double b, double c) { return a * b + c; }},
    {"Floor", "math.floor %a : $", kFloats, "",
     [](double a, double, double) { return a; }},
    {"Clamp", "math.clampf %a to [%c, %b] : $", kFloats, "",
     [](double a, double b, double c) { return std::clamp(a, c, b); }},
    {"CompareF", "arith.cmpf olt, %a, %b : $", kFloats, "i1",
     [](double a, double b, double) { return double(a < b); }},
    {"IsInf", "math.isinf %a : $", kFloats, "i1",
     [](double a, double, double) { return double(a == 4); }},
    {"IsNormal", "math.isnormal %a : $", kFloats, "i1",
     [](double a, double, double) { return double(a != 0 && a != 4); }},
    {"AddI", "arith.addi %a, %b : $", kIntegers, "",
     [](double a, double b, double) { return a + b; }},
    {"DivSI", "arith.divsi %a, %b : $", kIntegers, "",
     [](double a, double b, double) { return std::trunc(a / b); }},
    {"FloorDivSI", "arith.floordivsi %a, %b : $", kIntegers, "",
     [](double a, double b, double) { return std::floor(a / b); }},
    {"PowerI", "math.ipowi %a, %b : $", kIntegers, "",
     [](double a, double b, double) { return std::pow(a, b); }},
    {"CompareI", "arith.cmpi slt, %a, %b : $", kIntegers, "i1",
     [](double a, double b, double) { return double(a < b); }},
    {"AndBits",
     "arith.andi %a, %c : $",
     {"i1"},
     "",
     [](double a, double, double c) { return double(int(a) & int(c)); }},
    {"XorBits",
     "arith.xori %a, %c : $",
     {"i1"},
     "",
     [](double a, double, double c) { return double((int(a) ^ int(c)) & 1); }},
};

class TensorOpsTest
    : public ::testing::TestWithParam<std::tuple<TensorOp, std::string>> {};

TEST_P(TensorOpsTest, IsExact) {
  const auto &[op, pipeline] = GetParam();
  constexpr int64_t kRows = 3, kColumns = 19;
  for (std::string element : op.elements) {
    std::string type = "tensor<?x19x" + element + ">",
                result = op.result[0]
                             ? "tensor<?x19x" + std::string(op.result) + ">"
                             : type,
                line = op.line;
    for (size_t at; (at = line.find('$')) != std::string::npos;)
      line.replace(at, 1, type);
    bool isBit = element == "i1", hasInfinity = op.name[0] == 'I';
    TypedTensor a{element, {kRows, kColumns}, {}}, b = a, c = a;
    for (int64_t i = 0; i < kRows * kColumns; ++i) {
      double value = double(i % 9 - 4);
      a.values.push_back(isBit                       ? double(i % 2)
                         : hasInfinity && value == 4 ? infinity()
                                                     : value);
      b.values.push_back(isBit ? 1 : double(i % 3 + 1));
      c.values.push_back(double(i / 5 % 2));
    }
    std::vector<TypedTensor> actual =
        compute(pipeline,
                "func.func @main(%a: " + type + ", %b: " + type +
                    ", %c: " + type + ") -> " + result + " {\n  %r = " + line +
                    "\n  return %r : " + result + "\n}\n",
                {a, b, c});
    ASSERT_EQ(actual.size(), 1u);
    ASSERT_EQ(actual[0].shape, a.shape);
    for (int64_t i = 0; i < kRows * kColumns; ++i) {
      double x = std::isinf(a.values[i]) ? 4 : a.values[i];
      EXPECT_EQ(actual[0].values[i], op.exact(x, b.values[i], c.values[i]))
          << element << " " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Ops, TensorOpsTest,
    ::testing::Combine(::testing::ValuesIn(kOps),
                       ::testing::Values("naive", "default",
                                         "single-function")),
    [](const auto &info) {
      llvm::StringRef pipeline = std::get<1>(info.param);
      return std::string(std::get<0>(info.param).name) + "_" +
             llvm::join(llvm::split(pipeline, '-'), "_");
    });

class SlicesTest : public ::testing::TestWithParam<std::string> {};

TypedTensor count(std::vector<int64_t> shape, double first) {
  TypedTensor tensor{"f32", std::move(shape), {}};
  int64_t size = 1;
  for (int64_t dim : tensor.shape)
    size *= dim;
  for (int64_t i = 0; i < size; ++i)
    tensor.values.push_back(first + double(i));
  return tensor;
}

TEST_P(SlicesTest, PartsWithoutElements) {
  TypedTensor a = count({2, 3}, 1), none = count({2, 0}, 0);
  auto results = compute(GetParam(), R"(
func.func @main(%a: tensor<2x3xf32>, %n: tensor<2x0xf32>)
    -> (tensor<2x3xf32>, tensor<2x6xf32>, tensor<2x0xf32>, tensor<2x3xf32>,
        tensor<0x3xf32>) {
  %0 = tensor.concat dim(1) %a, %n : (tensor<2x3xf32>, tensor<2x0xf32>) -> tensor<2x3xf32>
  %1 = tensor.concat dim(1) %n, %a, %n, %a : (tensor<2x0xf32>, tensor<2x3xf32>, tensor<2x0xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>
  %2 = tensor.concat dim(1) %n, %n : (tensor<2x0xf32>, tensor<2x0xf32>) -> tensor<2x0xf32>
  %3 = tensor.insert_slice %n into %a[0, 2] [2, 0] [1, 1] : tensor<2x0xf32> into tensor<2x3xf32>
  %4 = tensor.extract_slice %a[1, 0] [0, 3] [1, 1] : tensor<2x3xf32> to tensor<0x3xf32>
  return %0, %1, %2, %3, %4 : tensor<2x3xf32>, tensor<2x6xf32>, tensor<2x0xf32>, tensor<2x3xf32>, tensor<0x3xf32>
})",
                         {a, none});
  ASSERT_EQ(results.size(), 5u);
  EXPECT_EQ(results[0].values, a.values);
  EXPECT_EQ(results[1].values,
            (std::vector<double>{1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6}));
  EXPECT_TRUE(results[2].values.empty());
  EXPECT_EQ(results[3].values, a.values);
  EXPECT_TRUE(results[4].values.empty());
}

// The same for buffer views, whose types keep the stride: element (i, j, k) is
// 8 i + 4 j + k.
TEST_P(SlicesTest, ViewsWithStridesOfDimensionsOfOneElement) {
  TypedTensor a = count({5, 2, 4}, 0), at{"i32", {2}, {2, 1}};
  auto results = compute(GetParam(), R"(
func.func @main(%a: memref<5x2x4xf32>, %at: memref<2xi32>)
    -> (memref<2x1xf32>, memref<2x1xf32>, memref<?x1xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i32 = memref.load %at[%c0] : memref<2xi32>
  %j32 = memref.load %at[%c1] : memref<2xi32>
  %i = arith.index_cast %i32 : i32 to index
  %j = arith.index_cast %j32 : i32 to index
  %0 = memref.subview %a[3, 0, 2] [2, 1, 1] [1, 3, 1] : memref<5x2x4xf32> to memref<2x1xf32, strided<[8, 12], offset: 26>>
  %r0 = memref.alloc() : memref<2x1xf32>
  memref.copy %0, %r0 : memref<2x1xf32, strided<[8, 12], offset: 26>> to memref<2x1xf32>
  %1 = memref.subview %a[%i, %j, 1] [2, 1, 1] [2, 5, 1] : memref<5x2x4xf32> to memref<2x1xf32, strided<[16, 20], offset: ?>>
  %r1 = memref.alloc() : memref<2x1xf32>
  memref.copy %1, %r1 : memref<2x1xf32, strided<[16, 20], offset: ?>> to memref<2x1xf32>
  %2 = memref.subview %a[%i, %j, 3] [%i, 1, 1] [1, 7, 1] : memref<5x2x4xf32> to memref<?x1xf32, strided<[8, 28], offset: ?>>
  %r2 = memref.alloc(%i) : memref<?x1xf32>
  memref.copy %2, %r2 : memref<?x1xf32, strided<[8, 28], offset: ?>> to memref<?x1xf32>
  return %r0, %r1, %r2 : memref<2x1xf32>, memref<2x1xf32>, memref<?x1xf32>
})",
                         {a, at});
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(results[0].values, (std::vector<double>{26, 34}));
  EXPECT_EQ(results[1].values, (std::vector<double>{21, 37}));
  EXPECT_EQ(results[2].values, (std::vector<double>{23, 31}));
}

// The stride of a unit dimension is never used, but identifies the dimension
// when it is dropped.
TEST_P(SlicesTest, StridesOfDimensionsOfOneElement) {
  TypedTensor a = count({5, 2, 4}, 0), b = count({2, 1}, 100);
  auto results = compute(GetParam(), R"(
func.func @main(%a: tensor<5x2x4xf32>, %b: tensor<2x1xf32>)
    -> (tensor<2x1xf32>, tensor<2xf32>, tensor<5x2x4xf32>) {
  %0 = tensor.extract_slice %a[0, 0, 0] [2, 1, 1] [1, 2, 1] : tensor<5x2x4xf32> to tensor<2x1xf32>
  %1 = tensor.extract_slice %a[1, 1, 2] [2, 1, 1] [3, 2, 2] : tensor<5x2x4xf32> to tensor<2xf32>
  %2 = tensor.insert_slice %b into %a[0, 0, 0] [2, 1, 1] [1, 2, 1] : tensor<2x1xf32> into tensor<5x2x4xf32>
  return %0, %1, %2 : tensor<2x1xf32>, tensor<2xf32>, tensor<5x2x4xf32>
})",
                         {a, b});
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(results[0].values, (std::vector<double>{0, 8}));
  // Elements [1, 1, 2] and [4, 1, 2] of 2 times 4 each.
  EXPECT_EQ(results[1].values, (std::vector<double>{14, 38}));
  std::vector<double> expected = a.values;
  expected[0] = 100;
  expected[8] = 101;
  EXPECT_EQ(results[2].values, expected);
}

// Negative amounts take elements away; more than there are leave the padding.
TEST_P(SlicesTest, PadsThatCrop) {
  TypedTensor a = count({3, 4}, 1), b = count({3}, 1);
  auto results = compute(GetParam(), R"(
func.func @main(%a: tensor<3x4xf32>, %s: tensor<3x?xf32>, %b: tensor<3xf32>)
    -> (tensor<3x4xf32>, tensor<1x4xf32>, tensor<3x?xf32>, tensor<5xf32>,
        tensor<2xf32>) {
  %v = arith.constant 9.0 : f32
  %0 = tensor.pad %a low[1, 0] high[-1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<3x4xf32> to tensor<3x4xf32>
  %1 = tensor.pad %a low[-1, 2] high[-1, -2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<3x4xf32> to tensor<1x4xf32>
  %2 = tensor.pad %s low[0, -1] high[0, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<3x?xf32> to tensor<3x?xf32>
  %3 = tensor.pad %b low[-4] high[6] {
  ^bb0(%i: index):
    tensor.yield %v : f32
  } : tensor<3xf32> to tensor<5xf32>
  %4 = tensor.pad %b low[4] high[-5] {
  ^bb0(%i: index):
    tensor.yield %v : f32
  } : tensor<3xf32> to tensor<2xf32>
  return %0, %1, %2, %3, %4 : tensor<3x4xf32>, tensor<1x4xf32>, tensor<3x?xf32>, tensor<5xf32>, tensor<2xf32>
})",
                         {a, count({3, 2}, 1), b});
  ASSERT_EQ(results.size(), 5u);
  EXPECT_EQ(results[0].values,
            (std::vector<double>{9, 9, 9, 9, 1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(results[1].values, (std::vector<double>{9, 9, 5, 6}));
  EXPECT_EQ(results[2].values,
            (std::vector<double>{2, 9, 9, 4, 9, 9, 6, 9, 9}));
  EXPECT_EQ(results[3].values, (std::vector<double>{9, 9, 9, 9, 9}));
  EXPECT_EQ(results[4].values, (std::vector<double>{9, 9}));
}

// Callers free each result: a value that is returned twice, and views of one.
TEST_P(SlicesTest, ResultsOfOneValue) {
  TypedTensor a = count({2, 3}, 1);
  auto results = compute(GetParam(), R"(
func.func private @both(%a: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %n = arith.negf %a : tensor<2x3xf32>
  return %n, %n : tensor<2x3xf32>, tensor<2x3xf32>
}
func.func @main(%a: tensor<2x3xf32>, %flag: tensor<i1>)
    -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>,
        tensor<3x2xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<6xf32>) {
  %d = arith.addf %a, %a : tensor<2x3xf32>
  %f = tensor.collapse_shape %d [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
  %v = tensor.expand_shape %f [[0, 1]] output_shape [3, 2] : tensor<6xf32> into tensor<3x2xf32>
  %b:2 = func.call @both(%a) : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)
  %when = tensor.extract %flag[] : tensor<i1>
  %i = scf.if %when -> (tensor<2x3xf32>) {
    scf.yield %d : tensor<2x3xf32>
  } else {
    scf.yield %b#0 : tensor<2x3xf32>
  }
  return %a, %d, %d, %a, %v, %b#1, %i, %f : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<3x2xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<6xf32>
})",
                         {a, {"i1", {}, {1}}});
  ASSERT_EQ(results.size(), 8u);
  std::vector<double> twice = {2, 4, 6, 8, 10, 12};
  EXPECT_EQ(results[0].values, a.values);
  EXPECT_EQ(results[1].values, twice);
  EXPECT_EQ(results[2].values, twice);
  EXPECT_EQ(results[3].values, a.values);
  EXPECT_EQ(results[4].values, twice);
  EXPECT_EQ(results[5].values, (std::vector<double>{-1, -2, -3, -4, -5, -6}));
  EXPECT_EQ(results[6].values, twice);
  EXPECT_EQ(results[7].values, twice);
}

// Results of one op that begin as one tensor: an empty one, zeros and an
// argument, of dynamic size.
TEST_P(SlicesTest, ResultsThatBeginAlike) {
  TypedTensor a = count({2, 3}, 1), s{"f32", {2}, {10, 20}};
  auto results = compute(GetParam(), R"(
#matrix = affine_map<(i, j) -> (i, j)>
#rows = affine_map<(i, j) -> (i)>
func.func @main(%a: tensor<?x3xf32>, %s: tensor<?xf32>)
    -> (tensor<?x3xf32>, tensor<?x3xf32>, tensor<?xf32>, tensor<?xf32>,
        tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?x3xf32>
  %e = tensor.empty(%n) : tensor<?x3xf32>
  %0:2 = linalg.generic {indexing_maps = [#matrix, #matrix, #matrix], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<?x3xf32>) outs(%e, %e : tensor<?x3xf32>, tensor<?x3xf32>) {
  ^bb0(%x: f32, %o: f32, %p: f32):
    %d = arith.addf %x, %x : f32
    %m = arith.negf %x : f32
    linalg.yield %d, %m : f32, f32
  } -> (tensor<?x3xf32>, tensor<?x3xf32>)
  %zero = arith.constant 0.0 : f32
  %r = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%r : tensor<?xf32>) -> tensor<?xf32>
  %1:2 = linalg.generic {indexing_maps = [#matrix, #rows, #rows], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<?x3xf32>) outs(%f, %f : tensor<?xf32>, tensor<?xf32>) {
  ^bb0(%x: f32, %o: f32, %p: f32):
    %t = arith.addf %o, %x : f32
    %q = arith.mulf %x, %x : f32
    %u = arith.addf %p, %q : f32
    linalg.yield %t, %u : f32, f32
  } -> (tensor<?xf32>, tensor<?xf32>)
  %2:2 = linalg.generic {indexing_maps = [#matrix, #rows, #rows], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<?x3xf32>) outs(%s, %s : tensor<?xf32>, tensor<?xf32>) {
  ^bb0(%x: f32, %o: f32, %p: f32):
    %t = arith.addf %o, %x : f32
    %u = arith.minimumf %p, %x : f32
    linalg.yield %t, %u : f32, f32
  } -> (tensor<?xf32>, tensor<?xf32>)
  return %0#0, %0#1, %1#0, %1#1, %2#0, %2#1 : tensor<?x3xf32>, tensor<?x3xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
})",
                         {a, s});
  ASSERT_EQ(results.size(), 6u);
  EXPECT_EQ(results[0].values, (std::vector<double>{2, 4, 6, 8, 10, 12}));
  EXPECT_EQ(results[1].values, (std::vector<double>{-1, -2, -3, -4, -5, -6}));
  EXPECT_EQ(results[2].values, (std::vector<double>{6, 15}));
  EXPECT_EQ(results[3].values, (std::vector<double>{14, 77}));
  EXPECT_EQ(results[4].values, (std::vector<double>{16, 35}));
  EXPECT_EQ(results[5].values, (std::vector<double>{1, 4}));
}

/// Iterations that each make a row, and nests of such loops.
TEST_P(SlicesTest, ParallelLoops) {
  TypedTensor a = count({4, 6}, 1);
  auto results = compute(GetParam(), R"(
#rows = affine_map<(i, j) -> (i, j)>
func.func @main(%a: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>) {
  %e = tensor.empty() : tensor<4x6xf32>
  %r = scf.forall (%i) in (4) shared_outs(%o = %e) -> (tensor<4x6xf32>) {
    %x = tensor.extract_slice %a[%i, 0] [1, 6] [1, 1] : tensor<4x6xf32> to tensor<1x6xf32>
    %y = tensor.extract_slice %o[%i, 0] [1, 6] [1, 1] : tensor<4x6xf32> to tensor<1x6xf32>
    %n = linalg.negf ins(%x : tensor<1x6xf32>) outs(%y : tensor<1x6xf32>) -> tensor<1x6xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %n into %o[%i, 0] [1, 6] [1, 1] : tensor<1x6xf32> into tensor<4x6xf32>
    }
  }
  %s = scf.forall (%i) = (0) to (4) step (2) shared_outs(%o = %a) -> (tensor<4x6xf32>) {
    %y = tensor.extract_slice %o[%i, 0] [2, 6] [1, 1] : tensor<4x6xf32> to tensor<2x6xf32>
    %t = scf.forall (%j) in (3) shared_outs(%p = %y) -> (tensor<2x6xf32>) {
      %q = tensor.extract_slice %p[0, %j] [2, 1] [1, 1] : tensor<2x6xf32> to tensor<2x1xf32>
      %n = linalg.generic {indexing_maps = [#rows], iterator_types = ["parallel", "parallel"]}
          outs(%q : tensor<2x1xf32>) {
      ^bb0(%v: f32):
        %w = arith.addf %v, %v : f32
        linalg.yield %w : f32
      } -> tensor<2x1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %n into %p[0, %j] [2, 1] [1, 1] : tensor<2x1xf32> into tensor<2x6xf32>
      }
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t into %o[%i, 0] [2, 6] [1, 1] : tensor<2x6xf32> into tensor<4x6xf32>
    }
  }
  return %r, %s : tensor<4x6xf32>, tensor<4x6xf32>
})",
                         {a});
  ASSERT_EQ(results.size(), 2u);
  for (int64_t i = 0; i < 24; ++i) {
    EXPECT_EQ(results[0].values[i], -a.values[i]) << i;
    EXPECT_EQ(results[1].values[i], a.values[i] * (i % 6 < 3 ? 2 : 1)) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Pipelines, SlicesTest,
                         ::testing::Values("naive", "default",
                                           "single-function"),
                         [](const auto &info) {
                           return llvm::join(llvm::split(info.param, '-'), "_");
                         });

} // namespace
