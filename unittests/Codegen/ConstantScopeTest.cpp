//===- ConstantScopeTest.cpp - Tests of the memory of constants -----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Codegen/ConstantScope.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

#include <future>
#include <thread>

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

namespace {

class ConstantScopeTest : public testing::Test {
protected:
  ConstantScopeTest() : context(MLIRContext::Threading::DISABLED) {
    DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// A constant of `count` floats, each of which is `value`.
  DenseResourceElementsAttr make(int64_t count, float value) {
    AsmResourceBlob blob = allocateConstant(size_t(count) * sizeof(float));
    auto *numbers = reinterpret_cast<float *>(blob.getMutableData().data());
    std::fill_n(numbers, count, value);
    return DenseResourceElementsAttr::get(
        RankedTensorType::get({count}, Float32Type::get(&context)), "made",
        std::move(blob));
  }
  /// A function that returns `kept`, and makes `dropped` for nobody.
  OwningOpRef<ModuleOp> makeModule(DenseResourceElementsAttr kept,
                                   DenseResourceElementsAttr dropped) {
    Location location = UnknownLoc::get(&context);
    OwningOpRef<ModuleOp> module = ModuleOp::create(location);
    OpBuilder builder(&context);
    builder.setInsertionPointToEnd(module->getBody());
    auto function = func::FuncOp::create(
        builder, location, "main",
        builder.getFunctionType({}, TypeRange{kept.getType()}));
    builder.setInsertionPointToEnd(function.addEntryBlock());
    arith::ConstantOp::create(builder, location, dropped);
    Value value = arith::ConstantOp::create(builder, location, kept);
    func::ReturnOp::create(builder, location, value);
    return module;
  }
  static ArrayRef<char> getBytes(DenseResourceElementsAttr constant) {
    return constant.getRawHandle().getBlob()->getData();
  }

  MLIRContext context;
};

TEST_F(ConstantScopeTest, IsThatOfItsContextAndThread) {
  MLIRContext other;
  EXPECT_EQ(ConstantScope::find(&context), nullptr);
  {
    ConstantScope outer(&context);
    EXPECT_EQ(ConstantScope::find(&context), &outer);
    EXPECT_EQ(ConstantScope::find(&other), nullptr);
    ConstantScope inner(&other);
    EXPECT_EQ(ConstantScope::find(&other), &inner);
    EXPECT_EQ(ConstantScope::find(&context), nullptr);
  }
  EXPECT_EQ(ConstantScope::find(&context), nullptr);
}

TEST_F(ConstantScopeTest, FreesItsOwnOnly) {
  DenseResourceElementsAttr before = make(50000, 1), kept = make(20000, 2),
                            dropped = make(30000, 3), lost = make(10, 4);
  OwningOpRef<ModuleOp> module = makeModule(kept, dropped);
  ConstantScope scope(&context);
  for (DenseResourceElementsAttr constant : {kept, dropped, lost})
    scope.add(constant);
  EXPECT_EQ(scope.getBytes(), 4u * 50010);
  // Too few for a walk.
  freeUnusedConstants(*module);
  EXPECT_EQ(scope.getBytes(), 4u * 50010);
  scope.freeUnused(*module);
  EXPECT_EQ(scope.getBytes(), 4u * 20000);
  EXPECT_EQ(scope.getPeakBytes(), 4u * 50010);
  EXPECT_EQ(getBytes(before).size(), 4u * 50000);
  EXPECT_EQ(getBytes(kept).size(), 4u * 20000);
  EXPECT_TRUE(getBytes(dropped).empty());
  EXPECT_TRUE(getBytes(lost).empty());
}

TEST_F(ConstantScopeTest, KeepsMemoryThatOtherTypesShare) {
  DenseResourceElementsAttr made = make(20000, 2);
  auto other = DenseResourceElementsAttr::get(
      RankedTensorType::get({100, 200}, Float32Type::get(&context)),
      made.getRawHandle());
  OwningOpRef<ModuleOp> module = makeModule(other, make(1, 0));
  ConstantScope scope(&context);
  scope.add(made);
  scope.freeUnused(*module);
  EXPECT_EQ(scope.getBytes(), 4u * 20000);
}

TEST_F(ConstantScopeTest, GivesMemoryAway) {
  DenseResourceElementsAttr kept = make(20000, 2), other = make(10, 1);
  const char *place = getBytes(kept).data();
  std::optional<AsmResourceBlob> taken;
  {
    ConstantScope scope(&context);
    scope.add(kept);
    EXPECT_FALSE(scope.take(other));
    taken = scope.take(kept);
    EXPECT_EQ(scope.getBytes(), 0u);
    scope.freeAll();
  }
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->getData().data(), place);
  EXPECT_EQ(getBytes(kept).data(), place);
  EXPECT_EQ(taken->getDataAs<float>()[19999], 2);
}

/// Sixteen products with the weights W[n][k], 1 MiB each, that passes transpose
/// and pack.
std::string makeProducts() {
  std::string text = "func.func @main(%x0: tensor<64x512xf32>) -> "
                     "tensor<64x512xf32> {\n  %zero = arith.constant 0.0 : "
                     "f32\n  %e = tensor.empty() : tensor<64x512xf32>\n"
                     "  %f = linalg.fill ins(%zero : f32) outs(%e : "
                     "tensor<64x512xf32>) -> tensor<64x512xf32>\n";
  for (int i = 0; i != 16; ++i)
    text += llvm::formatv(
        "  %w{0} = arith.constant dense_resource<w{0}> : tensor<512x512xf32>\n"
        "  %x{1} = linalg.generic {{indexing_maps = ["
        "affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, "
        "affine_map<(m, n, k) -> (m, n)>], iterator_types = [\"parallel\", "
        "\"parallel\", \"reduction\"]} ins(%x{0}, %w{0} : tensor<64x512xf32>, "
        "tensor<512x512xf32>) outs(%f : tensor<64x512xf32>) {{\n"
        "  ^bb0(%a: f32, %b: f32, %c: f32):\n"
        "    %p = arith.mulf %a, %b : f32\n    %s = arith.addf %c, %p : f32\n"
        "    linalg.yield %s : f32\n  } -> tensor<64x512xf32>\n",
        i, i + 1);
  return text + "  return %x16 : tensor<64x512xf32>\n}\n";
}

TEST_F(ConstantScopeTest, PassesKeepOneCopy) {
  constexpr uint64_t kMatrix = uint64_t(1) << 20;
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(makeProducts(), ParserConfig(&context));
  ASSERT_TRUE(module);
  auto &blobs = DenseResourceElementsHandle::getManagerInterface(&context)
                    .getBlobManager();
  ConstantScope scope(&context);
  // As if a pass before had made them.
  module->walk([&](arith::ConstantOp op) {
    auto value = dyn_cast<DenseResourceElementsAttr>(op.getValue());
    if (!value)
      return;
    blobs.update(value.getRawHandle().getKey(), allocateConstant(kMatrix));
    scope.add(value);
  });
  ASSERT_EQ(scope.getBytes(), 16 * kMatrix);
  PassManager passes(&context);
  passes.addInstrumentation(createConstantSweeper());
  PackWeightsPassOptions options;
  options.vectorBits = 256;
  options.vectorRegisters = 16;
  passes.addPass(createPackWeightsPass(options));
  ASSERT_TRUE(succeeded(passes.run(*module)));
  // 512 columns are whole panels, so the packed matrices are as large.
  uint64_t bytes = 0;
  module->walk([&](arith::ConstantOp op) {
    if (auto value = dyn_cast<DenseResourceElementsAttr>(op.getValue()))
      bytes += getBytes(value).size();
  });
  EXPECT_EQ(bytes, scope.getBytes());
  EXPECT_GE(bytes, 16 * kMatrix);
  EXPECT_LE(bytes, 17 * kMatrix);
  EXPECT_LT(scope.getPeakBytes(), 16 * kMatrix + bytes + kMatrix);
}

TEST_F(ConstantScopeTest, ValuesAreStoredInTheBackground) {
  BackgroundThread background;
  ConstantScope scope(&context, &background);
  DenseResourceElementsAttr first = make(4, 1), second = make(4, 2);
  scope.add(first);
  scope.add(second);
  auto *from = const_cast<char *>(getBytes(first).data());
  auto *to = const_cast<char *>(getBytes(second).data());
  std::promise<void> opened;
  scope.fillLater([&] {
    opened.get_future().wait();
    std::fill_n(reinterpret_cast<float *>(from), 4, 3.0f);
  });
  // Reads what the one before stores.
  scope.fillLater([&] { std::memcpy(to, from, 4 * sizeof(float)); });
  EXPECT_EQ(*reinterpret_cast<float *>(to), 2.0f);
  opened.set_value();
  scope.awaitValues();
  EXPECT_EQ(*reinterpret_cast<float *>(to), 3.0f);
}

TEST_F(ConstantScopeTest, ConstantsThatTheBackgroundReadsAreNotFreed) {
  BackgroundThread background;
  ConstantScope scope(&context, &background);
  DenseResourceElementsAttr kept = make(4, 1), dropped = make(4, 2);
  scope.add(kept);
  scope.add(dropped);
  OwningOpRef<ModuleOp> module = makeModule(kept, dropped);
  ArrayRef<char> bytes = getBytes(dropped);
  float read = 0;
  scope.fillLater([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    std::memcpy(&read, bytes.data(), sizeof(read));
  });
  scope.freeUnused(*module);
  EXPECT_EQ(read, 2.0f);
  EXPECT_TRUE(getBytes(dropped).empty());
  EXPECT_EQ(scope.getBytes(), 16u);
}

TEST_F(ConstantScopeTest, WithoutABackgroundValuesAreStoredAtOnce) {
  ConstantScope scope(&context);
  bool isStored = false;
  scope.fillLater([&] { isStored = true; });
  EXPECT_TRUE(isStored);
}

} // namespace
