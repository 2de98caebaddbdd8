//===- RecordValuesPass.cpp - prof-record-values --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ValueSites.h"
#include "mlir-prof/Dialect/Prof/ProfOps.h"
#include "mlir-prof/Transforms/Identity.h"
#include "mlir-prof/Transforms/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlirprof::transforms {
#define GEN_PASS_DEF_PROFRECORDVALUES
#include "mlir-prof/Transforms/Passes.h.inc"
} // namespace mlirprof::transforms

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::transforms;

namespace {
struct RecordValuesPass
    : transforms::impl::ProfRecordValuesBase<RecordValuesPass> {
  using ProfRecordValuesBase::ProfRecordValuesBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    Program program;
    if (failed(getOrStartProgram(module, program)))
      return signalPassFailure();
    if (!program.sites.empty()) {
      InFlightDiagnostic error =
          emitError(module.getLoc())
          << "prof-record-values: values are recorded already";
      error.attachNote() << "hint: run prof-record-values once";
      return signalPassFailure();
    }
    NodeLookup lookup(program);
    notRecorded += recordValues(module, program, lookup, everywhere);
    siteCount += program.sites.size();
    setProgram(module, program);
  }
};
} // namespace
