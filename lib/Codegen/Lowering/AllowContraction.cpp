//===- AllowContraction.cpp - Fusing multiplications and additions --------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_ALLOWCONTRACTIONPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

template <typename Op>
static void allow(Op op) {
  op.setFastmathFlags(op.getFastmathFlags() | LLVM::FastmathFlags::contract);
}

namespace {

struct AllowContractionPass
    : mlirprof::codegen::impl::AllowContractionPassBase<AllowContractionPass> {
  using AllowContractionPassBase::AllowContractionPassBase;

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
