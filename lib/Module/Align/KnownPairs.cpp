//===- KnownPairs.cpp - Pairs that one property tells ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::module;
using namespace mlirprof::module::align;
using namespace mlirprof::trace;

/// The modules, and the functions of one name.
void align::pairFunctions(Pairing &pairing) {
  pairing.pair(0, 0, PairEvidence::Identical);
  auto isSymbol = [](const Side &side, uint32_t node) {
    return side.features.isOp(node) && side.features.parent[node] == 0;
  };
  pairing.pairUnique(
      [&](const Side &side, uint32_t node) {
        return isSymbol(side, node)
                   ? combine(side.features.kind[node], side.features.name[node])
                   : 0;
      },
      PairEvidence::Name);
  pairing.pairUnique(
      [&](const Side &side, uint32_t node) {
        return isSymbol(side, node) ? side.features.kind[node] : 0;
      },
      PairEvidence::Surroundings);
}

/// Where a function has more or fewer results than before, their places say
/// nothing.
void align::forgetResultPlaces(Pairing &pairing) {
  Side &before = pairing.before, &after = pairing.after;
  llvm::DenseMap<uint32_t, uint32_t> ends;
  auto isEnd = [](const Features &features, uint32_t node) {
    return features.isTerminator[node] &&
           features.parent[features.parent[node]] == 0;
  };
  for (uint32_t node = 0; node != after.features.ops; ++node)
    if (isEnd(after.features, node))
      ends[after.features.parent[node]] = node;
  for (uint32_t node = 0; node != before.features.ops; ++node) {
    uint32_t function = before.partner[before.features.parent[node]];
    auto end = isEnd(before.features, node) && function != kNone
                   ? ends.find(function)
                   : ends.end();
    if (end == ends.end() || before.features.getOperands(node).size() ==
                                 after.features.getOperands(end->second).size())
      continue;
    before.features.forgetPlaces(node);
    after.features.forgetPlaces(end->second);
  }
}

/// Whether names or values tell that what uses the argument `from` is not what
/// uses `to`.
static bool areArgumentsOfOthers(const Side &before, const Side &after,
                                 uint32_t from, uint32_t to) {
  llvm::DenseSet<uint32_t> users;
  for (const Edge &user : after.features.getUsers(to))
    users.insert(user.node);
  return llvm::any_of(before.features.getUsers(from), [&](const Edge &user) {
    uint32_t partner = before.partner[user.node];
    return partner != kNone && !users.contains(partner);
  });
}

/// The arguments of a function, when all are of the same types in order.
void align::pairArguments(Pairing &pairing) {
  const Side &before = pairing.before, &after = pairing.after;
  auto collect = [](const Side &side) {
    llvm::DenseMap<uint32_t, std::vector<uint32_t>> arguments;
    for (uint32_t node = side.features.ops; node != side.features.size();
         ++node)
      if (side.features.parent[side.features.parent[node]] == 0)
        arguments[side.features.parent[node]].push_back(node);
    return arguments;
  };
  auto mine = collect(before), theirs = collect(after);
  // Not every parser names arguments.
  auto haveSameName = [&](uint32_t a, uint32_t b) {
    Hash old = before.features.name[a], now = after.features.name[b];
    return old == now || old == 0 || now == 0;
  };
  for (auto &[function, arguments] : mine) {
    uint32_t partner = before.partner[function];
    auto found = theirs.find(partner);
    if (partner == kNone || found == theirs.end() ||
        !llvm::equal(arguments, found->second, [&](uint32_t a, uint32_t b) {
          return before.features.label[a] == after.features.label[b] &&
                 haveSameName(a, b) &&
                 !areArgumentsOfOthers(before, after, a, b);
        }))
      continue;
    for (auto [from, to] : llvm::zip_equal(arguments, found->second))
      pairing.pair(from, to, PairEvidence::Structure);
  }
}

void align::pairByConstants(Pairing &pairing) {
  size_t count = pairing.pairUnique(
      [](const Side &side, uint32_t node) { return side.constants[node]; },
      PairEvidence::Constants);
  pairing.haveSameValues = count != 0;
}

/// Names that both modules have alike tell what moved. Where layers came or
/// went they may have been numbered anew, and structure comes first.
void align::pairByNames(Pairing &pairing) {
  const Side &before = pairing.before, &after = pairing.after;
  auto getKey = [](const Side &side, uint32_t node) {
    return side.features.getNamed(side.features.label, node);
  };
  auto collect = [&](const Side &side) {
    Colors keys;
    for (uint32_t node = 0; node != side.features.ops; ++node)
      if (!side.features.isConstant[node])
        keys.push_back(getKey(side, node));
    llvm::sort(keys);
    keys.erase(keys.begin(), llvm::upper_bound(keys, Hash(0)));
    return keys;
  };
  // If an op that was paired by its constants has another name now, names were
  // renumbered.
  for (uint32_t node = 0; node != before.features.size(); ++node)
    if (pairing.evidence[node] == PairEvidence::Constants &&
        before.features.name[node] !=
            after.features.name[before.partner[node]]) {
      pairing.areNumberedAnew = true;
      return;
    }
  if (collect(before) == collect(after))
    pairing.pairUnique(getKey, PairEvidence::Name);
  pairing.pairUnique(
      [&](const Side &side, uint32_t node) {
        const Colors &kept = &side == &before ? pairing.names.keptBefore
                                              : pairing.names.keptAfter;
        return kept[node] ? combine(side.features.label[node], kept[node]) : 0;
      },
      PairEvidence::Name);
}
