//===- Copies.cpp - Differences of copies of code -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Copies.h"
#include "mlir-prof/Dialect/Prof/Identity.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::compile;

using Entry = Copies::Entry;

static Entry *getEntry(DenseResourceElementsAttr value) {
  return value.getRawHandle().getResource();
}

/// Calls `visit` with each resource that `op`, or an op in it, uses.
static void visitResources(
    Operation *op,
    llvm::function_ref<void(Value, DenseResourceElementsAttr)> visit) {
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (auto value =
              dyn_cast_or_null<DenseResourceElementsAttr>(getConstant(operand)))
        visit(operand, value);
  });
}

Copies::Copy Copies::readCopy(ArrayRef<Operation *> ops,
                              const DenseMap<Operation *, size_t> &places) {
  Copy copy;
  for (Operation *op : ops) {
    op->walk<WalkOrder::PreOrder>([&](Operation *inner) {
      copy.locations.push_back(inner->getLoc());
      for (Region &region : inner->getRegions())
        for (BlockArgument argument : region.getArguments())
          copy.locations.push_back(argument.getLoc());
    });
    visitResources(op, [&](Value operand, DenseResourceElementsAttr value) {
      copy.weights.push_back({value, places.lookup(operand.getDefiningOp())});
      copy.locations.push_back(operand.getLoc());
    });
  }
  prof::IdentityTable table;
  for (size_t i = 0, end = copy.locations.size(); i != end; ++i)
    copy.locations.push_back(table.remove(copy.locations[i]));
  return copy;
}

/// The place of each op in `block`.
static DenseMap<Operation *, size_t> findPlaces(Block &block) {
  DenseMap<Operation *, size_t> places;
  for (Operation &op : block)
    places[&op] = places.size();
  return places;
}

/// The resources that ops outside of the run use.
static DenseSet<Entry *> findElsewhere(const Sequence &sequence,
                                       const Run &run) {
  DenseSet<Entry *> elsewhere;
  auto add = [&](Operation *op) {
    visitResources(op, [&](Value, DenseResourceElementsAttr value) {
      elsewhere.insert(getEntry(value));
    });
  };
  for (Operation *op : sequence.getOps().take_front(run.begin))
    add(op);
  for (Operation *op : sequence.getOps().drop_front(run.getEnd()))
    add(op);
  add(sequence.getOps().front()->getBlock()->getTerminator());
  return elsewhere;
}

bool Copies::labelWeights(const DenseSet<Entry *> &elsewhere) {
  // Which copy has the weight, for all copies.
  DenseMap<Entry *, unsigned> owners;
  for (unsigned slot = 0; slot < all.front().weights.size(); ++slot) {
    Entry *first = getEntry(getWeight(0, slot));
    bool isShared = llvm::all_of(all, [&](const Copy &copy) {
      return getEntry(copy.weights[slot].value) == first;
    });
    if (isShared)
      continue;
    for (unsigned number = 0; number < count; ++number) {
      Entry *entry = getEntry(getWeight(number, slot));
      if (elsewhere.contains(entry) ||
          owners.try_emplace(entry, number).first->second != number)
        return false;
    }
    for (unsigned kept = 0; kept < kKeptCopies; ++kept)
      weights.try_emplace(getEntry(getWeight(getNumber(kept, 0), slot)),
                          CopyLabel{kept, slot});
    // A weight that several ops of a copy use is one in all copies.
    unsigned found = weights.find(first)->second.slot;
    for (const Copy &copy : all)
      if (copy.weights[found].value != copy.weights[slot].value ||
          (found == slot && llvm::any_of(llvm::seq(slot), [&](unsigned other) {
             return getEntry(copy.weights[other].value) ==
                    getEntry(copy.weights[slot].value);
           })))
        return false;
  }
  return true;
}

void Copies::labelLocation(unsigned kept, unsigned slot) {
  auto [found, isNew] = locations.try_emplace(
      getLocation(getNumber(kept, 0), slot), CopyLabel{kept, slot});
  if (isNew || !found->second)
    return;
  // Several ops at one location, which may be that of a value of the copy
  // before, are at one in all copies.
  auto [copy, other] = *found->second;
  size_t back = getNumber(kept, 0) - getNumber(copy, 0);
  for (size_t number = back; number < count; ++number)
    if (all[number - back].locations[other] != all[number].locations[slot])
      return found->second.reset();
}

void Copies::labelLocations() {
  size_t slots = all.front().locations.size();
  for (unsigned slot = 0; slot < slots; ++slot) {
    LocationAttr first = all.front().locations[slot];
    if (llvm::all_of(all, [&](const Copy &copy) {
          return copy.locations[slot] == first;
        }))
      continue;
    for (unsigned kept = 0; kept < kKeptCopies; ++kept) {
      labelLocation(kept, slot);
      prof::Identities ids =
          prof::getIdentities(getLocation(getNumber(kept, 0), slot));
      for (uint32_t id : ids.owners)
        if (ids.owners.size() == 1 && ids.callers.empty())
          identities.try_emplace(id, CopyLabel{kept, slot});
    }
  }
}

std::optional<Copies> Copies::read(const Sequence &sequence, const Run &run) {
  Copies copies;
  copies.count = unsigned(run.count);
  DenseMap<Operation *, size_t> places =
      findPlaces(*sequence.getOps().front()->getBlock());
  for (size_t i = 0; i < run.count; ++i)
    copies.all.push_back(readCopy(
        sequence.getOps().slice(run.begin + i * run.length, run.length),
        places));
  const Copy &first = copies.all.front();
  for (const Copy &copy : copies.all)
    if (copy.weights.size() != first.weights.size() ||
        copy.locations.size() != first.locations.size())
      return std::nullopt;
  if (!copies.labelWeights(findElsewhere(sequence, run)))
    return std::nullopt;
  copies.labelLocations();
  return copies;
}

std::optional<CopyLabel> Copies::findWeight(Entry *entry) const {
  auto found = weights.find(entry);
  return found == weights.end() ? std::nullopt : std::optional(found->second);
}

std::optional<CopyLabel> Copies::findIdentity(uint32_t id) const {
  auto found = identities.find(id);
  return found == identities.end() ? std::nullopt
                                   : std::optional(found->second);
}

FailureOr<std::optional<CopyLabel>>
Copies::findLocation(LocationAttr location) const {
  auto found = locations.find(location);
  if (found == locations.end())
    return std::optional<CopyLabel>();
  if (!found->second)
    return failure();
  return found->second;
}

uint32_t Copies::getIdentity(unsigned number, unsigned slot) const {
  return prof::getIdentities(getLocation(number, slot)).owners.front();
}
