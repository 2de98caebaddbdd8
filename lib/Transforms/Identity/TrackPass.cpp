//===- TrackPass.cpp - prof-track -----------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Support/File.h"
#include "mlir-prof/Transforms/AuditReport.h"
#include "mlir-prof/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringExtras.h"

namespace mlirprof::transforms {
#define GEN_PASS_DEF_PROFTRACK
#include "mlir-prof/Transforms/Passes.h.inc"
} // namespace mlirprof::transforms

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::transforms;

/// Fills `manager`, which is anchored on a module, from `text`. On failure sets
/// `problem`.
static LogicalResult parse(StringRef text, OpPassManager &manager,
                           std::string &problem) {
  llvm::raw_string_ostream os(problem);
  text = text.trim();
  StringRef module = ModuleOp::getOperationName();
  // In a manager for modules, a pipeline with its anchor would be nested, and
  // not run on any op.
  StringRef rest = text;
  if (!rest.consume_front(module) || !rest.ltrim().starts_with("("))
    return parsePassPipeline(text, manager, os);
  FailureOr<OpPassManager> parsed = parsePassPipeline(text, os);
  if (failed(parsed))
    return failure();
  manager = std::move(*parsed);
  return success();
}

namespace {
struct TrackPass : transforms::impl::ProfTrackBase<TrackPass> {
  using ProfTrackBase::ProfTrackBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    // Dialects cannot be loaded while passes run. Errors in the pipeline are
    // reported when it should run.
    OpPassManager manager(ModuleOp::getOperationName());
    std::string ignored;
    if (succeeded(parse(pipeline, manager, ignored)))
      manager.getDependentDialects(registry);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    AuditLog log;
    LogicalResult result = run(module, log);
    // The changes up to a failure help to understand it.
    if (failed(report(module, log)) || failed(result))
      signalPassFailure();
  }

private:
  LogicalResult run(ModuleOp module, AuditLog &log);
  LogicalResult report(ModuleOp module, const AuditLog &log);
  LogicalResult writeFile(ModuleOp module, const AuditLog &log);
};
} // namespace

/// Emits an error with a hint.
static LogicalResult fail(ModuleOp module, const Twine &what,
                          const Twine &hint) {
  InFlightDiagnostic error = emitError(module.getLoc())
                             << "prof-track: " << what;
  error.attachNote() << "hint: " << hint;
  return error;
}

LogicalResult TrackPass::run(ModuleOp module, AuditLog &log) {
  if (StringRef(pipeline).trim().empty())
    return fail(module, "no pipeline is given",
                "name the passes to run: prof-track{pipeline=\"PASSES\"}");
  Program program;
  if (failed(readProgram(module, program)))
    return failure();
  if (program.levels.empty())
    return fail(module, "the module does not have identities",
                "run prof-identify before prof-track, and keep the module's "
                "attributes and locations (--mlir-print-debuginfo) between "
                "tools");
  PassManager manager(&getContext(), ModuleOp::getOperationName());
  std::string problem;
  if (failed(parse(pipeline, manager, problem)))
    return fail(module, "the pipeline is invalid: " + StringRef(problem).trim(),
                "mlir-opt --help lists the passes and their options");
  manager.addInstrumentation(createIdentityKeeper(&log));
  return manager.run(module);
}

/// "3 linalg.fill, 1 scf.for"
static std::string describeLost(const PassAudit &audit) {
  return llvm::join(llvm::map_range(audit.lostByOp,
                                    [](const auto &entry) {
                                      return std::to_string(entry.second) +
                                             " " + entry.first;
                                    }),
                    ", ");
}

LogicalResult TrackPass::report(ModuleOp module, const AuditLog &log) {
  for (const PassAudit &audit : log.passes) {
    lostOps += audit.lost();
    repairedOps += audit.repaired;
    if (remarks && auditFile.empty() && audit.lost() != 0)
      emitRemark(module.getLoc())
          << "prof-track: " << audit.pass << " on " << audit.anchor << " lost "
          << audit.lost() << " of " << audit.opsAfter
          << " identities: " << describeLost(audit) << "; " << audit.repaired
          << " were repaired";
  }
  return auditFile.empty() ? success() : writeFile(module, log);
}

LogicalResult TrackPass::writeFile(ModuleOp module, const AuditLog &log) {
  llvm::Error error = writeOutput(auditFile, [&](llvm::raw_ostream &os) {
    writeAudit(log, getProgram(module), {}, AuditFormat::Json, os);
    return llvm::Error::success();
  });
  if (!error)
    return success();
  // Only the first line: the hint below is better here.
  std::string why = llvm::toString(std::move(error));
  return fail(module,
              "the audit was not written: " + StringRef(why).split('\n').first,
              "give audit-file a path that can be written");
}
