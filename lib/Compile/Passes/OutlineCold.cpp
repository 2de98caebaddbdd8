//===- OutlineCold.cpp - Small code, apart from the rest ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On buffers. Neighbouring ops that are to be small go into a function that
// LLVM compiles for size, and which the back end puts behind the others: what
// runs often stays close together, and the function around it short, which
// LLVM's analyses take less time for. Branches that no run took do the same.
//
// What stands between two such ops comes along, or is moved ahead of both:
// allocations, views and constants. Buffers that nothing else uses are
// allocated and freed in the function.
//
//===----------------------------------------------------------------------===//

#include "BranchCarrier.h"
#include "ColdRun.h"
#include "OrderLoops.h"
#include "Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlirprof;

/// Ops for size of one function. More would make functions in which LLVM takes
/// more than its share of time for each op.
static constexpr size_t kMostOps = 32;
/// Runs that a branch has to be seen in before it counts as never taken.
static constexpr int32_t kLeastRuns = 8;

/// What is made anew where it is used.
static bool isCloned(Operation *op) {
  return op && (op->hasTrait<OpTrait::ConstantLike>() ||
                isa<memref::GetGlobalOp>(op));
}

/// What LLVM and the back end need to know of a function that is to be small.
static void markCold(func::FuncOp function) {
  Builder builder(function.getContext());
  function->setAttr(
      "passthrough",
      builder.getStrArrayAttr({"cold", "noinline", "minsize", "optsize"}));
  if (function.isPublic())
    return;
  // Only then arguments that nobody uses (strides that are known) go.
  function->setAttr("llvm.linkage",
                    LLVM::LinkageAttr::get(function.getContext(),
                                           LLVM::linkage::Linkage::Internal));
}

namespace {

/// Makes functions of ops.
class Outliner {
public:
  explicit Outliner(ModuleOp module) : module(module) {}

  void outline(Block &block);
  void outlineBranches(func::FuncOp function);

private:
  void outlineRun(ColdRun &run);
  void outlinePart(OpSet ops);
  func::CallOp outlineRegion(Region &region);

  ModuleOp module;
  unsigned count = 0;
};

} // namespace

/// Makes a function of a region of one block, and of what it captures
/// arguments; the region then calls it.
func::CallOp Outliner::outlineRegion(Region &region) {
  Operation *parent = region.getParentOp();
  auto function = parent->getParentOfType<func::FuncOp>();
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(region, captured);
  OpBuilder builder(module.getContext());
  builder.setInsertionPointToStart(&region.front());
  for (Value value : captured) {
    Operation *definition = value.getDefiningOp();
    if (!isCloned(definition))
      continue;
    Operation *clone = builder.clone(*definition);
    replaceAllUsesInRegionWith(value, clone->getResult(0), region);
  }
  std::string name;
  do
    name = (function.getSymName() + "_cold_" + Twine(count++)).str();
  while (module.lookupSymbol(name));
  IRRewriter rewriter(module.getContext());
  func::CallOp call;
  FailureOr<func::FuncOp> outlined = outlineSingleBlockRegion(
      rewriter, region.front().front().getLoc(), region, name, &call);
  if (failed(outlined))
    return nullptr;
  outlined->setPrivate();
  markCold(*outlined);
  return call;
}

/// Moves `ops`, none of whose results is used elsewhere, into a function, and
/// calls it where the last of them stood.
void Outliner::outlinePart(OpSet ops) {
  Operation *last = ops.back();
  addOwned(ops);
  OpBuilder builder(last);
  auto region =
      scf::ExecuteRegionOp::create(builder, last->getLoc(), TypeRange());
  builder.createBlock(&region.getRegion());
  auto end = scf::YieldOp::create(builder, last->getLoc());
  for (Operation *op : ops)
    op->moveBefore(end);
  if (func::CallOp call = outlineRegion(region.getRegion()))
    call->moveBefore(region);
  region.erase();
}

void Outliner::outlineRun(ColdRun &run) {
  for (OpSet &part : run.getParts())
    outlinePart(part);
  run = ColdRun();
}

void Outliner::outline(Block &block) {
  ColdRun run;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (isForSize(&op) && op.getNumResults() == 0)
      run.add(&op);
    else if (run.isEmpty())
      continue;
    else if (isMovable(&op) && !run.dependsOn(&op))
      op.moveBefore(run.getFirst());
    else if (isSmall(&op))
      run.wait(&op);
    else
      outlineRun(run);
    if (run.getSize() == kMostOps)
      outlineRun(run);
  }
  if (!run.isEmpty())
    outlineRun(run);
}

void Outliner::outlineBranches(func::FuncOp function) {
  function.walk([&](scf::IfOp branch) {
    std::optional<BranchCounts> counts =
        getCarriedCounts(branch.getCondition());
    if (!counts)
      return;
    auto isWorthIt = [&](Region &region, int32_t taken, int32_t others) {
      return taken == 0 && others >= kLeastRuns && region.hasOneBlock() &&
             !llvm::hasSingleElement(region.front());
    };
    if (isWorthIt(branch.getThenRegion(), counts->taken, counts->notTaken))
      outlineRegion(branch.getThenRegion());
    if (isWorthIt(branch.getElseRegion(), counts->notTaken, counts->taken))
      outlineRegion(branch.getElseRegion());
  });
}

/// The blocks of `function` in which there are ops for size that stand in no
/// other such op.
static SmallVector<Block *> getBlocks(func::FuncOp function) {
  llvm::SetVector<Block *> blocks;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == function || !isForSize(op))
      return WalkResult::advance();
    blocks.insert(op->getBlock());
    return WalkResult::skip();
  });
  return blocks.takeVector();
}

namespace {

class OutlineColdPass
    : public PassWrapper<OutlineColdPass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(OutlineColdPass)

  StringRef getArgument() const override { return "prof-outline-cold"; }
  StringRef getDescription() const override {
    return "Put ops that are to be small into functions of their own";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<func::FuncDialect, LLVM::LLVMDialect, scf::SCFDialect>();
  }

  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (isForSize(op))
        ops.push_back(op);
    });
    llvm::for_each(ops, orderLoops);
    Outliner outliner(getOperation());
    SmallVector<func::FuncOp> functions(getOperation().getOps<func::FuncOp>());
    for (func::FuncOp function : functions) {
      if (function.isDeclaration())
        continue;
      if (isForSize(function)) {
        markCold(function);
        continue;
      }
      for (Block *block : getBlocks(function))
        outliner.outline(*block);
      outliner.outlineBranches(function);
    }
  }
};

} // namespace

std::unique_ptr<Pass> mlirprof::createOutlineColdPass() {
  return std::make_unique<OutlineColdPass>();
}
