//===- OpRun.cpp - Outlining runs of neighboring ops ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpRun.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

bool codegen::isMovable(Operation *op) {
  return isa<memref::AllocOp>(op) ||
         (op->getNumRegions() == 0 && !op->hasTrait<OpTrait::IsTerminator>() &&
          isMemoryEffectFree(op));
}

bool codegen::isSmall(Operation *op) {
  return isMovable(op) ||
         isa<memref::CopyOp, memref::LoadOp, memref::StoreOp>(op);
}

void OpRun::add(Operation *op, size_t opWeight) {
  ops.insert(waiting.begin(), waiting.end());
  waiting.clear();
  ops.insert(op);
  added.insert(op);
  weight += opWeight + waitingWeight;
  waitingWeight = 0;
}

bool OpRun::dependsOn(Operation *op) const {
  return llvm::any_of(op->getOperands(), [&](Value value) {
    Operation *definition = value.getDefiningOp();
    return definition &&
           (ops.contains(definition) || waiting.contains(definition));
  });
}

/// The first of `ops` with a result that other ops use; the end if there is
/// none.
static OpSet::const_iterator findEscape(const OpSet &ops) {
  return llvm::find_if(ops, [&](Operation *op) {
    return llvm::any_of(op->getUsers(), [&](Operation *user) {
      return !ops.contains(op->getBlock()->findAncestorOpInBlock(*user));
    });
  });
}

bool OpRun::isClosed() const { return findEscape(ops) == ops.end(); }

SmallVector<OpSet> OpRun::getParts() const {
  SmallVector<OpSet> parts, rest{ops};
  while (!rest.empty()) {
    OpSet part = rest.pop_back_val();
    auto escape = findEscape(part);
    if (escape == part.end()) {
      parts.push_back(std::move(part));
      continue;
    }
    // Results of the part before may now be used outside too.
    rest.emplace_back(std::next(escape), part.end());
    rest.emplace_back(part.begin(), escape);
  }
  llvm::erase_if(parts, [&](const OpSet &part) {
    return llvm::none_of(part,
                         [&](Operation *op) { return added.contains(op); });
  });
  return parts;
}

/// The op that computes `value`, if only `ops` need the value; for a buffer,
/// `dealloc` is set to the op that frees it.
static Operation *getOwned(Value value, const OpSet &ops, Operation *&dealloc) {
  Operation *op = value.getDefiningOp();
  Block *block = ops.front()->getBlock();
  if (!op || op->getBlock() != block || ops.contains(op) || !isMovable(op))
    return nullptr;
  for (Operation *user : op->getUsers()) {
    bool isDealloc = isa<memref::AllocOp>(op) && isa<memref::DeallocOp>(user) &&
                     !dealloc && user->getBlock() == block;
    if (isDealloc)
      dealloc = user;
    else if (!ops.contains(block->findAncestorOpInBlock(*user)))
      return nullptr;
  }
  bool isLeft = isa<memref::AllocOp>(op) && !dealloc;
  return isLeft ? nullptr : op;
}

void codegen::addOwned(OpSet &ops) {
  SmallVector<Operation *> before, after;
  bool changes = true;
  while (changes) {
    changes = false;
    llvm::SetVector<Value> used;
    for (Operation *op : ops)
      op->walk([&](Operation *inner) {
        used.insert(inner->operand_begin(), inner->operand_end());
      });
    for (Value value : used) {
      Operation *dealloc = nullptr;
      Operation *owned = getOwned(value, ops, dealloc);
      if (!owned)
        continue;
      ops.insert(owned);
      before.push_back(owned);
      if (dealloc) {
        ops.insert(dealloc);
        after.push_back(dealloc);
      }
      changes = true;
    }
  }
  llvm::sort(before,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  OpSet ordered(before.begin(), before.end());
  for (Operation *op : ops)
    if (!llvm::is_contained(after, op))
      ordered.insert(op);
  ordered.insert(after.begin(), after.end());
  ops = std::move(ordered);
}

bool codegen::isCloned(Operation *op) {
  return op && (op->hasTrait<OpTrait::ConstantLike>() ||
                isa<memref::GetGlobalOp>(op));
}

/// Clones cheap ops above `region` into it.
static void cloneCaptured(Region &region) {
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(region, captured);
  OpBuilder builder(region.getContext());
  builder.setInsertionPointToStart(&region.front());
  for (Value value : captured) {
    Operation *definition = value.getDefiningOp();
    if (!isCloned(definition))
      continue;
    Operation *clone = builder.clone(*definition);
    replaceAllUsesInRegionWith(value, clone->getResult(0), region);
  }
}

void codegen::setInternal(func::FuncOp function) {
  function->setAttr("llvm.linkage",
                    LLVM::LinkageAttr::get(function.getContext(),
                                           LLVM::linkage::Linkage::Internal));
}

func::FuncOp codegen::outlineRegion(Region &region, StringRef suffix,
                                    func::CallOp &call) {
  auto function = region.getParentOfType<func::FuncOp>();
  auto module = function->getParentOfType<ModuleOp>();
  cloneCaptured(region);
  SymbolTable symbols(module);
  unsigned count = 0;
  llvm::SmallString<64> name = SymbolTable::generateSymbolName<64>(
      (function.getSymName() + "_" + suffix).str(),
      [&](StringRef candidate) { return symbols.lookup(candidate); }, count);
  IRRewriter rewriter(module.getContext());
  FailureOr<func::FuncOp> outlined = outlineSingleBlockRegion(
      rewriter, region.front().front().getLoc(), region, name, &call);
  if (failed(outlined))
    return nullptr;
  outlined->setPrivate();
  setInternal(*outlined);
  return *outlined;
}

/// Moves `ops`, whose results are not used elsewhere, and what they own into a
/// function, which is called at the position of the last of them.
static func::FuncOp outlineOps(OpSet ops, StringRef suffix) {
  Operation *last = ops.back();
  addOwned(ops);
  OpBuilder builder(last);
  auto region =
      scf::ExecuteRegionOp::create(builder, last->getLoc(), TypeRange());
  builder.createBlock(&region.getRegion());
  auto end = scf::YieldOp::create(builder, last->getLoc());
  for (Operation *op : ops)
    op->moveBefore(end);
  func::CallOp call;
  func::FuncOp function = outlineRegion(region.getRegion(), suffix, call);
  if (call)
    call->moveBefore(region);
  region.erase();
  return function;
}

SmallVector<func::FuncOp> codegen::outlineRuns(Block &block,
                                               const Outlining &how) {
  SmallVector<func::FuncOp> functions;
  OpRun run;
  auto finish = [&] {
    if (!run.isEmpty() && run.getWeight() >= how.least)
      for (OpSet &part : run.getParts())
        if (func::FuncOp function = outlineOps(part, how.suffix))
          functions.push_back(function);
    run = OpRun();
  };
  SmallVector<Operation *> ops = llvm::map_to_vector(
      block.without_terminator(), [](Operation &op) { return &op; });
  for (Operation *op : ops) {
    // The dealloc of a buffer may have moved along with the buffer's uses.
    if (op->getBlock() != &block)
      continue;
    if (how.isMember(op))
      run.add(op, how.weigh(op));
    else if (run.isEmpty())
      continue;
    else if (isMovable(op) && !run.dependsOn(op))
      op->moveBefore(run.getFirst());
    else if (how.isCompany(op))
      run.wait(op, how.weigh(op));
    else
      finish();
    // Prefer a split behind the last use of the run's results.
    size_t weight = run.getWeight();
    if (weight >= how.most && (weight >= 2 * how.most || run.isClosed()))
      finish();
  }
  finish();
  return functions;
}
