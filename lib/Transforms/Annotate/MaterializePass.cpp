//===- MaterializePass.cpp - prof-materialize -----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Dialect/Prof/ProfileData.h"
#include "mlir-prof/Transforms/Arrival.h"
#include "mlir-prof/Transforms/Passes.h"

namespace mlirprof::transforms {
#define GEN_PASS_DEF_PROFMATERIALIZE
#include "mlir-prof/Transforms/Passes.h.inc"
} // namespace mlirprof::transforms

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::transforms;
using prof::CoverageAttr;

/// `part` of `whole` in millionths, rounded down.
static uint64_t toPpm(int64_t part, int64_t whole) {
  return whole <= 0 ? 0 : uint64_t((__int128(part) * 1000000) / whole);
}

namespace {
struct MaterializePass
    : transforms::impl::ProfMaterializeBase<MaterializePass> {
  using ProfMaterializeBase::ProfMaterializeBase;

  void runOnOperation() override {
    // Analyses do not look at locations or at prof attributes.
    markAllAnalysesPreserved();
    ModuleOp module = getOperation();
    Arrival arrival = collectArrival(module);
    if (arrival.malformed)
      emitWarning(module.getLoc())
          << "prof-materialize: " << arrival.malformed
          << " locations look like they carry a profile and do not hold its "
             "six numbers; a newer mlir-prof may have written them";
    if (arrival.owners.empty() && !arrival.annotated) {
      emitNothingCarried(module);
      return signalPassFailure();
    }
    write(module, arrival);
    count(arrival);
    if (remarks)
      emitArrival(module, arrival);
  }

private:
  static void emitNothingCarried(ModuleOp module) {
    InFlightDiagnostic error =
        emitError(module.getLoc())
        << "prof-materialize: no location of this module carries a profile";
    error.attachNote()
        << "hint: annotate with prof-annotate{carrier=location}, and keep the "
           "locations between tools with --mlir-print-debuginfo or bytecode";
  }

  static void write(ModuleOp module, const Arrival &arrival) {
    module->walk([](Operation *op) { prof::removeProfileData(op); });
    for (auto [op, data] : arrival.owners)
      prof::setProfileData(op, data);
    // The coverage of an earlier run does not describe these times.
    module->removeDiscardableAttr(prof::ProfDialect::getCoverageAttrName());
    if (CoverageAttr old = arrival.annotated)
      module->setDiscardableAttr(
          prof::ProfDialect::getCoverageAttrName(),
          CoverageAttr::get(module.getContext(), old.getOpTimePs(),
                            arrival.totalPs, old.getUniquePs(),
                            old.getAmbiguousPs(), old.getFusedPs(),
                            old.getPartialPs(), old.getUnmatchedPs(),
                            old.getMeanFusedMembersPpm()));
  }

  void count(const Arrival &arrival) {
    sourceOps += arrival.sourceOps;
    owners += arrival.owners.size();
    soleOwners += arrival.soleOwners;
    if (arrival.annotated)
      arrivedPpm += toPpm(arrival.totalPs, arrival.annotated.getOwnedPs());
  }

  static void emitArrival(ModuleOp module, const Arrival &arrival) {
    InFlightDiagnostic remark = emitRemark(module.getLoc())
                                << "prof-materialize: ";
    if (arrival.annotated) {
      int64_t whole = arrival.annotated.getOwnedPs();
      uint64_t thousandths = toPpm(arrival.totalPs, whole) / 1000;
      remark << thousandths / 10 << "." << thousandths % 10 << " % arrived, "
             << arrival.totalPs << " of " << whole << " ps";
    } else {
      remark << arrival.totalPs
             << " ps arrived (of an unknown total: the module's location has "
                "lost its coverage)";
    }
    remark << "; " << arrival.sourceOps << " source ops on "
           << arrival.owners.size() << " ops, " << arrival.soleOwners
           << " with one owner";
  }
};
} // namespace
