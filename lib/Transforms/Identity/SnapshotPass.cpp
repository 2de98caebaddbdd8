//===- SnapshotPass.cpp - prof-snapshot -----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Transforms/Identity.h"
#include "mlir-prof/Transforms/Passes.h"

namespace mlirprof {
#define GEN_PASS_DEF_PROFSNAPSHOT
#include "mlir-prof/Transforms/Passes.h.inc"
} // namespace mlirprof

using namespace mlir;
using namespace mlirprof;

namespace {
struct SnapshotPass : mlirprof::impl::ProfSnapshotBase<SnapshotPass> {
  using ProfSnapshotBase::ProfSnapshotBase;

  void runOnOperation() override {
    if (failed(snapshotLevel(getOperation(), level)))
      signalPassFailure();
    // No analysis looks at locations or at attributes of ours.
    markAllAnalysesPreserved();
  }
};
} // namespace
