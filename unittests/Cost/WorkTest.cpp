//===- WorkTest.cpp - Operations and bytes, computed by hand --------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Cost/Work.h"
#include "../Match/Recordings.h"
#include "mlir/IR/BuiltinOps.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::cost;
using namespace mlirprof::profile;
using namespace mlirprof::test;

namespace {

using Shapes = std::vector<std::vector<int64_t>>;

/// A program whose input level consists of all ops of `module`.
Program makeProgram(mlir::Operation *module) {
  Program program;
  program.fingerprint = "p";
  program.entry = "main";
  program.levels = {"input"};
  program.strings = {""};
  uint32_t position = 0;
  module->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    ProgramNode &node = program.nodes.emplace_back();
    node.position = position++;
    node.op = uint32_t(program.strings.size());
    program.strings.push_back(op->getName().getStringRef().str());
  });
  return program;
}

/// One "op flops bytes" line per op, in the order of the module.
std::string workOf(llvm::StringRef text, const Shapes &shapes = {}) {
  LoadedModule module = parseText(text);
  if (!module.root) {
    ADD_FAILURE() << "does not parse";
    return "";
  }
  Program program = makeProgram(*module.root);
  std::vector<llvm::ArrayRef<int64_t>> arguments(shapes.begin(), shapes.end());
  std::string result;
  for (const NodeWork &work : computeWork(
           llvm::cast<mlir::ModuleOp>(*module.root), program, arguments)) {
    EXPECT_EQ(work.program, "p");
    result += program.strings[program.nodes[work.node].op] + " " +
              std::to_string(work.flops) + " " + std::to_string(work.bytes) +
              "\n";
  }
  return result;
}

TEST(WorkTest, Matmul) {
  // 2 * 5 * 7 * 3 flop; 35 + 21 numbers in, 15 in and out. The fill writes 15.
  EXPECT_EQ(workOf(R"(
    func.func @main(%a: tensor<5x7xf32>, %b: tensor<7x3xf32>) -> tensor<5x3xf32> {
      %zero = arith.constant 0.0 : f32
      %empty = tensor.empty() : tensor<5x3xf32>
      %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<5x3xf32>) -> tensor<5x3xf32>
      %c = linalg.matmul ins(%a, %b : tensor<5x7xf32>, tensor<7x3xf32>)
                         outs(%init : tensor<5x3xf32>) -> tensor<5x3xf32>
      return %c : tensor<5x3xf32>
    })"),
            "linalg.fill 0 60\n"
            "linalg.matmul 210 344\n");
}

// A product of complex numbers is four multiplications and two additions.
TEST(WorkTest, ComplexNumbers) {
  EXPECT_EQ(workOf(R"(
    #id = affine_map<(i) -> (i)>
    func.func @main(%x: tensor<10xcomplex<f32>>) -> tensor<10xcomplex<f32>> {
      %e = tensor.empty() : tensor<10xcomplex<f32>>
      %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
          ins(%x : tensor<10xcomplex<f32>>) outs(%e : tensor<10xcomplex<f32>>) {
      ^bb0(%a: complex<f32>, %o: complex<f32>):
        %p = complex.mul %a, %a : complex<f32>
        %s = complex.sub %p, %a : complex<f32>
        %r = complex.re %s : complex<f32>
        %c = complex.create %r, %r : complex<f32>
        linalg.yield %c : complex<f32>
      } -> tensor<10xcomplex<f32>>
      return %0 : tensor<10xcomplex<f32>>
    })"),
            "linalg.generic 80 160\n");
}

TEST(WorkTest, WhatBodiesDoIsNotGuessed) {
  // The number of operations in a division of complex numbers depends on its
  // lowering, and a call may do anything.
  EXPECT_EQ(workOf(R"(
    #id = affine_map<(i) -> (i)>
    func.func private @f(f32) -> f32
    func.func @main(%x: tensor<10xcomplex<f32>>, %y: tensor<10xf32>)
        -> (tensor<10xcomplex<f32>>, tensor<10xf32>) {
      %e = tensor.empty() : tensor<10xcomplex<f32>>
      %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
          ins(%x : tensor<10xcomplex<f32>>) outs(%e : tensor<10xcomplex<f32>>) {
      ^bb0(%a: complex<f32>, %o: complex<f32>):
        %p = complex.div %a, %a : complex<f32>
        linalg.yield %p : complex<f32>
      } -> tensor<10xcomplex<f32>>
      %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
          ins(%y : tensor<10xf32>) outs(%y : tensor<10xf32>) {
      ^bb0(%a: f32, %o: f32):
        %p = func.call @f(%a) : (f32) -> f32
        linalg.yield %p : f32
      } -> tensor<10xf32>
      return %0, %1 : tensor<10xcomplex<f32>>, tensor<10xf32>
    })"),
            "");
}

