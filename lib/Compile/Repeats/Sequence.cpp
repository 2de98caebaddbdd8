//===- Sequence.cpp - Ops in order, and their repeats ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sequence.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/Hashing.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::compile;

/// Ops that are hashed together, and how many distances are tried.
static constexpr size_t kWindow = 8;
static constexpr size_t kMostTried = 8;

Attribute compile::getConstant(Value value) {
  Attribute constant;
  return matchPattern(value, m_Constant(&constant)) ? constant : Attribute();
}

static bool isConstant(Operation &op) {
  return op.hasTrait<OpTrait::ConstantLike>();
}

Sequence::Sequence(Block &block) {
  for (Operation &op : block.without_terminator()) {
    if (isConstant(op))
      continue;
    positions[&op] = ops.size();
    ops.push_back(&op);
  }
}

std::optional<size_t> Sequence::find(Value value) const {
  auto found = positions.find(value.getDefiningOp());
  return found == positions.end() ? std::nullopt : std::optional(found->second);
}

//===----------------------------------------------------------------------===//
// Likeness
//===----------------------------------------------------------------------===//

namespace {
/// Compares an op with one that is some ops before it.
class Comparison {
public:
  Comparison(const Sequence &sequence, ConstantRelation areRelated)
      : sequence(sequence), areRelated(areRelated) {}

  bool areAlike(size_t earlier, size_t later);

private:
  bool areAlike(Value a, Value b, size_t distance);

  const Sequence &sequence;
  ConstantRelation areRelated;
  /// Values in regions of the later op, by those of the earlier one.
  DenseMap<Value, Value> inner;
};
} // namespace

bool Comparison::areAlike(Value a, Value b, size_t distance) {
  if (a == b)
    return true;
  if (a.getType() != b.getType())
    return false;
  if (auto found = inner.find(a); found != inner.end())
    return found->second == b;
  std::optional<size_t> earlier = sequence.find(a), later = sequence.find(b);
  if (earlier && later)
    return *later - *earlier == distance &&
           cast<OpResult>(a).getResultNumber() ==
               cast<OpResult>(b).getResultNumber();
  Attribute one = getConstant(a), other = getConstant(b);
  return one && other && (one == other || areRelated(one, other));
}

bool Comparison::areAlike(size_t earlier, size_t later) {
  inner.clear();
  return OperationEquivalence::isEquivalentTo(
      sequence.getOps()[earlier], sequence.getOps()[later],
      [&](Value a, Value b) {
        return success(areAlike(a, b, later - earlier));
      },
      [&](Value a, Value b) { inner[a] = b; },
      OperationEquivalence::IgnoreLocations);
}

/// A hash of an op, without what it uses.
static llvm::hash_code hashOp(Operation *op) {
  llvm::hash_code hash(0);
  op->walk([&](Operation *inner) {
    hash = llvm::hash_combine(hash,
                              OperationEquivalence::computeHash(
                                  inner, OperationEquivalence::ignoreHashValue,
                                  OperationEquivalence::ignoreHashValue,
                                  OperationEquivalence::IgnoreLocations));
  });
  return hash;
}

/// The distances at which most windows of ops have equal hashes, the most
/// frequent first.
static std::vector<size_t> findDistances(ArrayRef<llvm::hash_code> hashes) {
  DenseMap<uint64_t, size_t> last;
  DenseMap<size_t, size_t> counts;
  for (size_t i = 0; i + kWindow <= hashes.size(); ++i) {
    uint64_t hash = llvm::hash_combine_range(hashes.begin() + i,
                                             hashes.begin() + i + kWindow);
    auto [found, isNew] = last.try_emplace(hash >> 2, i);
    if (!isNew)
      ++counts[i - std::exchange(found->second, i)];
  }
  std::vector<std::pair<size_t, size_t>> sorted;
  for (auto [distance, count] : counts)
    sorted.push_back({count, distance});
  llvm::sort(sorted, [](auto a, auto b) {
    return std::tie(b.first, a.second) < std::tie(a.first, b.second);
  });
  std::vector<size_t> distances;
  for (auto [count, distance] : ArrayRef(sorted).take_front(kMostTried))
    distances.push_back(distance);
  return distances;
}

/// The longest run of pieces of `length` ops.
static Run findLongest(const Sequence &sequence,
                       ArrayRef<llvm::hash_code> hashes, size_t length,
                       Comparison &comparison) {
  Run longest;
  size_t begin = 0;
  for (size_t i = length; i <= hashes.size(); ++i) {
    if (i < hashes.size() && hashes[i] == hashes[i - length] &&
        comparison.areAlike(i - length, i))
      continue;
    Run run{begin, length, (i - begin) / length, i};
    if (run.count > 1 && run.count > longest.count)
      longest = run;
    // The first op that has one like it before is the next one, or later.
    begin = i + 1 - length;
  }
  return longest;
}

std::optional<Run> compile::findRun(const Sequence &sequence, size_t fewest,
                                    ConstantRelation areRelated) {
  std::vector<llvm::hash_code> hashes;
  for (Operation *op : sequence.getOps())
    hashes.push_back(hashOp(op));
  Comparison comparison(sequence, areRelated);
  std::optional<Run> best;
  for (size_t length : findDistances(hashes)) {
    Run run = findLongest(sequence, hashes, length, comparison);
    size_t ops = run.count * run.length;
    if (run.count >= fewest && (!best || ops > best->count * best->length))
      best = run;
  }
  return best;
}
