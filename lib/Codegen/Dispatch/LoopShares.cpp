//===- LoopShares.cpp - Workgroups of a loop ------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Loops/LoopWork.h"
#include "PhasePlan.h"
#include "mlir-prof/Dialect/Dispatch/Dispatch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// Operations of a workgroup: some microseconds. The executor joins workgroups
/// that turn out to be shorter.
static constexpr uint64_t kGroupWork = 8192;
static constexpr uint64_t kMostGroups = 256;
/// Workgroups of a loop whose trip count is not known; some may be empty.
static constexpr uint32_t kUnknownGroups = 64;

/// The loop that is all that `loop` does.
static scf::ForOp getOnlyLoop(scf::ForOp loop) {
  scf::ForOp inner;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (PhasePlan::isRepeated(&op))
      continue;
    auto next = dyn_cast<scf::ForOp>(op);
    if (inner || !next)
      return {};
    inner = next;
  }
  return inner;
}

std::optional<LoopShares> codegen::divideLoop(scf::ForOp loop,
                                              unsigned threads) {
  std::optional<unsigned> chosen = getChosenThreads(loop, threads);
  if (chosen == 1u)
    return std::nullopt;
  LoopShares shares;
  std::optional<uint64_t> trips = getExpectedTrips(loop);
  if (!trips) {
    shares.x = chosen && *chosen < threads ? *chosen : kUnknownGroups;
    return shares;
  }
  bool isKnown = hasKnownWork(loop);
  uint64_t work = estimateWork(loop);
  uint64_t groups = isKnown ? std::min(work / kGroupWork, kMostGroups)
                            : uint64_t(kUnknownGroups);
  if (chosen)
    groups = *chosen < threads ? *chosen : std::max<uint64_t>(groups, threads);
  scf::ForOp inner = getOnlyLoop(loop);
  if (inner && !isIndependent(inner))
    inner = {};
  std::optional<uint64_t> innerTrips =
      inner ? getExpectedTrips(inner) : std::nullopt;
  uint64_t most = llvm::SaturatingMultiply(*trips, innerTrips.value_or(1));
  if (groups < 2 || most < 2)
    return std::nullopt;
  uint64_t divided = *trips;
  if (groups > *trips && innerTrips.value_or(1) > 1) {
    shares.dividesInner = true;
    shares.y = uint32_t(*trips);
    groups = llvm::divideCeil(groups, *trips);
    divided = *innerTrips;
  }
  uint64_t perGroup = llvm::divideCeil(divided, std::min(groups, divided));
  shares.x = uint32_t(llvm::divideCeil(divided, perGroup));
  // Another dispatch may have more iterations than expected.
  if (getTrips(shares.dividesInner ? inner : loop))
    shares.perGroup = perGroup;
  if (isKnown)
    shares.work = work / shares.x / shares.y;
  return shares;
}

/// Whether parts of `perGroup` iterations fill the range of `loop`.
static bool isWhole(scf::ForOp loop, uint64_t perGroup) {
  std::optional<int64_t> begin = getConstantIntValue(loop.getLowerBound()),
                         end = getConstantIntValue(loop.getUpperBound()),
                         step = getConstantIntValue(loop.getStep());
  return perGroup && begin && end && step &&
         (*end - *begin) % (*step * int64_t(perGroup)) == 0;
}

/// Lets `loop` only run the iterations of a workgroup along `dimension`:
/// `perGroup` of them, or, if that is 0, its part of them.
static void restrict(scf::ForOp loop, int32_t dimension, uint64_t perGroup,
                     uint32_t groups) {
  OpBuilder builder(loop);
  Location location = loop.getLoc();
  auto constant = [&](uint64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, location, int64_t(value));
  };
  Value begin = loop.getLowerBound(), end = loop.getUpperBound(),
        step = loop.getStep();
  Value group = dispatch::WorkgroupIdOp::create(
      builder, location, builder.getIndexType(), dimension);
  Value next = arith::AddIOp::create(builder, location, group, constant(1));
  auto getBound = [&](Value number) -> Value {
    Value trip;
    if (perGroup) {
      trip =
          arith::MulIOp::create(builder, location, number, constant(perGroup));
    } else {
      Value range = arith::SubIOp::create(builder, location, end, begin);
      Value none = constant(0);
      range = arith::MaxSIOp::create(builder, location, range, none);
      Value trips = arith::CeilDivSIOp::create(builder, location, range, step);
      Value scaled = arith::MulIOp::create(builder, location, number, trips);
      trip =
          arith::DivSIOp::create(builder, location, scaled, constant(groups));
    }
    Value offset = arith::MulIOp::create(builder, location, trip, step);
    return arith::AddIOp::create(builder, location, begin, offset);
  };
  Value last = getBound(next);
  if (!isWhole(loop, perGroup))
    last = arith::MinSIOp::create(builder, location, last, end);
  loop.setLowerBound(getBound(group));
  loop.setUpperBound(last);
}

void codegen::takeShare(scf::ForOp loop, const LoopShares &shares) {
  scf::ForOp divided = loop;
  if (shares.dividesInner) {
    // A phase does not show any more that the loop's iterations are
    // independent: buffers of the kernel have become arguments.
    divided = getOnlyLoop(loop);
    restrict(loop, 1, getTrips(loop) ? 1 : 0, shares.y);
  }
  restrict(divided, 0, shares.perGroup, shares.x);
}
