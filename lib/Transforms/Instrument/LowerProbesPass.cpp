//===- LowerProbesPass.cpp - prof-lower-probes ----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProbeCode.h"
#include "ProbeList.h"
#include "ValueCode.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "mlir-prof/Transforms/Identity.h"
#include "mlir-prof/Transforms/Passes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlirprof::transforms {
#define GEN_PASS_DEF_PROFLOWERPROBES
#include "mlir-prof/Transforms/Passes.h.inc"
} // namespace mlirprof::transforms

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::transforms;

static LogicalResult emitNotListed(Operation *op, StringRef what) {
  InFlightDiagnostic error = op->emitOpError()
                             << "is of a " << what
                             << " that the module's program does not list";
  error.attachNote() << "hint: 'prof.program' on the module has to stay until "
                        "prof-lower-probes";
  return error;
}

static LogicalResult checkPlace(Operation *op) {
  auto function = op->getParentOfType<FunctionOpInterface>();
  if (function && isa<ModuleOp>(function->getParentOp()))
    return success();
  return op->emitOpError("must be in a function of the module");
}

/// Ops that cannot branch yet must not need to.
static LogicalResult checkBranch(Operation *op) {
  if (canBranch(op))
    return success();
  InFlightDiagnostic error =
      op->emitOpError() << "needs code that branches, which '"
                        << op->getParentOp()->getName() << "' does not allow";
  error.attachNote() << "hint: run prof-lower-probes after convert-scf-to-cf";
  return error;
}

namespace {
struct LowerProbesPass
    : transforms::impl::ProfLowerProbesBase<LowerProbesPass> {
  using ProfLowerProbesBase::ProfLowerProbesBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    ProbeList probes(module);
    if (probes.empty() || probe == ProbeCode::Drop)
      return dropProbes(module);
    Program program;
    if (failed(readProgram(module, program)))
      return signalPassFailure();
    FailureOr<ProbeLayout> layout = layOutProbes(module, program);
    if (failed(layout) || failed(check(probes, program)) ||
        failed(checkParts(module, probes, *layout)) ||
        failed(RuntimeModule::checkNames(module)))
      return signalPassFailure();
    lower(module, probes, program, *layout);
    removePartLists(module);
    loweredProbes += probes.begins.size();
    loweredValues += probes.values.size();
  }

private:
  LogicalResult check(ProbeList &probes, const Program &program) {
    for (prof::BeginOp begin : probes.begins) {
      if (begin.getProbe() >= program.probes.size())
        return emitNotListed(begin, "probe");
      if (failed(checkPlace(begin)))
        return failure();
      if (probe == ProbeCode::Inline && instances > 0)
        for (Operation *end : begin.getToken().getUsers())
          if (failed(checkBranch(end)))
            return failure();
    }
    for (prof::ValueOp value : probes.values) {
      if (value.getSite() >= program.sites.size())
        return emitNotListed(value, "site");
      if (program.sites[value.getSite()].names.size() !=
          value.getValues().size())
        return value.emitOpError("does not have as many values as its site");
      if (failed(checkPlace(value)))
        return failure();
    }
    return success();
  }

  /// Code of dispatches finds its probes by an argument, which all of its
  /// functions need.
  static LogicalResult checkParts(ModuleOp module, ProbeList &probes,
                                  const ProbeLayout &layout) {
    for (prof::PartOp part : probes.parts)
      if (part.getDispatch() >= layout.parts.size())
        return part.emitOpError("is of a dispatch that 'prof.parts' on the "
                                "module does not list");
    if (!isShared(module))
      return success();
    auto checkPart = [](Operation *op) -> LogicalResult {
      if (findPart(op))
        return success();
      return op->emitOpError("is in a function that lacks the argument with "
                             "'prof.part', which another function has");
    };
    for (prof::BeginOp begin : probes.begins)
      if (failed(checkPart(begin)))
        return failure();
    for (prof::ValueOp value : probes.values)
      if (failed(checkPart(value)))
        return failure();
    return success();
  }

  void lower(ModuleOp module, ProbeList &probes, const Program &program,
             const ProbeLayout &layout) {
    CalledProbes calledProbes(module);
    NestedProbes nestedProbes(module, program);
    // The description of a program that lacks its kernels would be wrong.
    bool isWhole = layout.parts.empty();
    RuntimeMetadata described;
    if (metadata && isWhole)
      described.bytes = serializeProgram(program);
    described.isLater = metadata && !isWhole;
    RuntimeModule runtime(module, layout, instances, described);
    ThreadBlocks blocks(runtime);
    // Code of dispatches counts from where its part begins.
    bool isPart = isShared(module);
    InlineProbes inlineProbes(runtime, blocks, calledProbes, nestedProbes,
                              program, isPart ? 0 : layout.getFirstOpen(),
                              {clock, instances});
    for (prof::BeginOp begin : probes.begins) {
      if (probe == ProbeCode::Inline)
        inlineProbes.lower(begin);
      else
        lowerToCalls(runtime, begin);
    }
    ValueCode valueCode(runtime, blocks, program,
                        isPart ? 0 : layout.getFirstCell());
    for (prof::ValueOp value : probes.values)
      valueCode.lower(value);
    for (prof::PartOp part : probes.parts) {
      OpBuilder builder(part);
      part.replaceAllUsesWith(
          runtime.getPart(builder, part.getLoc(), part.getDispatch()));
      part.erase();
    }
  }

  static void lowerToCalls(RuntimeModule &runtime, prof::BeginOp begin) {
    auto call = [&](Operation *op) {
      runtime.callHandler(op, begin.getProbe());
    };
    call(begin);
    for (Operation *end :
         llvm::make_early_inc_range(begin.getToken().getUsers())) {
      call(end);
      end->erase();
    }
    begin.erase();
  }
};
} // namespace