TEST(WorkTest, BodiesOfGenericOps) {
  // A multiplication, a function, a fused multiply-add (2); comparison and
  // selection are none: 4 for each of 6 * 4. 24 f16 and 4 f16 in (the row is
  // repeated), 24 out, and %x twice is read once.
  EXPECT_EQ(workOf(R"(
    #id = affine_map<(i, j) -> (i, j)>
    #row = affine_map<(i, j) -> (j)>
    func.func @main(%x: tensor<6x4xf16>, %r: tensor<4xf16>) -> tensor<6x4xf16> {
      %empty = tensor.empty() : tensor<6x4xf16>
      %y = linalg.generic {indexing_maps = [#id, #row, #id, #id],
                           iterator_types = ["parallel", "parallel"]}
          ins(%x, %r, %x : tensor<6x4xf16>, tensor<4xf16>, tensor<6x4xf16>)
          outs(%empty : tensor<6x4xf16>) {
      ^bb0(%a: f16, %b: f16, %c: f16, %out: f16):
        %0 = arith.mulf %a, %b : f16
        %1 = math.tanh %0 : f16
        %2 = math.fma %1, %b, %c : f16
        %3 = arith.cmpf ogt, %2, %a : f16
        %4 = arith.select %3, %2, %a : f16
        linalg.yield %4 : f16
      } -> tensor<6x4xf16>
      return %y : tensor<6x4xf16>
    })"),
            "linalg.generic 96 104\n");
}

TEST(WorkTest, ConvolutionsAndWindows) {
  uint64_t steps = 0, maxima = 0;
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 4; ++x)
      for (int f = 0; f < 5; ++f)
        for (int window = 0; window < 3 * 3; ++window)
          for (int c = 0; c < 2; ++c)
            ++steps;
  for (int y = 0; y < 2; ++y)
    for (int x = 0; x < 2; ++x)
      for (int f = 0; f < 5; ++f)
        for (int window = 0; window < 2 * 2; ++window)
          ++maxima;
  // Numbers of the convolution: 72 + 90 in, 80 in and out; of the pooling 80
  // in, 20 in and out, and the window is a shape only.
  EXPECT_EQ(workOf(R"(
    func.func @main(%x: tensor<1x6x6x2xf32>, %w: tensor<3x3x2x5xf32>,
                    %c: tensor<1x4x4x5xf32>, %p: tensor<1x2x2x5xf32>) -> tensor<1x2x2x5xf32> {
      %0 = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x6x6x2xf32>, tensor<3x3x2x5xf32>)
                                    outs(%c : tensor<1x4x4x5xf32>) -> tensor<1x4x4x5xf32>
      %window = tensor.empty() : tensor<2x2xf32>
      %1 = linalg.pooling_nhwc_max {strides = dense<2> : vector<2xi64>}
          ins(%0, %window : tensor<1x4x4x5xf32>, tensor<2x2xf32>)
          outs(%p : tensor<1x2x2x5xf32>) -> tensor<1x2x2x5xf32>
      return %1 : tensor<1x2x2x5xf32>
    })"),
            "linalg.conv_2d_nhwc_hwcf " + std::to_string(2 * steps) + " " +
                std::to_string(4 * (72 + 90 + 2 * 80)) +
                "\nlinalg.pooling_nhwc_max " + std::to_string(maxima) + " " +
                std::to_string(4 * (80 + 2 * 20)) + "\n");
}

const char *const kDynamic = R"(
    func.func @main(%x: tensor<?x8xf32>, %w: tensor<8x3xf32>) -> tensor<?x3xf32> {
      %zero = arith.constant 0.0 : f32
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %n = tensor.dim %x, %c0 : tensor<?x8xf32>
      %half = arith.divsi %n, %c2 : index
      %more = affine.apply affine_map<()[s] -> (s * 2)>()[%half]
      %parts = tensor.expand_shape %x [[0, 1], [2]] output_shape [%half, 2, 8]
          : tensor<?x8xf32> into tensor<?x2x8xf32>
      %whole = tensor.collapse_shape %parts [[0, 1], [2]]
          : tensor<?x2x8xf32> into tensor<?x8xf32>
      %top = tensor.extract_slice %whole[0, 0] [%more, 8] [1, 1]
          : tensor<?x8xf32> to tensor<?x8xf32>
      %empty = tensor.empty(%half) : tensor<?x3xf32>
      %low = tensor.extract_slice %top[0, 0] [%half, 8] [1, 1]
          : tensor<?x8xf32> to tensor<?x8xf32>
      %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x3xf32>) -> tensor<?x3xf32>
      %y = linalg.matmul ins(%low, %w : tensor<?x8xf32>, tensor<8x3xf32>)
                         outs(%init : tensor<?x3xf32>) -> tensor<?x3xf32>
      %z = arith.addf %y, %y : tensor<?x3xf32>
      return %z : tensor<?x3xf32>
    })";

TEST(WorkTest, DynamicShapes) {
  // n = 10: slices of 10 x 8 and 5 x 8, which are read and written; 5 x 3
  // numbers are the product's.
  EXPECT_EQ(workOf(kDynamic, {{10, 8}, {8, 3}}), "tensor.extract_slice 0 640\n"
                                                 "tensor.extract_slice 0 320\n"
                                                 "linalg.fill 0 60\n"
                                                 "linalg.matmul 240 376\n"
                                                 "arith.addf 15 120\n");
  // Without the shape nothing is known.
  EXPECT_EQ(workOf(kDynamic), "");
}

