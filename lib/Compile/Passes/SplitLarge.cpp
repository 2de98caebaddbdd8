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
#include "Passes.h"
#include "mlir-prof/Compile/Backend.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlirprof;

/// Ops of a function that stays as it is. LLVM takes time about in proportion
/// up to here.
static constexpr size_t kLarge = 16000;
/// Ops of a part, about.
static constexpr size_t kMostOps = 2000;
/// Fewer are not worth a call.
static constexpr size_t kLeastOps = 100;

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

class SplitLargePass
    : public PassWrapper<SplitLargePass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SplitLargePass)

  SplitLargePass() = default;
  SplitLargePass(const SplitLargePass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "prof-split-large"; }
  StringRef getDescription() const override {
    return "Put parts of large functions into functions of their own";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<func::FuncDialect, LLVM::LLVMDialect, scf::SCFDialect>();
  }

  void runOnOperation() override {
    Outlining how{"part", isWork, isCompany, countOps, most, least};
    SmallVector<func::FuncOp> functions(getOperation().getOps<func::FuncOp>());
    for (func::FuncOp function : functions)
      if (!function.isDeclaration() && countOps(function) > large)
        for (Block &block : function.getBody())
          llvm::for_each(outlineRuns(block, how), markPart);
  }

  Option<size_t> large{*this, "large",
                       llvm::cl::desc("Ops of a function that stays as it is"),
                       llvm::cl::init(kLarge)};
  Option<size_t> most{*this, "most", llvm::cl::desc("Ops of a part, about"),
                      llvm::cl::init(kMostOps)};
  Option<size_t> least{*this, "least",
                       llvm::cl::desc("Fewer are not worth a call"),
                       llvm::cl::init(kLeastOps)};
};

} // namespace

std::unique_ptr<Pass> mlirprof::createSplitLargePass() {
  return std::make_unique<SplitLargePass>();
}
