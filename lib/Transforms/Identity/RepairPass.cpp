//===- RepairPass.cpp - prof-repair ---------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Transforms/Identity.h"
#include "mlir-prof/Transforms/Passes.h"

namespace mlirprof::transforms {
#define GEN_PASS_DEF_PROFREPAIR
#include "mlir-prof/Transforms/Passes.h.inc"
} // namespace mlirprof::transforms

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::transforms;

namespace {
struct RepairPass : transforms::impl::ProfRepairBase<RepairPass> {
  void runOnOperation() override {
    repairedOps += repairIdentities(getOperation());
    // Analyses do not look at locations.
    markAllAnalysesPreserved();
  }
};
} // namespace
