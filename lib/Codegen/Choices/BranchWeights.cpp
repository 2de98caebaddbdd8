//===- BranchWeights.cpp - Branch counts of a profile, for LLVM -----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Converts choice::kBranches to branch weights, from which LLVM places blocks
// and estimates trip counts, and to hints for loops that run only a few times:
// a vectorized or unrolled loop would be skipped each time, after its checks.
//
//===----------------------------------------------------------------------===//

#include "../Loops/LoopAnnotations.h"
#include "BranchCarrier.h"
#include "mlir-prof/Codegen/Choices.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <limits>

namespace mlirprof::codegen {
#define GEN_PASS_DEF_BRANCHWEIGHTSPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// On the op through which a condition passes.
static constexpr StringLiteral kWeights = "mlirprof.weights";
/// On loops. Its type is from the LLVM dialect, as the lowering to branches
/// requires: a range that holds only the trip count.
static constexpr StringLiteral kTrips = "mlirprof.trips";
/// Trip count below which neither vectors nor unrolling gain anything: LLVM's
/// vectors have at least 4 elements.
static constexpr int64_t kFewTrips = 4;
/// Loops with a constant trip count up to this one may be unrolled fully by
/// LLVM.
static constexpr int64_t kMostUnrolled = 8;

/// Scales both counts to fit LLVM's 32 bits, and LLVM's sums of two. The
/// smaller count stays at least 1 if it was seen at all.
static BranchCounts scale(int64_t taken, int64_t notTaken) {
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max() / 2;
  int64_t divisor = std::max(taken, notTaken) / kMost + 1;
  auto scaleOne = [&](int64_t count) {
    return int32_t(count == 0 ? 0 : std::max<int64_t>(count / divisor, 1));
  };
  return {scaleOne(taken), scaleOne(notTaken)};
}

static void carryCounts(Operation *op, OpOperand &condition,
                        BranchCounts counts) {
  OpBuilder builder(op);
  Value truth = arith::ConstantIntOp::create(builder, op->getLoc(), 1, 1);
  double sum = double(counts.taken) + double(counts.notTaken);
  auto carrier = LLVM::ExpectWithProbabilityOp::create(
      builder, op->getLoc(), condition.get(), truth,
      builder.getF64FloatAttr(double(counts.taken) / sum));
  carrier->setAttr(
      kWeights, builder.getDenseI32ArrayAttr({counts.taken, counts.notTaken}));
  condition.set(carrier);
}

static void weighBranch(scf::IfOp branch) {
  auto get = [&](StringRef parameter) {
    return getNumberChoice(branch, choice::kBranches, parameter,
                           choice::kMostCounts);
  };
  std::optional<int64_t> taken = get("taken"), notTaken = get("not-taken");
  if (taken && notTaken && (*taken || *notTaken))
    carryCounts(branch, branch.getConditionMutable(), scale(*taken, *notTaken));
}

static std::optional<int64_t> getTrips(Operation *loop) {
  return getNumberChoice(loop, choice::kBranches, "trips", choice::kMostCounts);
}

static void weighLoop(scf::WhileOp loop) {
  std::optional<int64_t> trips = getTrips(loop);
  scf::ConditionOp condition = loop.getConditionOp();
  if (trips)
    carryCounts(condition, condition.getConditionMutable(), scale(*trips, 1));
}

static void addHints(scf::ForOp loop, int64_t trips) {
  bool isSame =
      getChoice(loop, choice::kBranches, "always") == "true" && trips > 1;
  LoopHints hints;
  hints.isNotVectorized = trips < kFewTrips;
  if (isSame && trips <= kMostUnrolled)
    hints.unrollCount = unsigned(trips);
  else
    hints.isNotUnrolled = trips < kFewTrips;
  addLoopHints(loop, hints);
}

static void weighLoop(scf::ForOp loop) {
  std::optional<int64_t> trips = getTrips(loop);
  // LLVM already knows trip counts that the bounds determine.
  if (!trips || loop.getStaticTripCount())
    return;
  int32_t count = scale(*trips, 1).taken;
  loop->setAttr(kTrips, LLVM::ConstantRangeAttr::get(
                            loop.getContext(), APInt(32, uint64_t(count)),
                            APInt(32, uint64_t(count) + 1)));
  addHints(loop, *trips);
}

std::optional<BranchCounts> codegen::getCarriedCounts(Value condition) {
  auto carrier = condition.getDefiningOp<LLVM::ExpectWithProbabilityOp>();
  auto weights =
      carrier ? carrier->getAttrOfType<DenseI32ArrayAttr>(kWeights) : nullptr;
  if (!weights || weights.size() != 2)
    return std::nullopt;
  return BranchCounts{weights[0], weights[1]};
}

/// Sets the weights of the branch that leaves the loop whose last block ends in
/// `latch`; the branch is in the loop's first block.
static void setTrips(Operation *latch) {
  auto trips = dyn_cast_or_null<LLVM::ConstantRangeAttr>(
      latch->removeDiscardableAttr(kTrips));
  auto jump = dyn_cast<LLVM::BrOp>(latch);
  if (!trips || !jump)
    return;
  auto exit = dyn_cast<LLVM::CondBrOp>(jump.getDest()->getTerminator());
  if (exit)
    exit.setBranchWeights(
        ArrayRef<int32_t>{int32_t(trips.getLower().getZExtValue()), 1});
}

void codegen::lowerBranchCarriers(ModuleOp module) {
  SmallVector<LLVM::ExpectWithProbabilityOp> carriers;
  module.walk([&](Operation *op) {
    if (auto carrier = dyn_cast<LLVM::ExpectWithProbabilityOp>(op)) {
      if (getCarriedCounts(carrier))
        carriers.push_back(carrier);
    } else if (op->hasAttr(kTrips)) {
      setTrips(op);
    }
  });
  for (LLVM::ExpectWithProbabilityOp carrier : carriers) {
    BranchCounts counts = *getCarriedCounts(carrier);
    for (Operation *user : carrier->getUsers())
      if (auto branch = dyn_cast<LLVM::CondBrOp>(user))
        branch.setBranchWeights(
            ArrayRef<int32_t>{counts.taken, counts.notTaken});
    carrier.replaceAllUsesWith(carrier.getVal());
    carrier.erase();
  }
}

namespace {

struct BranchWeightsPass
    : mlirprof::codegen::impl::BranchWeightsPassBase<BranchWeightsPass> {
  using BranchWeightsPassBase::BranchWeightsPassBase;

  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      if (auto branch = dyn_cast<scf::IfOp>(op))
        weighBranch(branch);
      else if (auto loop = dyn_cast<scf::WhileOp>(op))
        weighLoop(loop);
      else if (auto loop = dyn_cast<scf::ForOp>(op))
        weighLoop(loop);
    });
  }
};

} // namespace
