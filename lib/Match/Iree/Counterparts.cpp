//===- Counterparts.cpp - Ops with the same surroundings ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Counterparts.h"
#include "llvm/ADT/STLExtras.h"

#include <deque>

using namespace mlirprof;
using namespace mlirprof::match;
using mlir::Operation;

namespace {

/// Maximum number of ops between two members that are not members: broadcasts,
/// reshapes.
constexpr unsigned kMostBetween = 3;
constexpr size_t kMostPairs = 4096;
/// A value with more uses is a constant of the whole model, and not evidence.
constexpr unsigned kMostUses = 64;

class PairWalk {
public:
  explicit PairWalk(const llvm::DenseSet<Operation *> &members)
      : members(members) {}

  void run(Operation *here, Operation *there);

  llvm::DenseMap<Operation *, Operation *> pairs;

private:
  struct Step {
    Operation *here;
    Operation *there;
    unsigned between;
  };
  void add(Operation *here, Operation *there, const Step &from);
  void walkOperands(const Step &step);
  void walkUses(const Step &step);
  void pairUses(mlir::Value here, mlir::Value there, const Step &step);

  const llvm::DenseSet<Operation *> &members;
  llvm::DenseSet<Operation *> taken;
  std::deque<Step> steps;
};

void PairWalk::add(Operation *here, Operation *there, const Step &from) {
  unsigned between = members.contains(here) ? 0 : from.between + 1;
  if (between > kMostBetween || pairs.size() >= kMostPairs ||
      here->getName() != there->getName() || pairs.contains(here) ||
      taken.contains(there))
    return;
  pairs[here] = there;
  taken.insert(there);
  // Values that both share are not evidence about their surroundings.
  if (here != there || here == from.here)
    steps.push_back({here, there, between});
}

void PairWalk::walkOperands(const Step &step) {
  for (auto [here, there] :
       llvm::zip(step.here->getOperands(), step.there->getOperands()))
    if (here.getDefiningOp() && there.getDefiningOp())
      add(here.getDefiningOp(), there.getDefiningOp(), step);
}

/// The order of lists of uses is not meaningful: an op's name and the number of
/// its operand identify a use.
void PairWalk::pairUses(mlir::Value here, mlir::Value there, const Step &step) {
  for (mlir::OpOperand &use : here.getUses())
    for (mlir::OpOperand &other : there.getUses())
      if (use.getOperandNumber() == other.getOperandNumber())
        add(use.getOwner(), other.getOwner(), step);
}

void PairWalk::walkUses(const Step &step) {
  for (auto [here, there] :
       llvm::zip(step.here->getResults(), step.there->getResults()))
    if (!llvm::hasNItemsOrMore(here.getUses(), kMostUses) &&
        !llvm::hasNItemsOrMore(there.getUses(), kMostUses))
      pairUses(here, there, step);
}

void PairWalk::run(Operation *here, Operation *there) {
  add(here, there, {here, there, 0});
  while (!steps.empty()) {
    Step step = steps.front();
    steps.pop_front();
    walkOperands(step);
    walkUses(step);
  }
}

} // namespace

llvm::DenseMap<Operation *, Operation *>
match::findCounterparts(Operation *here, Operation *there,
                        const llvm::DenseSet<Operation *> &members) {
  PairWalk walk(members);
  walk.run(here, there);
  llvm::DenseMap<Operation *, Operation *> found;
  for (Operation *member : members)
    if (Operation *other = walk.pairs.lookup(member))
      found[member] = other;
  return found;
}
