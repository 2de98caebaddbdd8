//===- ShapeTier.cpp - Narrowing by result shape --------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tiers.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <limits>

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::match;
using namespace mlirprof::module;
using namespace mlirprof::profile;

namespace {

/// Whether `type` is XLA's primitive type number `number`.
bool isElementType(Type type, uint32_t number) {
  auto isInteger = [&](unsigned width, bool isUnsigned) {
    auto integer = dyn_cast<IntegerType>(type);
    return integer && integer.getWidth() == width &&
           integer.isUnsigned() == isUnsigned;
  };
  switch (number) {
  case 1:
    return type.isInteger(1);
  case 2:
    return isInteger(8, false);
  case 3:
    return isInteger(16, false);
  case 4:
    return isInteger(32, false);
  case 5:
    return isInteger(64, false);
  case 6:
    return isInteger(8, true);
  case 7:
    return isInteger(16, true);
  case 8:
    return isInteger(32, true);
  case 9:
    return isInteger(64, true);
  case 10:
    return type.isF16();
  case 11:
    return type.isF32();
  case 12:
    return type.isF64();
  case 16:
    return type.isBF16();
  default:
    return false;
  }
}

/// The type of the op's only result if it is a ranked tensor.
RankedTensorType getOnlyTensor(Operation *op) {
  if (op->getNumResults() != 1)
    return {};
  return dyn_cast<RankedTensorType>(op->getResult(0).getType());
}

bool isPermutation(ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
  return a.size() == b.size() &&
         std::is_permutation(a.begin(), a.end(), b.begin());
}

/// The number of devices that share a tensor of shape `whole` if each has
/// `part` of it; 0 if the shapes do not fit.
uint64_t countShards(ArrayRef<int64_t> part, ArrayRef<int64_t> whole) {
  if (part.size() != whole.size())
    return 0;
  uint64_t count = 1;
  for (auto [p, w] : llvm::zip(part, whole)) {
    if (ShapedType::isDynamic(w) || p <= 0 || w % p != 0)
      return 0;
    count = llvm::SaturatingMultiply(count, uint64_t(w / p));
  }
  return count;
}

} // namespace

static void narrow(const ModuleIndex &index, const HloEvidence &evidence,
                   MatchRule rule, OwnerCandidates &candidates) {
  const HloShape &shape = evidence.instruction.shape;
  auto hasType = [&](const OwnerCandidate &candidate) {
    RankedTensorType type = getOnlyTensor(index[candidate.op].op);
    return type && isElementType(type.getElementType(), shape.elementType);
  };
  auto getShape = [&](const OwnerCandidate &candidate) {
    return getOnlyTensor(index[candidate.op].op).getShape();
  };
  auto isEqual = [&](const OwnerCandidate &candidate) {
    return hasType(candidate) &&
           getShape(candidate) == ArrayRef(shape.dimensions);
  };
  if (llvm::any_of(candidates, isEqual)) {
    keepSome(candidates, isEqual);
    return;
  }
  if (rule == MatchRule::Reference)
    return;
  // XLA may compute the transpose.
  auto isTransposed = [&](const OwnerCandidate &candidate) {
    return hasType(candidate) &&
           isPermutation(shape.dimensions, getShape(candidate));
  };
  if (llvm::any_of(candidates, isTransposed)) {
    keepSome(candidates, isTransposed);
    return;
  }
  // Programs of several devices have a part of each tensor: the smallest
  // division that fits is the likeliest.
  uint64_t fewest = std::numeric_limits<uint64_t>::max();
  auto getShards = [&](const OwnerCandidate &candidate) -> uint64_t {
    return hasType(candidate)
               ? countShards(shape.dimensions, getShape(candidate))
               : 0;
  };
  for (const OwnerCandidate &candidate : candidates)
    if (uint64_t shards = getShards(candidate))
      fewest = std::min(fewest, shards);
  keepSome(candidates, [&](const OwnerCandidate &candidate) {
    return getShards(candidate) == fewest;
  });
}

NarrowingTier tier::Shape() { return {attribution::MatchTier::Shape, narrow}; }
