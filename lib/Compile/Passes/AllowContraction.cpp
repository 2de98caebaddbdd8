//===- AllowContraction.cpp - Fused products and sums ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

template <typename Op>
static void allow(Op op) {
  op.setFastmathFlags(op.getFastmathFlags() | LLVM::FastmathFlags::contract);
}

namespace {

class AllowContractionPass
    : public PassWrapper<AllowContractionPass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AllowContractionPass)

  StringRef getArgument() const override { return "prof-allow-contraction"; }
  StringRef getDescription() const override {
    return "Let products and sums of the LLVM dialect become fused ones";
  }

  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      if (auto product = dyn_cast<LLVM::FMulOp>(op))
        allow(product);
      else if (auto sum = dyn_cast<LLVM::FAddOp>(op))
        allow(sum);
      else if (auto difference = dyn_cast<LLVM::FSubOp>(op))
        allow(difference);
    });
  }
};

} // namespace

std::unique_ptr<Pass> mlirprof::createAllowContractionPass() {
  return std::make_unique<AllowContractionPass>();
}
