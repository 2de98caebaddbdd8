//===- ParallelLoops.cpp - Loops with independent iterations --------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Analyzes a nest of loops that carries one tensor from write to write. The
// position of each write is a sum of induction variables with factors.
// Iterations of a loop are independent if, in one dimension, one step of its
// variable moves all writes by at least the extent of the writes of one
// iteration.
//
//===----------------------------------------------------------------------===//

#include "ParallelLoops.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::codegen;

namespace {

/// Numbers larger than any tensor's are not analyzed, so that sums of a few do
/// not overflow.
constexpr int64_t kMostNumber = int64_t(1) << 40;
constexpr unsigned kMostDepth = 32;
/// Limit on the ops that compute one position.
constexpr unsigned kMostSteps = 256;

/// A linear combination of values, and a constant.
struct Sum {
  llvm::SmallMapVector<Value, int64_t, 4> factors;
  int64_t constant = 0;
};

/// Reads positions as sums; none if they are not sums.
class SumReader {
public:
  std::optional<Sum> read(OpFoldResult place);

private:
  std::optional<Sum> read(AffineExpr expression, AffineMap map,
                          ArrayRef<Sum> operands);

  unsigned steps = 0;
};

/// One slice of the tensor that an iteration writes.
struct Write {
  SmallVector<OpFoldResult> places;
  SmallVector<int64_t> sizes;
};

/// The writes of a loop and of its nested loops.
class LoopWrites {
public:
  /// Collects the writes. Returns whether the analysis understands all uses of
  /// the tensor in the loop.
  bool collect(scf::ForOp loop, unsigned depth = 0);
  /// Whether iterations of `loop`, which was collected, write disjoint ranges
  /// in `dimension`.
  bool areApart(scf::ForOp loop, unsigned dimension) const;
  unsigned getRank() const {
    return writes.empty() ? 0 : writes.front().places.size();
  }
  /// Whether these writes create all tensors of `loop`. Otherwise bufferization
  /// may let all iterations share another tensor's buffer.
  bool makeAllTensors(scf::ForOp loop) const;

private:
  /// The range of an induction variable.
  struct Range {
    int64_t first = 0, last = 0;
  };

  /// The extent of one iteration's writes: between two numbers, relative to the
  /// part common to all of them.
  struct Reach {
    Sum common;
    int64_t begin = 0, end = 0;
  };

  bool addWrite(OpOperand &use);
  std::optional<Reach> getReach(const Write &write, unsigned dimension,
                                scf::ForOp loop) const;

  SmallVector<Write> writes;
  /// The writing ops and the surrounding loops.
  DenseSet<Operation *> ops;
  llvm::SmallMapVector<Value, Range, 4> ranges;
};

} // namespace

static bool isSmall(int64_t number) {
  return number > -kMostNumber && number < kMostNumber;
}

/// a + b * factor.
static std::optional<Sum> add(Sum a, const Sum &b, int64_t factor) {
  auto accumulate = [&](int64_t &total, int64_t number) {
    int64_t product = 0;
    if (llvm::MulOverflow(number, factor, product) || !isSmall(product))
      return false;
    total += product;
    return isSmall(total);
  };
  bool fits = accumulate(a.constant, b.constant);
  for (const auto &[value, number] : b.factors)
    fits &= accumulate(a.factors[value], number);
  return fits ? std::optional<Sum>(std::move(a)) : std::nullopt;
}

std::optional<Sum> SumReader::read(AffineExpr expression, AffineMap map,
                                   ArrayRef<Sum> operands) {
  if (++steps > kMostSteps)
    return std::nullopt;
  if (auto constant = dyn_cast<AffineConstantExpr>(expression))
    return isSmall(constant.getValue())
               ? std::optional<Sum>(Sum{{}, constant.getValue()})
               : std::nullopt;
  if (auto dimension = dyn_cast<AffineDimExpr>(expression))
    return operands[dimension.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expression))
    return operands[map.getNumDims() + symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expression);
  std::optional<Sum> left = read(binary.getLHS(), map, operands);
  std::optional<Sum> right = read(binary.getRHS(), map, operands);
  if (!left || !right)
    return std::nullopt;
  if (binary.getKind() == AffineExprKind::Add)
    return add(std::move(*left), *right, 1);
  if (binary.getKind() == AffineExprKind::Mul && right->factors.empty())
    return add({}, *left, right->constant);
  return std::nullopt;
}

std::optional<Sum> SumReader::read(OpFoldResult place) {
  if (++steps > kMostSteps)
    return std::nullopt;
  if (std::optional<int64_t> constant = getConstantIntValue(place))
    return isSmall(*constant) ? std::optional<Sum>(Sum{{}, *constant})
                              : std::nullopt;
  auto value = cast<Value>(place);
  auto apply = value.getDefiningOp<affine::AffineApplyOp>();
  if (!apply) {
    Sum sum;
    sum.factors[value] = 1;
    return sum;
  }
  SmallVector<Sum> operands;
  for (Value operand : apply.getMapOperands()) {
    std::optional<Sum> sum = read(OpFoldResult(operand));
    if (!sum)
      return std::nullopt;
    operands.push_back(std::move(*sum));
  }
  AffineMap map = apply.getAffineMap();
  return read(map.getResult(0), map, operands);
}

