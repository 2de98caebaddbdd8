//===- SnapshotPass.cpp - prof-snapshot -----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Transforms/Identity.h"
#include "mlir-prof/Transforms/Passes.h"

namespace mlirprof::transforms {
#define GEN_PASS_DEF_PROFSNAPSHOT
#include "mlir-prof/Transforms/Passes.h.inc"
} // namespace mlirprof::transforms

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::transforms;

namespace {
struct SnapshotPass : transforms::impl::ProfSnapshotBase<SnapshotPass> {
  using ProfSnapshotBase::ProfSnapshotBase;

  void runOnOperation() override {
    if (failed(snapshotLevel(getOperation(), level)))
      signalPassFailure();
    // Analyses do not look at locations or at prof attributes.
    markAllAnalysesPreserved();
  }
};
} // namespace
