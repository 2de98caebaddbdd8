//===- FormDispatches.cpp - Dividing a model into dispatches --------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Outline.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir-prof/Codegen/TargetOptions.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringMap.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_FORMDISPATCHESPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

namespace {

/// Forms the dispatches of a module.
class Former {
public:
  Former(ModuleOp module, const TargetModel &target)
      : target(target), symbols(module) {}

  void form(func::FuncOp function);

private:
  void form(Block &block);
  std::string makeUnique(const std::string &name);

  const TargetModel &target;
  SymbolTable symbols;
  /// How many names were tried for each name of a group.
  llvm::StringMap<unsigned> counts;
  func::FuncOp function;
};

} // namespace

std::string Former::makeUnique(const std::string &name) {
  unsigned &count = counts[name];
  std::string unique;
  do {
    unique = count == 0 ? name : name + "_" + std::to_string(count);
    ++count;
  } while (symbols.lookup(unique));
  return unique;
}

static void eraseDead(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

/// Whether the iterations of `op` may run at the same time: a dispatch is run
/// by one thread of the host side.
static bool isParallel(Operation *op) {
  return isa<scf::ForallOp, scf::ParallelOp>(op);
}

void Former::form(Block &block) {
  // Ops of other blocks that groups need may be made by their kernels, so the
  // blocks around come last.
  for (Operation &op : llvm::make_early_inc_range(block))
    if (getPlace(&op) == OpPlace::Host && !isParallel(&op))
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          form(inner);
  eraseDead(block);
  std::vector<DispatchGroup> groups = findGroups(block, target);
  llvm::erase_if(groups,
                 [](const DispatchGroup &group) { return !canOutline(group); });
  std::vector<std::string> names;
  for (const DispatchGroup &group : groups)
    names.push_back(makeUnique(nameGroup(group)));
  // Later groups first: they make the fills that they share with the host side
  // themselves, and must not see that a kernel makes them.
  OpBuilder kernels(function);
  for (auto [group, name] : llvm::reverse(llvm::zip_equal(groups, names)))
    kernels.setInsertionPoint(outlineGroup(group, name, kernels));
  eraseDead(block);
}

/// Replaces concatenations of more parts than a group has ops by insertions, of
/// which each kernel takes some: one-shot bufferization takes time that grows
/// with the cube of the insertions of a function.
static void divideLongConcats(func::FuncOp function) {
  SmallVector<tensor::ConcatOp> concats;
  function.walk([&](tensor::ConcatOp concat) {
    if (concat.getInputs().size() > kMostGroupOps)
      concats.push_back(concat);
  });
  IRRewriter rewriter(function.getContext());
  for (tensor::ConcatOp concat : concats) {
    rewriter.setInsertionPoint(concat);
    FailureOr<SmallVector<Value>> whole = concat.decomposeOperation(rewriter);
    if (succeeded(whole))
      rewriter.replaceOp(concat, *whole);
  }
}

void Former::form(func::FuncOp op) {
  function = op;
  divideLongConcats(function);
  for (Block &block : op.getBody())
    form(block);
}

namespace {

struct FormDispatchesPass
    : mlirprof::codegen::impl::FormDispatchesPassBase<FormDispatchesPass> {
  using FormDispatchesPassBase::FormDispatchesPassBase;

  void runOnOperation() override {
    FailureOr<TargetModel> target = makeTarget(
        *this, getOperation(), vectorBits, vectorRegisters, features, maxError);
    if (failed(target))
      return signalPassFailure();
    if (gpu)
      target->triple = kGpuTriple;
    SmallVector<func::FuncOp> functions;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!dispatch::isKernel(function))
        functions.push_back(function);
    Former former(getOperation(), *target);
    for (func::FuncOp function : functions)
      former.form(function);
  }
};

} // namespace
