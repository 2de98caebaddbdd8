//===- LoopWork.cpp - Estimates of a loop's work --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopWork.h"
#include "../Marks.h"
#include "mlir-prof/Codegen/Choices.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

/// The assumed trip count of loops whose trip count is unknown.
static constexpr uint64_t kUnknownTrips = 8;

std::optional<uint64_t> codegen::getTrips(scf::ForOp loop) {
  std::optional<APInt> trips = loop.getStaticTripCount();
  if (!trips || trips->getActiveBits() > 63)
    return std::nullopt;
  return trips->getZExtValue();
}

std::optional<uint64_t> codegen::getExpectedTrips(scf::ForOp loop) {
  if (std::optional<uint64_t> trips = getTrips(loop))
    return trips;
  auto expected = loop->getAttrOfType<IntegerAttr>(kExpectedTrips);
  if (!expected || !expected.getType().isInteger(64) || expected.getInt() < 1)
    return std::nullopt;
  return uint64_t(expected.getInt());
}

uint64_t codegen::estimateWork(Operation *op) {
  uint64_t inner = 0;
  for (Region &region : op->getRegions())
    for (Operation &nested : region.getOps())
      inner = llvm::SaturatingAdd(inner, estimateWork(&nested));
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return llvm::SaturatingMultiply(
        inner, getExpectedTrips(loop).value_or(kUnknownTrips));
  return inner + !op->hasTrait<OpTrait::ConstantLike>();
}

bool codegen::hasKnownWork(Operation *op) {
  WalkResult result = op->walk([](Operation *nested) {
    auto loop = dyn_cast<scf::ForOp>(nested);
    bool isKnown = loop ? getExpectedTrips(loop).has_value()
                        : !isa<LoopLikeOpInterface>(nested);
    return isKnown ? WalkResult::advance() : WalkResult::interrupt();
  });
  return !result.wasInterrupted();
}

std::optional<unsigned> codegen::getChosenThreads(scf::ForOp loop,
                                                  unsigned all) {
  std::optional<int64_t> chosen =
      getNumberChoice(loop, choice::kThreads, "count", choice::kMostThreads);
  if (!chosen || *chosen < 1)
    return std::nullopt;
  return std::min<int64_t>(*chosen, all);
}
