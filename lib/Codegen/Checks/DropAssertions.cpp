//===- DropAssertions.cpp - Unchecked code --------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_DROPASSERTIONSPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;

namespace {

struct DropAssertionsPass
    : mlirprof::codegen::impl::DropAssertionsPassBase<DropAssertionsPass> {
  using DropAssertionsPassBase::DropAssertionsPassBase;

  void runOnOperation() override {
    getOperation()->walk([](cf::AssertOp assertion) { assertion.erase(); });
  }
};

} // namespace
