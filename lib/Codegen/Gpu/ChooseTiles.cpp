//===- ChooseTiles.cpp - Plans of kernels for GPUs ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plan.h"
#include "mlir-prof/Codegen/Passes.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_CHOOSETILESPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

namespace {

struct ChooseTilesPass
    : mlirprof::codegen::impl::ChooseTilesPassBase<ChooseTilesPass> {
  using ChooseTilesPassBase::ChooseTilesPassBase;

  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    if (isTensorKernel(kernel))
      kernel->setAttr(kGpuPlan, toAttribute(planKernel(kernel, warpgroups),
                                            kernel.getContext()));
  }
};

} // namespace
