//===- RepairPass.cpp - prof-repair ---------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Transforms/Identity.h"
#include "mlir-prof/Transforms/Passes.h"

namespace mlirprof {
#define GEN_PASS_DEF_PROFREPAIR
#include "mlir-prof/Transforms/Passes.h.inc"
} // namespace mlirprof

using namespace mlir;
using namespace mlirprof;

namespace {
struct RepairPass : mlirprof::impl::ProfRepairBase<RepairPass> {
  void runOnOperation() override {
    repairedOps += repairIdentities(getOperation());
    // No analysis looks at locations.
    markAllAnalysesPreserved();
  }
};
} // namespace
