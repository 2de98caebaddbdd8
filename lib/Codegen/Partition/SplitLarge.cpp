//===- SplitLarge.cpp - Splitting large functions -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On buffers. Some of LLVM's analyses scale superlinearly with the size of a
// function; on a model with thousands of ops in one function they take most of
// the time. This pass moves neighboring ops into functions of a size that suits
// LLVM. One call per some dozens of ops does not take measurable time.
//
//===----------------------------------------------------------------------===//

#include "OpRun.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_SPLITLARGEPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

static size_t countOps(Operation *op) {
  size_t count = 0;
  op->walk([&](Operation *) { ++count; });
  return count;
}

/// Whether the only memory effect of `op` is `Effect`.
template <typename Effect>
static bool doesOnly(Operation *op) {
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  if (!interface || op->getNumRegions() != 0)
    return false;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  return llvm::all_of(effects, [](const MemoryEffects::EffectInstance &effect) {
    return isa<Effect>(effect.getEffect());
  });
}

/// Loads and the ops that use them. Loops with a single iteration have become
/// such ops.
static bool isCompany(Operation *op) {
  return doesOnly<MemoryEffects::Read>(op);
}

/// Ops that write memory.
static bool isWork(Operation *op) {
  return isa<linalg::LinalgOp>(op) ||
         (op->getNumRegions() != 0 && isa<scf::SCFDialect>(op->getDialect())) ||
         (doesOnly<MemoryEffects::Write>(op) &&
          !doesOnly<MemoryEffects::Read>(op));
}

/// Marks a function for the back end.
static void markPart(func::FuncOp function) {
  function->setAttr("passthrough",
                    Builder(function.getContext())
                        .getStrArrayAttr({"noinline", kPartOfModel}));
}

namespace {

struct SplitLargePass
    : mlirprof::codegen::impl::SplitLargePassBase<SplitLargePass> {
  using SplitLargePassBase::SplitLargePassBase;

  void runOnOperation() override {
    if (most == 0) {
      getOperation().emitError()
          << getArgument() << ": most is 0, not a number that is at least 1";
      return signalPassFailure();
    }
    Outlining how{"part", isWork, isCompany, countOps, most, least};
    SmallVector<func::FuncOp> functions(getOperation().getOps<func::FuncOp>());
    for (func::FuncOp function : functions)
      if (!function.isDeclaration() && countOps(function) > large)
        for (Block &block : function.getBody())
          llvm::for_each(outlineRuns(block, how), markPart);
  }
};

} // namespace
