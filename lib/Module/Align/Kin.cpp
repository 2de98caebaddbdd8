//===- Kin.cpp - Weights to which ops belong ------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kin.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlirprof;
using namespace mlirprof::module;
using namespace mlirprof::module::align;
using namespace mlirprof::trace;

/// Maximum number of values kept per node; a sum of more branches is identified
/// by the first ones.
static constexpr size_t kMostValues = 8;

/// Nodes that look alike that are looked at.
static constexpr size_t kMostAlike = 64;

/// The map keeps the largest two for itself.
static Hash makeKey(Hash value) { return value >> 1; }

/// The only op that uses the results of `node`, or kNone.
static uint32_t findOnlyUser(const Features &features, uint32_t node) {
  llvm::ArrayRef<Edge> users = features.getUsers(node);
  if (users.empty() || llvm::any_of(users, [&](const Edge &edge) {
        return edge.node != users.front().node;
      }))
    return kNone;
  return users.front().node;
}

static void addValues(llvm::SmallVectorImpl<Hash> &values,
                      llvm::ArrayRef<Hash> more) {
  llvm::append_range(values, more);
  llvm::sort(values);
  values.erase(llvm::unique(values), values.end());
  values.truncate(std::min(values.size(), kMostValues));
}

Kin::Kin(const Features &features)
    : above(features.size()), below(features.size()), isDirect(features.size()),
      leadsToValues(features.size()), labels(features.label) {
  Colors values = colorConstants(features, Constants::Weights);
  for (Hash value : values)
    if (value)
      all.insert(makeKey(value));
  if (all.empty())
    return;
  lookAbove(features, values);
  lookBelow(features, values);
  for (uint32_t node = 0; node != features.ops; ++node) {
    for (Hash value : above[node])
      byAbove[makeKey(combine(labels[node], value))].push_back(node);
    for (Hash value : below[node])
      byBelow[makeKey(combine(labels[node], value))].push_back(node);
  }
}

void Kin::lookAbove(const Features &features, const Colors &values) {
  for (uint32_t node = 0; node != features.ops; ++node) {
    Values &found = above[node];
    if (values[node]) {
      found = {makeKey(values[node])};
      isDirect[node] = true;
      continue;
    }
    for (const Edge &edge : features.getOperands(node))
      if (findOnlyUser(features, edge.node) == node)
        addValues(found, above[edge.node]);
  }
}

void Kin::lookBelow(const Features &features, const Colors &values) {
  for (uint32_t node : features.usersFirst) {
    // A node with its own values is identified by these.
    if (values[node])
      continue;
    for (const Edge &edge : features.getUsers(node))
      leadsToValues[node] =
          leadsToValues[node] || values[edge.node] || leadsToValues[edge.node];
    Values found;
    bool areAlike = true, areAllDirect = true;
    for (auto [place, edge] : llvm::enumerate(features.getUsers(node))) {
      Values own = below[edge.node];
      if (values[edge.node])
        own = {makeKey(values[edge.node])};
      areAllDirect &= values[edge.node] != 0;
      areAlike &= !own.empty() && (place == 0 || own == found);
      if (place == 0)
        found = own;
      else if (areAllDirect)
        addValues(found, own);
    }
    if (areAlike || areAllDirect)
      below[node] = found;
  }
}

Kinship Kin::compare(const Values &mine, const Kin &other,
                     const Values &theirs) const {
  if (mine.empty() || theirs.empty())
    return Kinship::Unknown;
  auto isCommon = [&](Hash v) { return llvm::is_contained(theirs, v); };
  if (llvm::any_of(mine, isCommon))
    return Kinship::Same;
  // Values that only one module has may have belonged to this very op.
  bool isAnothers =
      llvm::any_of(mine, [&](Hash v) { return other.all.contains(v); }) ||
      llvm::any_of(theirs, [&](Hash v) { return all.contains(v); });
  return isAnothers ? Kinship::Other : Kinship::Unknown;
}

Kinship Kin::compare(uint32_t mine, const Kin &other, uint32_t theirs) const {
  Kinship up = compare(above[mine], other, other.above[theirs]);
  Kinship down = compare(below[mine], other, other.below[theirs]);
  if (isDirect[mine] && other.isDirect[theirs])
    return up;
  if (up == down || up == Kinship::Unknown)
    return down;
  if (down == Kinship::Unknown) {
    // The end of the model stays in place when layers change places.
    bool isEnd = !leadsToValues[mine] || !other.leadsToValues[theirs];
    return up == Kinship::Other && isEnd ? Kinship::Mixed : up;
  }
  return up == Kinship::Other || down == Kinship::Other ? Kinship::Mixed
                                                        : Kinship::Same;
}

std::vector<uint32_t> Kin::findBetween(uint32_t mine, const Kin &other,
                                       const std::vector<bool> &isOpen) const {
  if (above[mine].empty() || below[mine].empty())
    return {};
  auto collect = [&](const Values &values, const Nodes &nodes) {
    std::vector<uint32_t> found;
    for (Hash value : values) {
      auto known = nodes.find(makeKey(combine(labels[mine], value)));
      if (known == nodes.end() || known->second.size() > kMostAlike)
        continue;
      for (uint32_t node : known->second)
        if (isOpen[node])
          found.push_back(node);
    }
    return found;
  };
  std::vector<uint32_t> ends = collect(above[mine], other.byAbove),
                        begins = collect(below[mine], other.byBelow);
  if (ends.empty() || begins.empty() || llvm::any_of(ends, [&](uint32_t node) {
        return llvm::is_contained(begins, node);
      }))
    return {};
  llvm::append_range(ends, begins);
  return ends;
}
