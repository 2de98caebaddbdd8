//===- VersionsTest.cpp - Weights that versions share ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Compile/Compiler.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

#include <map>
#include <set>

using namespace mlirprof;
using namespace mlirprof::codegen;
using namespace mlirprof::compile;

namespace {

/// A matrix product of any number of rows with constant weights of 64x96.
std::string makeModel(llvm::StringRef versions) {
  std::string weights = "0x04000000";
  for (int i = 0; i < 64 * 96; ++i)
    weights += "0000" + llvm::utohexstr(i % 128, /*LowerCase=*/false, 2) + "3F";
  return llvm::formatv(
      "func.func @main(%x: tensor<?x64xf32>) -> tensor<?x96xf32>\n"
      "    attributes {{mlirprof.choice = {{versions = {{{0}}}} {{\n"
      "  %w = arith.constant dense_resource<w> : tensor<64x96xf32>\n"
      "  %zero = arith.constant 0.0 : f32\n"
      "  %c0 = arith.constant 0 : index\n"
      "  %d = tensor.dim %x, %c0 : tensor<?x64xf32>\n"
      "  %e = tensor.empty(%d) : tensor<?x96xf32>\n"
      "  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x96xf32>) -> "
      "tensor<?x96xf32>\n"
      "  %m = linalg.matmul ins(%x, %w : tensor<?x64xf32>, tensor<64x96xf32>) "
      "outs(%f : tensor<?x96xf32>) -> tensor<?x96xf32>\n"
      "  return %m : tensor<?x96xf32>\n"
      "}\n"
      "{{-# dialect_resources: {{ builtin: {{ w: \"{1}\" } } #-}\n",
      versions, weights);
}

class VersionsTest : public testing::Test {
protected:
  VersionsTest() {
    mlir::DialectRegistry registry;
    mlir::registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    another.appendDialectRegistry(registry);
    options.identities = false;
  }

  /// The prepared model; null, with a failure, if preparation fails.
  mlir::OwningOpRef<mlir::ModuleOp> prepare(llvm::StringRef text,
                                            mlir::MLIRContext &context) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    if (!module) {
      ADD_FAILURE() << "does not parse";
      return {};
    }
    auto prepared =
        prepareModel(std::move(module), options, StageForm::Prepared);
    if (!prepared) {
      ADD_FAILURE() << llvm::toString(prepared.takeError());
      return {};
    }
    return std::move(*prepared);
  }

  static size_t countFunctions(mlir::ModuleOp module) {
    auto functions = module.getOps<mlir::func::FuncOp>();
    return size_t(std::distance(functions.begin(), functions.end()));
  }

  /// The number of ops of each kind.
  static std::map<std::string, size_t> countOps(mlir::ModuleOp module) {
    std::map<std::string, size_t> counts;
    module.walk([&](mlir::Operation *op) {
      ++counts[op->getName().getStringRef().str()];
    });
    return counts;
  }

  /// Bytes of the weights that `module` uses.
  static size_t countBytes(mlir::ModuleOp module) {
    std::set<const void *> seen;
    size_t bytes = 0;
    module.walk([&](mlir::arith::ConstantOp constant) {
      auto value = llvm::dyn_cast<mlir::DenseResourceElementsAttr>(
          mlir::Attribute(constant.getValue()));
      if (value && seen.insert(value.getRawHandle().getBlob()).second)
        bytes += value.getRawHandle().getBlob()->getData().size();
    });
    return bytes;
  }

  /// Names of resources belong to a context.
  mlir::MLIRContext context, another;
  CompileOptions options;
};

TEST_F(VersionsTest, PackedWeightsAreThereOnce) {
  auto plain = prepare(makeModel(""), context);
  ASSERT_TRUE(plain);
  EXPECT_EQ(countFunctions(*plain), 1u);
  auto versions = prepare(
      makeModel(R"("1" = "arg0.dim0=8", "2" = "arg0.dim0=32")"), context);
  ASSERT_TRUE(versions);
  EXPECT_EQ(countFunctions(*versions), 4u);
  EXPECT_EQ(countBytes(*plain), 64u * 96 * 4);
  EXPECT_EQ(countBytes(*versions), countBytes(*plain));
}

TEST_F(VersionsTest, PreparedAgainItStaysAsItIs) {
  auto once = prepare(makeModel(R"("1" = "arg0.dim0=8", "2" = "arg0.dim0=32")"),
                      context);
  ASSERT_TRUE(once);
  std::string before;
  llvm::raw_string_ostream beforeStream(before);
  // `<<` would print it without resources.
  once->print(beforeStream);
  auto twice = prepare(before, another);
  ASSERT_TRUE(twice);
  // Constants may be at other positions.
  EXPECT_EQ(countFunctions(*twice), countFunctions(*once));
  EXPECT_EQ(countBytes(*twice), countBytes(*once));
  EXPECT_EQ(countOps(*twice), countOps(*once));
}

} // namespace
