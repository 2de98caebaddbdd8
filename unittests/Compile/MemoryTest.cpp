//===- MemoryTest.cpp - Tests of the memory of builds ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JitModel.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

#include <cstdlib>
#include <malloc.h>

using namespace mlirprof;
using namespace mlirprof::compile;
using namespace mlirprof::test;

namespace {

constexpr int64_t kSize = 384;

/// A product with weights of 576 KiB, W[n][k], each of which is `value`: passes
/// transpose or pack them.
std::string makeLayer(float value) {
  llvm::StringRef bytes(reinterpret_cast<const char *>(&value), sizeof value);
  std::string number = llvm::toHex(bytes), numbers;
  for (int64_t i = 0; i != kSize * kSize; ++i)
    numbers += number;
  return llvm::formatv(
      "func.func @layer(%x: tensor<8x{0}xf32>) -> tensor<8x{0}xf32> {{\n"
      "  %zero = arith.constant 0.0 : f32\n"
      "  %w = arith.constant dense_resource<w> : tensor<{0}x{0}xf32>\n"
      "  %e = tensor.empty() : tensor<8x{0}xf32>\n"
      "  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x{0}xf32>)\n"
      "    -> tensor<8x{0}xf32>\n"
      "  %y = linalg.generic {{indexing_maps = ["
      "affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, "
      "affine_map<(m, n, k) -> (m, n)>], iterator_types = [\"parallel\", "
      "\"parallel\", \"reduction\"]} ins(%x, %w : tensor<8x{0}xf32>, "
      "tensor<{0}x{0}xf32>) outs(%f : tensor<8x{0}xf32>) {{\n"
      "  ^bb0(%a: f32, %b: f32, %c: f32):\n"
      "    %p = arith.mulf %a, %b : f32\n    %s = arith.addf %c, %p : f32\n"
      "    linalg.yield %s : f32\n  } -> tensor<8x{0}xf32>\n"
      "  return %y : tensor<8x{0}xf32>\n}\n"
      "{{-# dialect_resources: {{ builtin: {{ w: \"0x04000000{1}\" } } #-}\n",
      kSize, numbers);
}

CompileOptions makeOptions() {
  CompileOptions options;
  options.pipeline = "default";
  options.target = codegen::getHostTarget(1);
  return options;
}

CompiledModel build(mlir::MLIRContext &context, llvm::StringRef text) {
  auto model = compileText(context, text, makeOptions());
  EXPECT_TRUE(bool(model)) << llvm::toString(model.takeError());
  return model ? std::move(*model) : CompiledModel();
}

/// Each result of the layer is the sum of a row, times `value`.
void checkResults(const CompiledModel &model, float value) {
  Tensor x = makeTensor({8, kSize}, 1);
  auto result = run(model, {x}, 2);
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  for (int64_t row = 0; row != 8; ++row) {
    double sum = 0;
    for (int64_t k = 0; k != kSize; ++k)
      sum += x.values[size_t(row * kSize + k)];
    EXPECT_NEAR(result->values[size_t(row * kSize)], sum * value, 1e-3);
  }
}

/// Models own their constants: one may end before or after the other, or the
/// other be built.
TEST(MemoryTest, ModelsOfOneContextAreApart) {
  mlir::MLIRContext context;
  std::string text = makeLayer(1);
  CompiledModel first = build(context, text);
  CompiledModel second = build(context, text);
  checkResults(first, 1);
  first = CompiledModel();
  checkResults(second, 1);
  CompiledModel third = build(context, makeLayer(3));
  second = CompiledModel();
  checkResults(third, 3);
}

/// Bytes of anonymous memory of this process, what is free returned.
uint64_t getMemory() {
  malloc_trim(0);
  auto status = llvm::MemoryBuffer::getFileAsStream("/proc/self/status");
  EXPECT_TRUE(bool(status));
  llvm::StringRef rest = (*status)->getBuffer().split("RssAnon:").second;
  uint64_t kilobytes = 0;
  EXPECT_FALSE(rest.ltrim().consumeInteger(10, kilobytes));
  return kilobytes * 1024;
}

/// A process that compiles many models does not grow by what it built: 80
/// builds with a leak of one copy of the constants would add 45 MB, and with
/// one of a context several times as much.
TEST(MemoryTest, BuildsDoNotAddUp) {
  setenv("MLIR_PROF_CACHE", "off", 1);
  std::string text = makeLayer(1);
  auto buildMany = [&](int count) {
    for (int i = 0; i != count; ++i) {
      mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
      (void)build(context, text);
    }
  };
  buildMany(20);
  uint64_t before = getMemory();
  buildMany(80);
  EXPECT_LT(getMemory(), before + (8 << 20));
}

/// The same in one context, which keeps attributes, but not what passes made
/// of the weights: the parser's copies are 56 MB, any other one as much again.
TEST(MemoryTest, ContextsDoNotKeepPackedConstants) {
  setenv("MLIR_PROF_CACHE", "off", 1);
  std::string text = makeLayer(1);
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  for (int i = 0; i != 20; ++i)
    (void)build(context, text);
  uint64_t before = getMemory();
  for (int i = 0; i != 80; ++i)
    (void)build(context, text);
  EXPECT_LT(getMemory(), before + 80 * kSize * kSize * 4 * 3 / 2 + (8 << 20));
}

} // namespace
