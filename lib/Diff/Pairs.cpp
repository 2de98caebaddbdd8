//===- Pairs.cpp - Pairing the ops of two profiles ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Units.h"
#include "llvm/ADT/StringMap.h"

using namespace mlirprof;
using namespace mlirprof::diff;

namespace {

/// Units of both sides that share a key, as positions.
struct Group {
  std::vector<uint32_t> before;
  std::vector<uint32_t> after;
};

/// Pairs units tier by tier; unpaired ones remain on a side.
class UnitPairing {
public:
  UnitPairing(std::vector<Unit> before, std::vector<Unit> after)
      : before(std::move(before)), after(std::move(after)) {}
  std::vector<Pair> run();

private:
  void pairTier(unsigned tier);
  void pairGroup(const Group &group, DiffMatch match);
  Unit take(std::vector<Unit> &units, llvm::ArrayRef<uint32_t> positions);

  std::vector<Unit> before;
  std::vector<Unit> after;
  std::vector<Pair> pairs;
};

} // namespace

/// The sum of the units at `positions`, which are then removed: they lose their
/// keys.
Unit UnitPairing::take(std::vector<Unit> &units,
                       llvm::ArrayRef<uint32_t> positions) {
  Unit sum = std::move(units[positions.front()]);
  for (uint32_t position : positions.drop_front())
    sum.add(units[position]);
  for (uint32_t position : positions)
    units[position].keys.clear();
  return sum;
}

void UnitPairing::pairGroup(const Group &group, DiffMatch match) {
  // Equal numbers pair in order. Otherwise the new ones are unknown, so they
  // stay together.
  if (group.before.size() == group.after.size()) {
    for (size_t i = 0; i != group.before.size(); ++i)
      pairs.push_back(
          {take(before, group.before[i]), take(after, group.after[i]), match});
    return;
  }
  pairs.push_back(
      {take(before, group.before), take(after, group.after), match});
}

void UnitPairing::pairTier(unsigned tier) {
  llvm::StringMap<uint32_t> numbers;
  std::vector<Group> groups;
  auto add = [&](std::vector<Unit> &units,
                 std::vector<uint32_t> Group::*positions) {
    for (uint32_t i = 0; i != units.size(); ++i) {
      if (units[i].keys.empty() || units[i].keys[tier].text.empty())
        continue;
      auto [it, isNew] = numbers.try_emplace(units[i].keys[tier].text,
                                             uint32_t(groups.size()));
      if (isNew)
        groups.emplace_back();
      (groups[it->second].*positions).push_back(i);
    }
  };
  add(before, &Group::before);
  add(after, &Group::after);
  for (const Group &group : groups)
    if (!group.before.empty() && !group.after.empty())
      pairGroup(group, before[group.before.front()].keys[tier].match);
}

std::vector<Pair> UnitPairing::run() {
  for (unsigned tier = 0; tier != kTiers; ++tier)
    pairTier(tier);
  for (Unit &unit : before)
    if (!unit.keys.empty())
      pairs.push_back({std::move(unit), std::nullopt, DiffMatch::Disappeared});
  for (Unit &unit : after)
    if (!unit.keys.empty())
      pairs.push_back({std::nullopt, std::move(unit), DiffMatch::Appeared});
  return std::move(pairs);
}

std::vector<Pair> diff::pairUnits(std::vector<Unit> before,
                                  std::vector<Unit> after) {
  return UnitPairing(std::move(before), std::move(after)).run();
}