TEST(WorkTest, LoopsBranchesAndCalls) {
  // 4 iterations of 2 * 2 * 2 * 2 flop; a branch runs or not; a loop to a
  // bound that is data. Calls with 3 and 5 rows of 2 numbers: 16 additions.
  EXPECT_EQ(workOf(R"(
    func.func @main(%a: tensor<2x2xf32>, %flag: i1, %n: index,
                    %s: tensor<3x2xf32>, %t: tensor<?x2xf32>) {
      %c0 = arith.constant 0 : index
      %c3 = arith.constant 3 : index
      %c11 = arith.constant 11 : index
      %0 = scf.for %i = %c0 to %c11 step %c3 iter_args(%acc = %a) -> tensor<2x2xf32> {
        %1 = linalg.matmul ins(%a, %a : tensor<2x2xf32>, tensor<2x2xf32>)
                           outs(%acc : tensor<2x2xf32>) -> tensor<2x2xf32>
        scf.yield %1 : tensor<2x2xf32>
      }
      scf.if %flag {
        %2 = arith.addf %a, %a : tensor<2x2xf32>
      }
      scf.for %i = %c0 to %n step %c3 {
        %3 = arith.mulf %a, %a : tensor<2x2xf32>
      }
      %cast = tensor.cast %s : tensor<3x2xf32> to tensor<?x2xf32>
      func.call @f(%cast) : (tensor<?x2xf32>) -> ()
      func.call @f(%t) : (tensor<?x2xf32>) -> ()
      return
    }
    func.func private @f(%x: tensor<?x2xf32>) {
      %0 = arith.subf %x, %x : tensor<?x2xf32>
      return
    })",
                   {{2, 2}, {}, {}, {3, 2}, {5, 2}}),
            "linalg.matmul 64 192\n"
            "arith.subf 16 128\n");
}

TEST(WorkTest, RecursionIsUnknown) {
  EXPECT_EQ(workOf(R"(
    func.func @main(%a: tensor<2xf32>) {
      %0 = arith.subf %a, %a : tensor<2xf32>
      call @main(%a) : (tensor<2xf32>) -> ()
      return
    })"),
            "");
}

TEST(WorkTest, ShapesThatDependOnDataAreUnknown) {
  EXPECT_EQ(workOf(R"(
    func.func @main(%a: tensor<9xf32>, %k: tensor<index>) {
      %n = tensor.extract %k[] : tensor<index>
      %s = tensor.extract_slice %a[0] [%n] [1] : tensor<9xf32> to tensor<?xf32>
      %0 = arith.addf %s, %s : tensor<?xf32>
      %1 = arith.addf %a, %a : tensor<9xf32>
      return
    })"),
            "arith.addf 9 72\n");
}

TEST(WorkTest, Tosa) {
  // 2 * 1 * 4 * 5 * 6 flop, (24 + 30 + 20) numbers; a clamp is a maximum and a
  // minimum; the sums read 20 and write 4; a transpose moves 2 * 20.
  EXPECT_EQ(workOf(R"(
    func.func @main(%a: tensor<1x4x6xf32>, %b: tensor<1x6x5xf32>) -> tensor<1x5x4xf32> {
      %zp = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
      %0 = tosa.matmul %a, %b, %zp, %zp : (tensor<1x4x6xf32>, tensor<1x6x5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x5xf32>
      %1 = tosa.clamp %0 {min_val = 0.0 : f32, max_val = 6.0 : f32} : (tensor<1x4x5xf32>) -> tensor<1x4x5xf32>
      %2 = tosa.reduce_sum %1 {axis = 2 : i32} : (tensor<1x4x5xf32>) -> tensor<1x4x1xf32>
      %3 = tosa.transpose %1 {perms = array<i32: 0, 2, 1>} : (tensor<1x4x5xf32>) -> tensor<1x5x4xf32>
      return %3 : tensor<1x5x4xf32>
    })"),
            "tosa.matmul 240 296\n"
            "tosa.clamp 40 160\n"
            "tosa.reduce_sum 20 96\n"
            "tosa.transpose 0 160\n");
}

TEST(WorkTest, OtherProgramsAndEntriesHaveNone) {
  const char *text = "func.func @other(%a: tensor<2xf32>) {\n"
                     "  %0 = arith.addf %a, %a : tensor<2xf32>\n"
                     "  return\n}";
  EXPECT_EQ(workOf(text), "");
  LoadedModule module = parseText(text);
  ASSERT_TRUE(module.root);
  Program program = makeProgram(*module.root);
  program.entry = "other";
  auto input = llvm::cast<mlir::ModuleOp>(*module.root);
  EXPECT_EQ(computeWork(input, program, {}).size(), 1u);
  // The addition's position holds another op.
  program.strings[3] = "arith.mulf";
  EXPECT_EQ(computeWork(input, program, {}).size(), 0u);
}

} // namespace
