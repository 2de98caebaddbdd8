//===- Parallelise.cpp - Loops that threads share -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlirprof;

/// Operations below which starting and joining threads costs more than they
/// save: some ten microseconds of vector code.
static constexpr uint64_t kLeastWork = 30000;
/// What a loop whose trips are not known is taken for.
static constexpr uint64_t kUnknownTrips = 8;

static std::optional<uint64_t> getTrips(scf::ForOp loop) {
  std::optional<APInt> trips = loop.getStaticTripCount();
  if (!trips || trips->getActiveBits() > 63)
    return std::nullopt;
  return trips->getZExtValue();
}

/// Operations that one execution of `op` takes.
static uint64_t estimateWork(Operation *op) {
  uint64_t inner = 0;
  for (Region &region : op->getRegions())
    for (Operation &nested : region.getOps())
      inner = llvm::SaturatingAdd(inner, estimateWork(&nested));
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return llvm::SaturatingMultiply(inner,
                                    getTrips(loop).value_or(kUnknownTrips));
  return inner + !op->hasTrait<OpTrait::ConstantLike>();
}

static bool isWorthThreads(scf::ForOp loop) {
  return getTrips(loop).value_or(2) > 1 && estimateWork(loop) >= kLeastWork;
}

static void makeParallel(scf::ForOp loop) {
  OpBuilder builder(loop);
  auto parallel = scf::ParallelOp::create(
      builder, loop.getLoc(), ValueRange{loop.getLowerBound()},
      ValueRange{loop.getUpperBound()}, ValueRange{loop.getStep()});
  Block *body = parallel.getBody();
  loop.getInductionVar().replaceAllUsesWith(body->getArgument(0));
  body->getOperations().splice(body->begin(), loop.getBody()->getOperations(),
                               loop.getBody()->begin(),
                               std::prev(loop.getBody()->end()));
  loop.erase();
}

namespace {

class ParallelisePass
    : public PassWrapper<ParallelisePass, OperationPass<func::FuncOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ParallelisePass)

  StringRef getArgument() const override { return "prof-parallelise"; }

  void runOnOperation() override {
    SmallVector<scf::ForOp> chosen;
    getOperation()->walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
      if (!loop->hasAttr(kParallelLoop) || loop.getNumResults() ||
          !isWorthThreads(loop))
        return WalkResult::advance();
      chosen.push_back(loop);
      return WalkResult::skip();
    });
    for (scf::ForOp loop : chosen)
      makeParallel(loop);
  }
};

} // namespace

std::unique_ptr<Pass> mlirprof::createParallelisePass() {
  return std::make_unique<ParallelisePass>();
}
