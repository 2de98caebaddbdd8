//===- LinesPass.cpp - prof-lines -----------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Profile/ProfileFile.h"
#include "mlir-prof/Transforms/Identity.h"
#include "mlir-prof/Transforms/Instrument.h"
#include "mlir-prof/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/TargetParser/Triple.h"

namespace mlirprof::transforms {
#define GEN_PASS_DEF_PROFLINES
#include "mlir-prof/Transforms/Passes.h.inc"
} // namespace mlirprof::transforms

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::transforms;

namespace {
struct LinesPass : transforms::impl::ProfLinesBase<LinesPass> {
  using ProfLinesBase::ProfLinesBase;

  void runOnOperation() override {
    if (failed(run(getOperation(), section)))
      signalPassFailure();
    // Analyses do not look at locations or at prof attributes.
    markAllAnalysesPreserved();
  }

private:
  static LogicalResult run(ModuleOp module, bool section) {
    Program program;
    if (failed(readProgram(module, program)))
      return failure();
    if (program.levels.empty()) {
      InFlightDiagnostic error =
          emitError(module.getLoc())
          << "prof-lines: the module does not have identities";
      error.attachNote() << "hint: run prof-identify first, and keep the "
                            "module's attributes and locations on the way";
      return error;
    }
    // Back ends do not know probes, and probes left at this point would never
    // be lowered.
    dropProbes(module);
    repairIdentities(module);
    if (program.levels.back() != kLlvmLevel &&
        (failed(snapshotLevel(module, kLlvmLevel)) ||
         failed(readProgram(module, program))))
      return failure();
    program.fingerprint = fingerprintProgram(program);
    if (failed(setDebugLines(module, program.fingerprint)))
      return failure();
    if (section && hasElfObjects(module))
      embedProgram(module, program);
    return success();
  }

  /// Other object formats name sections differently. Without a triple the
  /// object is for this machine.
  static bool hasElfObjects(ModuleOp module) {
    auto triple = module->getAttrOfType<StringAttr>(
        LLVM::LLVMDialect::getTargetTripleAttrName());
    return !triple || llvm::Triple(triple.getValue()).isOSBinFormatELF();
  }

  static constexpr llvm::StringLiteral kLlvmLevel = "llvm";
};
} // namespace
