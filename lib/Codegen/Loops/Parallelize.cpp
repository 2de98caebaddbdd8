//===- Parallelize.cpp - Multithreaded loops ------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopWork.h"
#include "mlir-prof/Codegen/Passes.h"
#include "mlir-prof/Codegen/TargetOptions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlirprof::codegen {
#define GEN_PASS_DEF_PARALLELIZEPASS
#include "mlir-prof/Codegen/Passes.h.inc"
} // namespace mlirprof::codegen

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// Operations below which starting and joining threads costs more than they
/// save: some ten microseconds of vector code.
static constexpr uint64_t kLeastWork = 30000;

/// The thread count for `loop`: as chosen for its op, otherwise all threads if
/// it has enough work for them.
static unsigned getThreads(scf::ForOp loop, unsigned all) {
  if (getTrips(loop).value_or(2) < 2)
    return 1;
  if (std::optional<unsigned> chosen = getChosenThreads(loop, all))
    return *chosen;
  return estimateWork(loop) >= kLeastWork ? all : 1;
}

/// Moves the body of `loop` into `block`, before its terminator.
static void moveBody(scf::ForOp loop, Block *block, Value index) {
  loop.getInductionVar().replaceAllUsesWith(index);
  Block *body = loop.getBody();
  block->getOperations().splice(std::prev(block->end()), body->getOperations(),
                                body->begin(), std::prev(body->end()));
  loop.erase();
}

static void makeParallel(scf::ForOp loop) {
  OpBuilder builder(loop);
  auto parallel = scf::ParallelOp::create(
      builder, loop.getLoc(), ValueRange{loop.getLowerBound()},
      ValueRange{loop.getUpperBound()}, ValueRange{loop.getStep()});
  moveBody(loop, parallel.getBody(), parallel.getBody()->getArgument(0));
}

/// Like makeParallel, but in `threads` parts, as even as possible: further
/// threads would not have work.
static void makeParallelParts(scf::ForOp loop, unsigned threads) {
  OpBuilder builder(loop);
  Location location = loop.getLoc();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, location, value);
  };
  Value parts = constant(threads), one = constant(1);
  Value range = arith::SubIOp::create(builder, location, loop.getUpperBound(),
                                      loop.getLowerBound());
  Value trips =
      arith::CeilDivSIOp::create(builder, location, range, loop.getStep());
  auto parallel =
      scf::ParallelOp::create(builder, location, ValueRange{constant(0)},
                              ValueRange{parts}, ValueRange{one});
  builder.setInsertionPointToStart(parallel.getBody());
  // The bound of part p: its first iteration, times the step.
  auto getBound = [&](Value part) -> Value {
    Value scaled = arith::MulIOp::create(builder, location, part, trips);
    Value trip = arith::DivSIOp::create(builder, location, scaled, parts);
    Value offset =
        arith::MulIOp::create(builder, location, trip, loop.getStep());
    Value bound =
        arith::AddIOp::create(builder, location, loop.getLowerBound(), offset);
    return arith::MinSIOp::create(builder, location, bound,
                                  loop.getUpperBound());
  };
  Value part = parallel.getBody()->getArgument(0);
  Value next = arith::AddIOp::create(builder, location, part, one);
  auto inner = scf::ForOp::create(builder, location, getBound(part),
                                  getBound(next), loop.getStep());
  inner->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  moveBody(loop, inner.getBody(), inner.getInductionVar());
}

namespace {

struct ParallelizePass
    : mlirprof::codegen::impl::ParallelizePassBase<ParallelizePass> {
  using ParallelizePassBase::ParallelizePassBase;

  void runOnOperation() override {
    if (failed(checkThreads(*this, getOperation(), threads)))
      return signalPassFailure();
    SmallVector<std::pair<scf::ForOp, unsigned>> chosen;
    getOperation()->walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
      if (!loop->hasAttr(kParallelLoop) || loop.getNumResults())
        return WalkResult::advance();
      unsigned count = getThreads(loop, threads);
      if (count > 1)
        chosen.push_back({loop, count});
      // One thread for an op applies to its nested loops too. Several threads
      // apply to the first of its loops with more than one iteration.
      bool isDecided = count > 1 || getChosenThreads(loop, threads) == 1u;
      return isDecided ? WalkResult::skip() : WalkResult::advance();
    });
    for (auto [loop, count] : chosen)
      if (count == threads)
        makeParallel(loop);
      else
        makeParallelParts(loop, count);
  }
};

} // namespace