bool LoopWrites::addWrite(OpOperand &use) {
  Write write;
  if (auto op = dyn_cast<vector::TransferWriteOp>(use.getOwner())) {
    VectorType type = op.getVectorType();
    if (&use != &op.getBaseMutable() || type.isScalable() ||
        type.getElementType() != op.getShapedType().getElementType() ||
        !op.getPermutationMap().isMinorIdentity())
      return false;
    ArrayRef<int64_t> lanes = type.getShape();
    write.places = getAsOpFoldResult(op.getIndices());
    write.sizes.assign(write.places.size() - lanes.size(), 1);
    llvm::append_range(write.sizes, lanes);
  } else if (auto op = dyn_cast<tensor::InsertSliceOp>(use.getOwner())) {
    if (&use != &op.getDestMutable() || !op.hasUnitStride())
      return false;
    write.places = op.getMixedOffsets();
    llvm::append_range(write.sizes, op.getStaticSizes());
  } else {
    return false;
  }
  writes.push_back(std::move(write));
  ops.insert(use.getOwner());
  return true;
}

/// The only use of `value`; null if there are several.
static OpOperand *getOnlyUse(Value value) {
  return value.hasOneUse() ? &*value.use_begin() : nullptr;
}

bool LoopWrites::collect(scf::ForOp loop, unsigned depth) {
  std::optional<int64_t> first = getConstantIntValue(loop.getLowerBound());
  std::optional<int64_t> end = getConstantIntValue(loop.getUpperBound());
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  if (depth > kMostDepth || loop.getNumResults() != 1 || !first || !end ||
      !step || *step <= 0 || !isSmall(*first) || !isSmall(*end) ||
      *end <= *first || loop.getUnsignedCmp())
    return false;
  ops.insert(loop);
  int64_t last = *first + (*end - *first - 1) / *step * *step;
  ranges[loop.getInductionVar()] = {*first, last};
  Operation *yield = loop.getBody()->getTerminator();
  for (Value carried = loop.getRegionIterArg(0);;) {
    OpOperand *use = getOnlyUse(carried);
    // The use is in a branch, or in a loop that carries something else.
    if (!use || use->getOwner()->getBlock() != loop.getBody())
      return false;
    if (use->getOwner() == yield)
      return true;
    if (auto inner = dyn_cast<scf::ForOp>(use->getOwner())) {
      if (inner.getNumResults() != 1 || use != &inner.getInitArgsMutable()[0] ||
          !collect(inner, depth + 1))
        return false;
    } else if (!addWrite(*use)) {
      return false;
    }
    carried = use->getOwner()->getResult(0);
  }
}

std::optional<LoopWrites::Reach> LoopWrites::getReach(const Write &write,
                                                      unsigned dimension,
                                                      scf::ForOp loop) const {
  std::optional<Sum> sum = SumReader().read(write.places[dimension]);
  int64_t size = write.sizes[dimension];
  if (!sum || ShapedType::isDynamic(size) || !isSmall(size))
    return std::nullopt;
  Reach reach;
  reach.begin = sum->constant;
  reach.end = sum->constant + size;
  for (const auto &[value, factor] : sum->factors) {
    auto range = ranges.find(value);
    if (value == loop.getInductionVar() || range == ranges.end()) {
      // A value computed in the loop may differ between iterations.
      if (value != loop.getInductionVar() &&
          loop->isAncestor(Value(value).getParentBlock()->getParentOp()))
        return std::nullopt;
      reach.common.factors[value] = factor;
      continue;
    }
    int64_t low = 0, high = 0;
    if (llvm::MulOverflow(factor, range->second.first, low) ||
        llvm::MulOverflow(factor, range->second.last, high) || !isSmall(low) ||
        !isSmall(high))
      return std::nullopt;
    reach.begin += std::min(low, high);
    reach.end += std::max(low, high);
  }
  return reach;
}

bool LoopWrites::areApart(scf::ForOp loop, unsigned dimension) const {
  std::optional<Reach> all;
  for (const Write &write : writes) {
    std::optional<Reach> reach = getReach(write, dimension, loop);
    if (!reach)
      return false;
    if (!all) {
      all = std::move(reach);
      continue;
    }
    std::optional<Sum> difference = add(reach->common, all->common, -1);
    if (!difference || llvm::any_of(difference->factors, [](const auto &entry) {
          return entry.second != 0;
        }))
      return false;
    all->begin = std::min(all->begin, reach->begin);
    all->end = std::max(all->end, reach->end);
  }
  if (!all)
    return false;
  Value index = loop.getInductionVar();
  int64_t factor = std::abs(all->common.factors.lookup(index));
  int64_t farthest = 0, move = 0;
  return !llvm::MulOverflow(factor, ranges.lookup(index).last, farthest) &&
         isSmall(farthest) &&
         !llvm::MulOverflow(factor, *getConstantIntValue(loop.getStep()),
                            move) &&
         move >= all->end - all->begin;
}

bool LoopWrites::makeAllTensors(scf::ForOp loop) const {
  WalkResult result = loop.getBody()->walk([&](Operation *op) {
    bool makesAny = llvm::any_of(op->getResultTypes(), [](Type type) {
      return isa<ShapedType>(type) && !isa<VectorType>(type);
    });
    return makesAny && !isa<tensor::ExtractSliceOp>(op) && !ops.contains(op)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return !result.wasInterrupted();
}

bool codegen::hasIndependentIterations(scf::ForOp loop) {
  LoopWrites writes;
  if (loop.getNumResults() != 1 ||
      !isa<RankedTensorType>(loop.getResult(0).getType()) ||
      !writes.collect(loop) || !writes.makeAllTensors(loop) ||
      !isMemoryEffectFree(loop))
    return false;
  for (unsigned i = 0, e = writes.getRank(); i < e; ++i)
    if (writes.areApart(loop, i))
      return true;
  return false;
}
