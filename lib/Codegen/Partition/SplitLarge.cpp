//===- SplitLarge.cpp - Large functions in parts --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On buffers. Some of LLVM's analyses take time that grows faster than the
// function does; with a model of thousands of ops in one function they take
// most of it. Neighboring ops go into functions of a size that is good for
// LLVM. A call for some dozens of ops takes no time that could be measured.
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

/// Whether all that `op` does to memory is `Effect`.
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

/// Loads and what is done with them. Loops of one step have become such.
static bool isCompany(Operation *op) {
  return doesOnly<MemoryEffects::Read>(op);
}

/// Ops that leave something in memory.
static bool isWork(Operation *op) {
  return isa<linalg::LinalgOp>(op) ||
         (op->getNumRegions() != 0 && isa<scf::SCFDialect>(op->getDialect())) ||
         (doesOnly<MemoryEffects::Write>(op) &&
          !doesOnly<MemoryEffects::Read>(op));
}

/// What the back end needs to know.
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
