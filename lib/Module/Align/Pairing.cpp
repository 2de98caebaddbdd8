//===- Pairing.cpp - Pairs of the nodes of two modules --------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pairing.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::module;
using namespace mlirprof::module::align;
using namespace mlirprof::trace;

void Pairing::pair(uint32_t from, uint32_t to, PairEvidence by) {
  before.partner[from] = to;
  after.partner[to] = from;
  before.isOpen[from] = after.isOpen[to] = false;
  before.anchors[from] = after.anchors[to] = combine(0x616E63686F72, from) | 1;
  evidence[from] = by;
}

void Pairing::share(uint32_t from, llvm::ArrayRef<uint32_t> ops,
                    PairEvidence by) {
  shared[from].assign(ops.begin(), ops.end());
  evidence[from] = by;
  before.isOpen[from] = false;
}

std::vector<ColorClass> Pairing::group(KeyOf getKey) const {
  std::vector<ColorClass> classes;
  llvm::DenseMap<Hash, uint32_t> numbers;
  auto add = [&](const Side &side, auto member) {
    for (uint32_t node = 0; node != side.features.size(); ++node) {
      Hash key = side.isOpen[node] ? getKey(side, node) : 0;
      if (key == 0)
        continue;
      // The map keeps the largest two for itself.
      auto [place, isNew] =
          numbers.try_emplace(key >> 1, uint32_t(classes.size()));
      if (isNew)
        classes.emplace_back();
      (classes[place->second].*member).push_back(node);
    }
  };
  add(before, &ColorClass::before);
  add(after, &ColorClass::after);
  llvm::erase_if(classes, [](const ColorClass &c) {
    return c.before.empty() || c.after.empty();
  });
  return classes;
}

/// Whether each stands between values that belong to different ops of the other
/// module. Ops that may end one remaining layer or begin the next belong to
/// neither, and are not paired.
static bool areBetween(const Pairing &pairing, uint32_t from, uint32_t to) {
  const Side &before = pairing.before, &after = pairing.after;
  return !after.kin.findBetween(to, before.kin, before.isOpen).empty() &&
         (pairing.mayBeContrary ||
          !before.kin.findBetween(from, after.kin, after.isOpen).empty());
}

bool Pairing::areContrary(uint32_t from, uint32_t to) const {
  Kinship kinship = before.kin.compare(from, after.kin, to);
  if (kinship == Kinship::Other || areBetween(*this, from, to))
    return true;
  if (mayBeContrary)
    return false;
  if (kinship == Kinship::Mixed)
    return true;
  for (auto [mine, theirs] : llvm::zip(before.features.getOperands(from),
                                       after.features.getOperands(to))) {
    Hash value = before.constants[mine.node],
         other = after.constants[theirs.node];
    if (haveSameValues && value && other && value != other)
      return true;
  }
  return false;
}

bool Pairing::haveOtherUsers(uint32_t from, uint32_t to) const {
  bool isOther = false, isSame = false;
  for (const Edge &edge : before.features.getUsers(from)) {
    uint32_t user = before.partner[edge.node];
    if (user == kNone || evidence[edge.node] != PairEvidence::Constants)
      continue;
    llvm::ArrayRef<Edge> operands = after.features.getOperands(user);
    uint32_t place = edge.port >> 8;
    uint32_t used = place < operands.size() ? operands[place].node : kNone;
    isSame |= used == to;
    isOther |= used != kNone &&
               after.features.label[used] == before.features.label[from];
  }
  return isOther && !isSame &&
         before.kin.compare(from, after.kin, to) != Kinship::Same;
}

Pairing::Unique Pairing::findUnique(KeyOf getKey) const {
  Unique unique(before.features.size(), kNone);
  for (const ColorClass &c : group(getKey))
    if (c.before.size() == 1 && c.after.size() == 1 &&
        !areContrary(c.before.front(), c.after.front()) &&
        !haveOtherUsers(c.before.front(), c.after.front()))
      unique[c.before.front()] = c.after.front();
  return unique;
}

size_t Pairing::pairUnique(KeyOf getKey, PairEvidence by) {
  size_t count = 0;
  for (auto [from, to] : llvm::enumerate(findUnique(getKey)))
    if (to != kNone) {
      pair(uint32_t(from), to, by);
      ++count;
    }
  return count;
}

Hash Pairing::getNamed(const Side &side, llvm::ArrayRef<Hash> base,
                       uint32_t node) const {
  Hash name = (&side == &before ? names.before : names.after)[node];
  return name && !areNumberedAnew ? combine(base[node], name) : 0;
}

void Pairing::forEachUserNow(uint32_t node,
                             llvm::function_ref<void(uint32_t)> visit) const {
  for (const Edge &edge : before.features.getUsers(node)) {
    llvm::SmallVector<uint32_t, 1> users = shared[edge.node];
    if (before.partner[edge.node] != kNone)
      users = {before.partner[edge.node]};
    for (uint32_t user : users) {
      llvm::ArrayRef<Edge> operands = after.features.getOperands(user);
      if (edge.port >> 8 < operands.size())
        visit(operands[edge.port >> 8].node);
    }
  }
}
