//===- AnnotatePass.cpp - prof-annotate -----------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Import/Importer.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Transforms/Passes.h"

namespace mlirprof::transforms {
#define GEN_PASS_DEF_PROFANNOTATE
#include "mlir-prof/Transforms/Passes.h.inc"
} // namespace mlirprof::transforms

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::match;
using namespace mlirprof::profile;
using namespace mlirprof::transforms;

/// Emits `error` at `location`, its hint as a note.
static LogicalResult emitInputError(Location location, llvm::Error error) {
  llvm::handleAllErrors(
      std::move(error),
      [&](const InputError &input) {
        InFlightDiagnostic diagnostic =
            emitError(location) << input.getWhere() << ": " << input.getWhat();
        if (!input.getHint().empty())
          diagnostic.attachNote() << "hint: " << input.getHint();
      },
      [&](const llvm::ErrorInfoBase &other) {
        emitError(location) << other.message();
      });
  return failure();
}

namespace {
struct AnnotatePass : transforms::impl::ProfAnnotateBase<AnnotatePass> {
  using ProfAnnotateBase::ProfAnnotateBase;

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
    // Analyses do not look at locations or at prof attributes.
    markAllAnalysesPreserved();
  }

private:
  LogicalResult run() {
    ModuleOp module = getOperation();
    if (profile.empty()) {
      InFlightDiagnostic error = emitError(module.getLoc())
                                 << "prof-annotate: no profile is given";
      error.attachNote() << "hint: name a recording or a .mlprof file: "
                            "prof-annotate{profile=FILE}";
      return error;
    }
    llvm::Expected<Profile> read = importProfile(profile);
    if (!read)
      return emitInputError(module.getLoc(), read.takeError());

    AnnotateOptions options;
    options.carrier = carrier;
    options.compatProfilerData = compatProfilerData;
    MatchOptions matching;
    matching.rule = matchRule;
    uint64_t written = 0;
    LogicalResult result = annotateFromProfile(module, *read, options, matching,
                                               allowUnmatched, &written);
    annotatedOps += written;
    return result;
  }
};
} // namespace
