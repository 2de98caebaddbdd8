//===- LeastWorkTest.cpp - Work that no compiler can leave out ------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/Optimize/Sites/LeastWork.h"
#include "mlir-prof/Module/ModuleReader.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::module;
using namespace mlirprof::optimize;

namespace {

/// The bytes of weights of the only product of `text`.
uint64_t countWeightBytes(llvm::StringRef text) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  prepareContext(context);
  auto module = llvm::cantFail(parseModule(
      llvm::MemoryBuffer::getMemBufferCopy(text, "m.mlir"), context));
  uint64_t bytes = 0;
  llvm::DenseSet<Value> seen;
  module->walk([&](linalg::MatmulOp op) { bytes += getWeightBytes(op, seen); });
  return bytes;
}

constexpr llvm::StringLiteral kBody = R"(
    %r = linalg.matmul ins(%a, %b : tensor<8x4xf32>, tensor<4x16xf32>)
      outs(%c : tensor<8x16xf32>) -> tensor<8x16xf32>
    return %r : tensor<8x16xf32>
  })";
constexpr llvm::StringLiteral kArguments =
    "(%a: tensor<8x4xf32>, %b: tensor<4x16xf32>, %c: tensor<8x16xf32>)"
    " -> tensor<8x16xf32> {";

/// 8 * 4 and 4 * 16 floats of 4 bytes.
TEST(LeastWork, ArgumentsOfTheModelAreThereBefore) {
  EXPECT_EQ(countWeightBytes(("func.func @main" + kArguments + kBody).str()),
            4u * (8 * 4 + 4 * 16));
}

TEST(LeastWork, ArgumentsOnTheWayAreNot) {
  EXPECT_EQ(
      countWeightBytes(("func.func private @inner" + kArguments + kBody).str()),
      0u);
  std::string jumps = ("func.func @main" + kArguments +
                       "    cf.br ^bb1(%a : tensor<8x4xf32>)\n"
                       "  ^bb1(%m: tensor<8x4xf32>):" +
                       kBody)
                          .str();
  size_t at = jumps.find("ins(%a");
  jumps.replace(at, 6, "ins(%m");
  EXPECT_EQ(countWeightBytes(jumps), 4u * 4 * 16);
}

} // namespace
