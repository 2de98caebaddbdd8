//===- ExpandWinograd.cpp - Winograd's transforms as loops ----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transforms.h"
#include "mlir-prof/Codegen/Choices.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir-prof/Codegen/TargetOptions.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_EXPANDWINOGRADPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

namespace {

struct ExpandWinogradPass
    : mlirprof::codegen::impl::ExpandWinogradPassBase<ExpandWinogradPass> {
  using ExpandWinogradPassBase::ExpandWinogradPassBase;

  void runOnOperation() override {
    FailureOr<TargetModel> target = makeTarget(
        *this, getOperation(), vectorBits, TargetModel().vectorRegisters,
        /*features=*/"", TargetModel().maxError);
    if (failed(target))
      return signalPassFailure();
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isTransform(op))
        ops.push_back(op);
    });
    ChoiceKeeper choices;
    IRRewriter rewriter(&getContext(), &choices);
    for (Operation *op : ops) {
      choices.setSource(op);
      expandOnTensors(rewriter, op, target->vectorBits);
    }
  }
};

} // namespace
